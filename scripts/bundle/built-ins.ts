import type { Plugin } from 'rolldown';

/** How ncc loads a built-in module, before anything else in the bundle runs. */
const LOADED_FIRST = /^const (\w+) = \w+\(import\.meta\.url\)\("([\w:/]+)"\);$/gm;
const LOADED = /\b\w*createRequire\(import\.meta\.url\)\(("[\w:/]+")\)/g;

/**
 * For rolldown, on what ncc wrote. A built-in module is loaded when it is first used: a run needs few of them, and they
 * take a third of the time of a start.
 */
export function loadBuiltInsLate(): Plugin {
  return { name: 'load-built-ins-late', transform: builtInsLoadedLate };
}

/** @param code of a bundle, as ncc writes it */
export function builtInsLoadedLate(code: string): string {
  const names: string[] = [];
  const declared = code.replace(LOADED_FIRST, (_declaration, name: string, module: string) => {
    names.push(name);
    return `const ${name} = () => process.getBuiltinModule("${module}");`;
  });
  const used = names.reduce(
    (text, name) => text.replace(new RegExp(`\\b${name}\\b(?! =)`, 'g'), `${name}()`),
    declared,
  );
  return used.replace(LOADED, 'process.getBuiltinModule($1)');
}
