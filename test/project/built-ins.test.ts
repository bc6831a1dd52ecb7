import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bundleFacts } from '../../scripts/bench/bundle-facts.ts';
import { builtInsLoadedLate } from '../../scripts/bundle/built-ins.ts';

test('the build replaces each import of a built-in module by a function that loads the module on first use', () => {
  const written = [
    'import { createRequire as __WEBPACK_EXTERNAL_createRequire } from "module";',
    'const external_os_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("os");',
    'const external_node_os_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:os");',
    'const end = () => external_os_namespaceObject.EOL + (0,external_node_os_namespaceObject.tmpdir)();',
    'x = { 896: ((module) => { module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("fs/promises"); }) };',
  ];
  expect(builtInsLoadedLate(written.join('\n')).split('\n')).toEqual([
    written[0],
    'const load_os = () => process.getBuiltinModule("os");',
    'const load_node_os = () => process.getBuiltinModule("node:os");',
    'const end = () => load_os().EOL + (0,load_node_os().tmpdir)();',
    'x = { 896: ((module) => { module.exports = process.getBuiltinModule("fs/promises"); }) };',
  ]);
});

describe('the search for uses of a module', () => {
  const DECLARED =
    'const external_os_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("os");';
  const late = (use: string) =>
    builtInsLoadedLate(`${DECLARED}\n${use.replaceAll('OS', 'external_os_namespaceObject')}`)
      .split('\n')
      .slice(1)
      .join('\n')
      .replaceAll('load_os', 'OS')
      .replaceAll('external_os_namespaceObject', 'OS');

  test.each([
    ['new OS.X("a");', 'new (OS()).X("a");'],
    ['new (OS.X)();', 'new ((OS()).X)();'],
    ['new X(OS.A);', 'new X(OS().A);'],
    ['class A extends OS.B {}', 'class A extends OS().B {}'],
    ['OS === b;', 'OS() === b;'],
    ['x = OS;', 'x = OS();'],
    ['f = () => OS;', 'f = () => OS();'],
    ['({ OS });', '({ OS: OS() });'],
    ['const { EOL } = OS;', 'const { EOL } = OS();'],
    [
      'const { rm, open: o } = OS.promises;',
      'const rm = (...all) => OS().promises.rm(...all), o = (...all) => OS().promises.open(...all);',
    ],
    ['f = () => { const { rm } = OS.promises; };', 'f = () => { const { rm } = OS().promises; };'],
    [`\`\${OS.EOL}\`;`, `\`\${OS().EOL}\`;`],
  ])('the bundle loads a built-in module only when it runs this code: %s', (use, expected) =>
    expect(late(use)).toBe(expected),
  );

  test.each(['"OS";', '`OS`;', '/OS/;', '// OS', 'o.OS;', '({ OS: 1, OS() {} });'])(
    'the build ignores the name of a module in texts, comments and member names: %s',
    (text) => expect(late(text)).toBe(text),
  );

  test.each(['function f(OS) {}', 'OS = 1;', 'let OS = 1;', 'try {} catch (OS) {}'])(
    'the build stops if the code declares or assigns the name of an imported module: %s',
    (use) => expect(() => late(use)).toThrow('in a way that its build does not know'),
  );

  test('the build stops if the bundle already uses the name of a function that the build adds', () =>
    expect(() => late('let load_os = OS.EOL;')).toThrow('The bundle has the name load_os already'));
});

test('the build stops if the code reads a member of fs.promises that the build does not know', () => {
  const late = () =>
    builtInsLoadedLate(
      'const fs_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("fs");\nconst { constants } = fs_namespaceObject.promises;',
    );
  expect(late).toThrow('a member of fs.promises that its build does not know: constants');
});

test('the bundles import no built-in module when they start', async () => {
  const { entries } = await bundleFacts();
  for (const { file } of entries) {
    const bundle = readFileSync(file, 'utf8');
    // `new f().X` would create an instance of `f`, the function that loads the module. The instance would have no
    // members.
    expect(bundle.match(/\bnew \w+_namespaceObject\w*\(\)\./g) ?? [], file).toEqual([]);
    expect(bundle.match(/^import\b.*|createRequire/gm) ?? [], file).toEqual([]);
    expect(bundle.match(/getBuiltinModule\("node:crypto"\)/g), file).toHaveLength(1);
  }
});
