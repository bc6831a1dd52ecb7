import type { SgNode } from '@ast-grep/napi';
import { bindingOf, FUNCTIONS } from './bindings.ts';
import { MOST_STEPS } from './expressions.ts';

/** An expression, and the values that the names in it stand for: everything that a flaw is made of. */
export function valuesBehind(expression: SgNode, steps = MOST_STEPS): SgNode[] {
  const behind = namesIn(expression).flatMap((name) => {
    const binding = steps === 0 ? undefined : bindingOf(name);
    return binding?.kind === 'value' ? valuesBehind(binding.value, steps - 1) : [];
  });
  return [expression, ...new Map(behind.map((node) => [node.id(), node])).values()];
}

function namesIn(expression: SgNode): SgNode[] {
  if (expression.is('identifier')) return [expression];
  return expression.findAll({ rule: { kind: 'identifier' } });
}

const ASKS: ReadonlySet<string> = new Set([
  'endsWith',
  'includes',
  'indexOf',
  'match',
  'search',
  'startsWith',
]);
/** Say what kind of value it is, not what stands in it. */
const ASKS_NOTHING = /^(?:Array\.isArray|Boolean|Number|String|isNaN|Number\.isNaN)$/;
const CHECKING = /(?:^|\.)(?:assert|check|ensure|guard|validate|verify)\w*$/i;

/**
 * Did the code before or around this expression look at what stands in it? Then a person decides whether it looked
 * well. Whether there is a value at all, and of what type, is no such look.
 */
export function isChecked(expression: SgNode): boolean {
  const texts = new Set(valuesBehind(expression).flatMap((node) => textsIn(node)));
  const start = expression.range().start.index;
  const functions = expression.ancestors().filter((node) => FUNCTIONS.has(String(node.kind())));
  return functions.some((scope) =>
    scope
      .findAll({
        rule: { any: ['if_statement', 'ternary_expression', 'call_expression'].map((kind) => ({ kind })) },
      })
      .filter((node) => node.range().start.index < start)
      .some((node) =>
        node.is('call_expression')
          ? CHECKING.test(node.field('function')?.text() ?? '') && mentions(node.field('arguments'), texts)
          : looksAt(node.field('condition'), texts),
      ),
  );
}

/** What of an expression a check would name: its variables, and members such as `req.query.name`. */
function textsIn(expression: SgNode): string[] {
  const members = ['member_expression', 'subscript_expression'];
  const nodes = expression.findAll({ rule: { any: members.map((kind) => ({ kind })) } });
  const values = namesIn(expression).filter((name) => bindingOf(name)?.kind === 'value');
  return [...nodes, ...values].map((node) => node.text());
}

function mentions(node: SgNode | null, texts: ReadonlySet<string>): boolean {
  if (node === null) return false;
  const kinds = ['identifier', 'member_expression', 'subscript_expression'];
  return (
    texts.has(node.text()) ||
    node.findAll({ rule: { any: kinds.map((kind) => ({ kind })) } }).some((one) => texts.has(one.text()))
  );
}

function looksAt(condition: SgNode | null, texts: ReadonlySet<string>): boolean {
  if (condition === null) return false;
  const kinds = ['call_expression', 'binary_expression'];
  return condition.findAll({ rule: { any: kinds.map((kind) => ({ kind })) } }).some((node) => {
    if (node.is('binary_expression')) return compares(node, texts);
    const callee = node.field('function');
    if (callee === null || ASKS_NOTHING.test(callee.text())) return false;
    const asked = ASKS.has(callee.field('property')?.text() ?? '') ? callee.field('object') : null;
    return mentions(node.field('arguments'), texts) || mentions(asked, texts);
  });
}

/** `name in TABLE`, or a comparison with a text. */
function compares(node: SgNode, texts: ReadonlySet<string>): boolean {
  const [left, right] = [node.field('left'), node.field('right')];
  const operator = node.field('operator')?.text() ?? '';
  if (operator === 'in') return texts.has(left?.text() ?? '');
  if (!/^[!=]==?$/.test(operator)) return false;
  const against = [left, right].some((side) => side?.is('string') === true && side.text().length > 2);
  return against && [left, right].some((side) => texts.has(side?.text() ?? ''));
}
