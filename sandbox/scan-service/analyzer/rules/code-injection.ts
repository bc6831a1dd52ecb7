import { isFixed, outsideSource } from '../expressions.ts';
import type { CodeRule } from './code-rule.ts';

export const codeInjection: CodeRule = {
  id: 'code-injection',
  cwe: 'CWE-95',
  severity: 'HIGH',
  title: 'Code evaluated from a variable',
  description:
    'A variable value is run as program code. An attacker who controls the value can run any code in this program.',
  recommendedFix:
    'Do without evaluation: `JSON.parse` for data, a table of functions for choices. No filter of the text makes evaluating it safe.',
  needs: /\beval\b|\bFunction\b/,
  matcher: {
    rule: {
      any: [
        { pattern: 'eval($ARG)' },
        { pattern: 'new Function($ARG)' },
        { pattern: 'new Function($$$, $ARG)' },
        { kind: 'new_expression', has: { field: 'constructor', regex: '^Function$' } },
      ],
    },
  },
  inspect(match) {
    const code = match.getMatch('ARG') ?? match.field('arguments')?.namedChildren().at(-1);
    if (code === undefined || isFixed(code)) return undefined;
    const source = outsideSource(code);
    const text = `The evaluated code is ${source}, unchanged.`;
    return { nodes: [code], proof: source === undefined ? null : { kind: 'ANALYSIS', text } };
  },
};
