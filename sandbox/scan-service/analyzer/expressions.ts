import type { SgNode } from '@ast-grep/napi';
import { bindingOf } from './bindings.ts';

/**
 * The most names through which a value is followed. Our choice. Hand-written code needs no more. In generated code, the
 * limit saves time.
 */
export const MOST_STEPS = 5;

/** The kinds of nodes that contain a value without changing it. */
export const WRAPPERS =
  /^(?:as_expression|await_expression|non_null_expression|parenthesized_expression|satisfies_expression|template_substitution)$/;

/** Removes brackets, casts and `await` around an expression. */
export function unwrap(node: SgNode): SgNode {
  const inner = WRAPPERS.test(String(node.kind())) ? node.namedChildren()[0] : undefined;
  return inner === undefined ? node : unwrap(inner);
}

/**
 * Returns the composed string of an expression: a template, or a concatenation with a string. If the expression is a
 * name, returns the composed string that the name stands for.
 *
 * Undefined if the expression is not a composed string, or if the file determines the values of all its operands.
 */
export function builtString(
  expression: SgNode,
  steps = MOST_STEPS,
): { node: SgNode; dynamic: SgNode[] } | undefined {
  const node = unwrap(expression);
  if (node.is('identifier') && steps > 0) {
    const binding = bindingOf(node);
    return binding?.kind === 'value' && binding.whole ? builtString(binding.value, steps - 1) : undefined;
  }
  if (!node.is('template_string') && !isConcatenation(node)) return undefined;
  const operands = operandsOf(node);
  const dynamic = operands.filter((part) => !isFixed(part, steps));
  const hasText = node.is('template_string') || operands.some((part) => part.is('string'));
  return hasText && dynamic.length > 0 ? { node, dynamic } : undefined;
}

export function isConcatenation(node: SgNode): boolean {
  return node.is('binary_expression') && node.field('operator')?.text() === '+';
}

/**
 * Returns the operands of a concatenation, or the expressions in a template, in order. For any other expression,
 * returns the expression itself.
 */
export function operandsOf(expression: SgNode): SgNode[] {
  const node = unwrap(expression);
  if (isConcatenation(node)) {
    return [node.field('left'), node.field('right')].flatMap((side) =>
      side === null ? [] : operandsOf(side),
    );
  }
  if (!node.is('template_string')) return [node];
  return node
    .namedChildren()
    .flatMap((child) => (child.is('template_substitution') ? operandsOf(child) : []));
}

/**
 * Values that cannot contain foreign text. `OWN_NUMBERS` matches functions that return numbers. `OWN_PLACES` has names
 * for the location or the process of the program.
 */
const OWN_NUMBERS = /^(?:Number|Number\.parse(?:Int|Float)|parseInt|parseFloat|Math\.\w+|Date\.now)$/;
const OWN_PLACES =
  /^(?:__dirname|__filename|import\.meta\.dirname|import\.meta\.filename|process\.execPath|process\.pid)$/;

/**
 * True if the value of the expression is in the file, or comes from the program itself. It then contains no foreign
 * text.
 */
export function isFixed(expression: SgNode, steps = MOST_STEPS): boolean {
  const node = unwrap(expression);
  if (node.is('string') || node.is('number') || node.is('true') || node.is('false') || node.is('null'))
    return true;
  if (OWN_PLACES.test(node.text())) return true;
  if (node.is('template_string') || isConcatenation(node)) {
    return operandsOf(node).every((part) => isFixed(part, steps));
  }
  if (node.is('ternary_expression')) {
    return [node.field('consequence'), node.field('alternative')].every(
      (choice) => choice !== null && isFixed(choice, steps),
    );
  }
  if (node.is('call_expression')) return OWN_NUMBERS.test(node.field('function')?.text() ?? '');
  if (!node.is('identifier') || steps === 0) return false;
  const binding = bindingOf(node);
  return binding?.kind === 'value' && binding.whole && isFixed(binding.value, steps - 1);
}

/**
 * Names the source of a value: a parameter of the surrounding function, or the command line. Undefined if the source is
 * not known. Also undefined if the value passed through a call, because the call may have changed it.
 */
export function outsideSource(expression: SgNode, steps = MOST_STEPS): string | undefined {
  const node = unwrap(expression);
  if (node.is('member_expression') || node.is('subscript_expression')) {
    const object = node.field('object');
    if (object?.text() === 'process.argv') return 'the command line';
    return object === null ? undefined : outsideSource(object, steps);
  }
  if (node.is('template_string') || isConcatenation(node)) {
    return operandsOf(node)
      .map((part) => outsideSource(part, steps))
      .find((source) => source !== undefined);
  }
  if (!node.is('identifier') || steps === 0) return undefined;
  const binding = bindingOf(node);
  if (binding?.kind === 'value') return outsideSource(binding.value, steps - 1);
  if (binding === undefined || HARMLESS_TYPE.test(binding.declaration.field('type')?.text() ?? ''))
    return undefined;
  return `the parameter ${node.text()}`;
}

/** Values of these types cannot hold foreign text. */
const HARMLESS_TYPE = /^:\s*(?:number|boolean|bigint)$/;
