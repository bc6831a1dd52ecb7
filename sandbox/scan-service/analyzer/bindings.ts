import type { SgNode } from '@ast-grep/napi';
import { boundNames, FUNCTIONS, nameIndexOf } from './name-index.ts';

/** What a name means at one position, if the file proves it. */
export type Binding =
  | { readonly kind: 'parameter'; readonly declaration: SgNode }
  /** The only value that the name has. `whole` is false if the name is one element of a destructured value. */
  | { readonly kind: 'value'; readonly value: SgNode; readonly whole: boolean };

/**
 * Finds the innermost declaration of an identifier. Undefined if the declaration is missing or ambiguous. Also
 * undefined if the code assigns a new value to the variable.
 */
export function bindingOf(identifier: SgNode): Binding | undefined {
  const name = identifier.text();
  const { declarators, writes } = nameIndexOf(identifier);
  const scopes = identifier.ancestors();
  const around = new Set(scopes.map((node) => node.id()));
  // The declarations of this name in blocks around the identifier.
  const visible = (declarators.get(name) ?? []).filter(
    ({ block }) => block !== undefined && around.has(block),
  );
  for (const scope of scopes) {
    const isFunction = FUNCTIONS.test(String(scope.kind()));
    if (!isFunction && !scope.is('program')) continue;
    const own = visible.filter(({ owner }) => owner === scope.id()).map(({ node }) => node);
    const parameter = isFunction ? parameterOf(name, scope) : undefined;
    if (own.length === 0 && parameter === undefined) continue;
    if (own.length + (parameter === undefined ? 0 : 1) > 1 || isInside(scope, writes.get(name) ?? []))
      return undefined;
    if (parameter !== undefined) return { kind: 'parameter', declaration: parameter };
    const value = own[0]?.field('value');
    const whole = own[0]?.field('name')?.is('identifier') ?? false;
    return value === null || value === undefined ? undefined : { kind: 'value', value, whole };
  }
  return undefined;
}

/** True if one of these offsets is inside the scope. */
function isInside(scope: SgNode, offsets: readonly number[]): boolean {
  if (offsets.length === 0) return false;
  const { start, end } = scope.range();
  return offsets.some((offset) => offset >= start.index && offset < end.index);
}

/** Escapes a name for a regular expression. `$` is the only special character that a name can contain. */
export function spelled(name: string): string {
  return name.replaceAll('$', '\\$');
}

function parameterOf(name: string, scope: SgNode): SgNode | undefined {
  const single = scope.field('parameter');
  const all = single === null ? (scope.field('parameters')?.namedChildren() ?? []) : [single];
  return all.find((parameter) => boundNames(parameter.field('pattern') ?? parameter).includes(name));
}
