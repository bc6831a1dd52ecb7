import type { SgNode, SgRoot } from '@ast-grep/napi';

export const FUNCTIONS =
  /^(?:arrow_function|function_declaration|function_expression|generator_function|generator_function_declaration|method_definition)$/;

/**
 * A declaration of a name. `owner` is the id of the innermost function or program around it. `block` is the id of the
 * innermost block or program around it.
 */
export interface Declarator {
  readonly node: SgNode;
  readonly owner: number | undefined;
  readonly block: number | undefined;
}

const known = new WeakMap<SgRoot, ReturnType<typeof build>>();

/** Returns the index of the file that contains the node. */
export function nameIndexOf(node: SgNode) {
  const file = node.getRoot();
  const index = known.get(file) ?? build(file.root());
  known.set(file, index);
  return index;
}

/**
 * Finds all declarations and assignments of a file. `writes` has the offsets at which a name gets a new value.
 * `name = …` counts, but `name.member = …` does not.
 */
function build(program: SgNode) {
  const declarators = new Map<string, Declarator[]>();
  for (const node of program.findAll({ rule: { kind: 'variable_declarator' } })) {
    const target = node.field('name');
    const names = target === null ? [] : boundNames(target);
    if (names.length === 0) continue;
    const owners = node.ancestors();
    const owner = owners.find((around) => FUNCTIONS.test(String(around.kind())) || around.is('program'));
    const block = owners.find((around) => around.is('statement_block') || around.is('program'));
    const declarator = { node, owner: owner?.id(), block: block?.id() };
    for (const name of new Set(names)) add(declarators, name, declarator);
  }
  const writes = new Map<string, number[]>();
  const kinds = ['assignment_expression', 'augmented_assignment_expression', 'update_expression'];
  for (const write of program.findAll({ rule: { any: kinds.map((kind) => ({ kind })) } })) {
    const target = write.field('left') ?? write.field('argument');
    // A new value of a member or an element does not change the variable.
    if (target === null || target.is('member_expression') || target.is('subscript_expression')) continue;
    for (const name of new Set(boundNames(target))) add(writes, name, write.range().start.index);
  }
  return { declarators, writes };
}

function add<T>(lists: Map<string, T[]>, name: string, item: T): void {
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [item]);
  else list.push(item);
}

/** Returns the names that a pattern declares. Leaves out default values and property names. */
export function boundNames(pattern: SgNode): string[] {
  switch (pattern.kind()) {
    case 'identifier':
    case 'shorthand_property_identifier_pattern':
      return [pattern.text()];
    case 'assignment_pattern':
    case 'object_assignment_pattern': {
      const left = pattern.field('left');
      return left === null ? [] : boundNames(left);
    }
    case 'pair_pattern': {
      const value = pattern.field('value');
      return value === null ? [] : boundNames(value);
    }
    default:
      return pattern.namedChildren().flatMap(boundNames);
  }
}
