import type { SgNode } from '@ast-grep/napi';
import { spelled } from '../bindings.ts';
import { isChecked } from '../checks.ts';
import { FUNCTIONS } from '../name-index.ts';
import { requestSource } from '../request-source.ts';
import type { CodeMatch, CodeRule } from './code-rule.ts';

export const prototypePollution: CodeRule = {
  id: 'prototype-pollution',
  cwe: 'CWE-1321',
  severity: 'HIGH',
  title: 'Properties set under names from outside',
  description:
    'Nested properties are set under names that the data brings along. With the name `__proto__`, the data changes what every object of this program inherits.',
  recommendedFix:
    'Refuse the names `__proto__`, `constructor` and `prototype`, or collect into a `Map` or an object made by `Object.create(null)`.',
  matcher: {
    rule: { kind: 'assignment_expression', has: { field: 'left', kind: 'subscript_expression' } },
  },
  inspect(match) {
    const left = match.field('left');
    const [object, key] = [left?.field('object') ?? null, left?.field('index') ?? null];
    if (left === null || object === null || key === null) return undefined;
    const found = underRequestedName(left, object, key) ?? merged(match, left, object, key);
    return found === undefined || isGuarded(match) ? undefined : found;
  },
};

/**
 * Finds `settings[req.query.a][b] = …`. The first name can reach the prototype. The second name sets a property of the
 * prototype.
 */
function underRequestedName(left: SgNode, object: SgNode, key: SgNode): CodeMatch | undefined {
  const first = object.is('subscript_expression') ? object.field('index') : null;
  const source = first === null ? undefined : requestSource(first);
  if (first === null || source === undefined || key.is('number') || isChecked(first)) return undefined;
  const text = `The name comes from the request (${source.text}), and nothing before it checks it.`;
  return { nodes: [left], proof: { kind: 'ANALYSIS', text } };
}

/**
 * Finds `target[key] = …` in a function that makes a deep copy. Such a function calls itself with the same key, for
 * example `merge(target[key], source[key])`. Its name does not matter.
 */
function merged(match: SgNode, left: SgNode, object: SgNode, key: SgNode): CodeMatch | undefined {
  if (!object.is('identifier') || !key.is('identifier')) return undefined;
  const around = match.ancestors().find((node) => nameOf(node) !== undefined);
  const name = around === undefined ? undefined : nameOf(around);
  if (around === undefined || name === undefined) return undefined;
  const itself = { kind: 'call_expression', has: { field: 'function', regex: `^${spelled(name)}$` } };
  const deepens = around.findAll({ rule: itself }).some((call) => {
    const [target, source] = call.field('arguments')?.namedChildren() ?? [];
    return (
      target?.text() === left.text() &&
      source?.is('subscript_expression') === true &&
      source.field('index')?.text() === key.text()
    );
  });
  return deepens ? { nodes: [left], proof: null } : undefined;
}

function nameOf(node: SgNode): string | undefined {
  if (node.is('function_declaration')) return node.field('name')?.text();
  const declarator = node.is('arrow_function') || node.is('function_expression') ? node.parent() : null;
  return declarator?.is('variable_declarator') === true ? declarator.field('name')?.text() : undefined;
}

/** True if the function mentions `__proto__`, or calls `hasOwn` or `hasOwnProperty` for the target. */
function isGuarded(match: SgNode): boolean {
  const target = match.field('left')?.field('object')?.text() ?? '';
  const around = match.ancestors().filter((node) => FUNCTIONS.test(String(node.kind())));
  const scope = around.find((node) => nameOf(node) !== undefined) ?? around.at(-1);
  if (scope === undefined) return false;
  if (/__proto__/.test(scope.text())) return true;
  const calls = scope.findAll({ rule: { kind: 'call_expression' } });
  return calls.some((call) => {
    const callee = call.field('function');
    const asked = call.field('arguments')?.namedChildren()[0]?.text();
    if (/^(?:Object\.hasOwn|(?:.*\.)?hasOwnProperty\.call)$/.test(callee?.text() ?? ''))
      return asked === target;
    return (
      callee?.field('property')?.text() === 'hasOwnProperty' && callee.field('object')?.text() === target
    );
  });
}
