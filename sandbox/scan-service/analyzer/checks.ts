import type { NapiConfig, SgNode } from '@ast-grep/napi';
import { bindingOf } from './bindings.ts';
import { MOST_STEPS } from './expressions.ts';
import { FUNCTIONS } from './name-index.ts';
import { requestSource } from './request-source.ts';

type Rule = NapiConfig['rule'];

/**
 * Returns the nodes of a vulnerability: an expression, and the dangerous values of the names in it. The names in these
 * values are followed too.
 * @param carries says whether a value holds dangerous data
 */
export function valuesBehind(expression: SgNode, carries: (value: SgNode) => boolean): SgNode[] {
  const found = new Map([[expression.id(), expression]]);
  const follow = (node: SgNode, steps: number): void => {
    for (const name of steps === 0 ? [] : namesIn(node)) {
      const binding = bindingOf(name);
      if (binding?.kind !== 'value' || found.has(binding.value.id()) || !carries(binding.value)) continue;
      found.set(binding.value.id(), binding.value);
      follow(binding.value, steps - 1);
    }
  };
  follow(expression, MOST_STEPS);
  return [...found.values()];
}

function namesIn(expression: SgNode): SgNode[] {
  if (expression.is('identifier')) return [expression];
  return expression.findAll({ rule: { kind: 'identifier' } });
}

const ASKS = /^(?:endsWith|includes|indexOf|match|search|startsWith)$/;
/** Calls that check only the type of a value, and not its content. */
const ASKS_NOTHING = /^(?:Array\.isArray|Boolean|Number|String|isNaN|Number\.isNaN)$/;
const CHECKING = /(?:^|\.)(?:assert|check|ensure|guard|validate|verify)\w*$/i;

/**
 * True if code before the expression checks the request data in it. The rules then report nothing, because only a
 * person can judge the check. A check of the type does not count, and neither does a check that there is a value.
 */
export function isChecked(expression: SgNode): boolean {
  const ofRequest = (value: SgNode) => requestSource(value) !== undefined;
  const texts = new Set(valuesBehind(expression, ofRequest).flatMap((node) => textsIn(node)));
  const start = expression.range().start.index;
  const functions = expression.ancestors().filter((node) => FUNCTIONS.test(String(node.kind())));
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

/** Returns the texts of the variables and members that hold request data, such as `req.query.name`. */
function textsIn(expression: SgNode): string[] {
  const values = [...namesIn(expression), ...membersIn(expression)];
  return values.filter((value) => requestSource(value) !== undefined).map((value) => value.text());
}

const MEMBERS: Rule = { any: [{ kind: 'member_expression' }, { kind: 'subscript_expression' }] };

/**
 * Returns whole members: `req.query.name` for `req.query.name.trim()`. It returns neither `req.query` nor the method.
 */
function membersIn(node: SgNode): SgNode[] {
  return node.findAll({ rule: MEMBERS }).filter((member) => {
    const parent = member.parent();
    return parent?.field('object')?.id() === member.id() ? isCalled(parent) : !isCalled(member);
  });
}

function isCalled(node: SgNode): boolean {
  return node.parent()?.field('function')?.id() === node.id();
}

function mentions(node: SgNode | null, texts: ReadonlySet<string>): boolean {
  if (node === null) return false;
  return [...namesIn(node), ...membersIn(node)].some((one) => texts.has(one.text()));
}

function looksAt(condition: SgNode | null, texts: ReadonlySet<string>): boolean {
  if (condition === null) return false;
  const kinds = ['call_expression', 'binary_expression'];
  return condition.findAll({ rule: { any: kinds.map((kind) => ({ kind })) } }).some((node) => {
    if (node.is('binary_expression')) return compares(node, texts);
    const callee = node.field('function');
    if (callee === null || ASKS_NOTHING.test(callee.text())) return false;
    const asked = ASKS.test(callee.field('property')?.text() ?? '') ? callee.field('object') : null;
    return mentions(node.field('arguments'), texts) || mentions(asked, texts);
  });
}

/** True if the code compares one of the texts with a string that is not empty. `text in TABLE` counts too. */
function compares(node: SgNode, texts: ReadonlySet<string>): boolean {
  const [left, right] = [node.field('left'), node.field('right')];
  const operator = node.field('operator')?.text() ?? '';
  if (operator === 'in') return texts.has(left?.text() ?? '');
  if (!/^[!=]==?$/.test(operator)) return false;
  const against = [left, right].some((side) => side?.is('string') === true && side.text().length > 2);
  return against && [left, right].some((side) => texts.has(side?.text() ?? ''));
}
