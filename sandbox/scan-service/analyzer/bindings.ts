import type { SgNode } from '@ast-grep/napi';

/** The meaning of a name at one position, as far as the file proves it. */
export type Binding =
  | { readonly kind: 'parameter'; readonly declaration: SgNode }
  /** The only value it is ever given; `whole` is false when the name is one part of a destructured value. */
  | { readonly kind: 'value'; readonly value: SgNode; readonly whole: boolean };

export const FUNCTIONS: ReadonlySet<string> = new Set([
  'arrow_function',
  'function_declaration',
  'function_expression',
  'generator_function',
  'generator_function_declaration',
  'method_definition',
]);

/** Finds the innermost declaration of an identifier. Undefined where it is unknown, ambiguous or assigned again. */
export function bindingOf(identifier: SgNode): Binding | undefined {
  const name = identifier.text();
  for (const scope of identifier.ancestors()) {
    const isFunction = FUNCTIONS.has(String(scope.kind()));
    if (!isFunction && !scope.is('program')) continue;
    const declarators = declaratorsOf(name, scope, identifier);
    const parameter = isFunction ? parameterOf(name, scope) : undefined;
    if (declarators.length === 0 && parameter === undefined) continue;
    if (declarators.length + (parameter === undefined ? 0 : 1) > 1 || isAssigned(name, scope))
      return undefined;
    if (parameter !== undefined) return { kind: 'parameter', declaration: parameter };
    const value = declarators[0]?.field('value');
    const whole = declarators[0]?.field('name')?.is('identifier') ?? false;
    return value === null || value === undefined ? undefined : { kind: 'value', value, whole };
  }
  return undefined;
}

/** Declarations of the name in this very scope whose block is still open at `use`. */
function declaratorsOf(name: string, scope: SgNode, use: SgNode): SgNode[] {
  const around = new Set(use.ancestors().map((node) => node.id()));
  const naming = { kind: 'variable_declarator', has: { field: 'name', regex: spelled(name) } };
  return scope.findAll({ rule: naming }).filter((declarator) => {
    const target = declarator.field('name');
    if (target === null || !boundNames(target).includes(name)) return false;
    const owners = declarator.ancestors();
    const owner = owners.find((node) => FUNCTIONS.has(String(node.kind())) || node.is('program'));
    const block = owners.find((node) => node.is('statement_block') || node.is('program'));
    return owner?.id() === scope.id() && block !== undefined && around.has(block.id());
  });
}

/** Matches any node that contains the name, so that the parser skips most nodes. */
export function spelled(name: string): string {
  return name.replaceAll('$', '\\$');
}

function parameterOf(name: string, scope: SgNode): SgNode | undefined {
  const single = scope.field('parameter');
  const all = single === null ? (scope.field('parameters')?.namedChildren() ?? []) : [single];
  return all.find((parameter) => boundNames(parameter.field('pattern') ?? parameter).includes(name));
}

/** The names that a pattern binds; default values and property names are not among them. */
function boundNames(pattern: SgNode): string[] {
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

function isAssigned(name: string, scope: SgNode): boolean {
  const kinds = ['assignment_expression', 'augmented_assignment_expression', 'update_expression'];
  const target = { any: ['left', 'argument'].map((field) => ({ has: { field, regex: spelled(name) } })) };
  const writes = scope.findAll({ rule: { all: [{ any: kinds.map((kind) => ({ kind })) }, target] } });
  return writes.some((write) => {
    const target = write.field('left') ?? write.field('argument');
    // Writing to a member, or under a name, leaves the variable what it was.
    if (target === null || target.is('member_expression') || target.is('subscript_expression')) return false;
    return boundNames(target).includes(name);
  });
}
