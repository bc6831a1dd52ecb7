import type { SgNode, SgRoot } from '@ast-grep/napi';
import { bindingOf } from './bindings.ts';
import { MOST_STEPS, unwrap } from './expressions.ts';

/** A module, or one of its members. */
export interface Imported {
  /** The name of the module as it is imported, without `node:`. */
  readonly module: string;
  /** The path of the member in the module, such as `promises.readFile`. Empty for the module or its default export. */
  readonly name: string;
}

/**
 * Returns the last name of a called function, such as `readFile` for `fs.promises.readFile(…)`. `importedFunction` also
 * finds the module, but takes longer.
 */
export function calledName(call: SgNode): string {
  const callee = call.field('function');
  return (callee?.field('property') ?? callee)?.text() ?? '';
}

/**
 * Returns the imported function that a call runs. Its local name does not matter. Undefined if the file does not show
 * that the function comes from a module.
 */
export function importedFunction(call: SgNode): Imported | undefined {
  const callee = call.field('function');
  return callee === null ? undefined : importOf(callee, MOST_STEPS);
}

function importOf(expression: SgNode, steps: number): Imported | undefined {
  const node = unwrap(expression);
  if (node.is('member_expression')) {
    const object = node.field('object');
    return object === null ? undefined : below(importOf(object, steps), node.field('property')?.text());
  }
  if (node.is('call_expression')) return required(node);
  if (!node.is('identifier') || steps === 0) return undefined;
  const binding = bindingOf(node);
  if (binding === undefined) return declaredImport(node);
  if (binding.kind === 'parameter') return undefined;
  const whole = importOf(binding.value, steps - 1);
  if (binding.whole) return whole;
  return below(whole, propertyNameOf(node.text(), binding.value.parent()?.field('name') ?? null));
}

function below(imported: Imported | undefined, property: string | undefined): Imported | undefined {
  if (imported === undefined || property === undefined) return undefined;
  if (property === 'default') return imported;
  return { ...imported, name: imported.name === '' ? property : `${imported.name}.${property}` };
}

/** Recognizes `require('x')` and `import('x')`. */
function required(call: SgNode): Imported | undefined {
  const callee = call.field('function')?.text();
  const name = call.field('arguments')?.namedChildren()[0];
  if ((callee !== 'require' && callee !== 'import') || name === undefined || !name.is('string'))
    return undefined;
  return { module: moduleName(name), name: '' };
}

/**
 * Finds the property to which a pattern gives a local name. In `{ b: a }`, the name `a` stands for the property `b`.
 */
function propertyNameOf(local: string, pattern: SgNode | null): string | undefined {
  for (const part of pattern?.namedChildren() ?? []) {
    if (part.is('shorthand_property_identifier_pattern') && part.text() === local) return local;
    if (part.is('pair_pattern') && part.field('value')?.text() === local) return part.field('key')?.text();
  }
  return undefined;
}

const importsOfFiles = new WeakMap<SgRoot, ReadonlyMap<string, Imported>>();

function declaredImport(identifier: SgNode): Imported | undefined {
  const file = identifier.getRoot();
  const imports = importsOfFiles.get(file) ?? importsOf(file.root());
  importsOfFiles.set(file, imports);
  return imports.get(identifier.text());
}

/** Returns what the file imports. The key is the local name. */
function importsOf(program: SgNode): ReadonlyMap<string, Imported> {
  const imports = new Map<string, Imported>();
  for (const statement of program.findAll({ rule: { kind: 'import_statement' } })) {
    const source = statement.find({ rule: { kind: 'string' } });
    if (source === null) continue;
    for (const clause of statement.findAll({ rule: { kind: 'identifier' } })) {
      const specifier = clause.parent();
      const isSpecifier = specifier?.is('import_specifier') === true;
      const [original, renamed] = isSpecifier ? specifier.namedChildren() : [];
      const local = isSpecifier ? (renamed ?? original)?.text() : clause.text();
      if (local !== clause.text() || imports.has(local)) continue;
      const name = original?.text() ?? '';
      imports.set(local, { module: moduleName(source), name: name === 'default' ? '' : name });
    }
  }
  return imports;
}

function moduleName(text: SgNode): string {
  return text
    .text()
    .slice(1, -1)
    .replace(/^node:/, '');
}
