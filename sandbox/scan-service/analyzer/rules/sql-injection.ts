import { type CodeRule, callsNamed, inspectBuiltArgument } from './code-rule.ts';

/** Matches an SQL statement. A sentence that contains one of the SQL keywords does not match. */
const STATEMENT =
  /^['"`(\s]*(?:select\b.*\bfrom\b|insert\s+(?:or\s+\w+\s+)?into\b|update\b.*\bset\b|delete\s+from\b|replace\s+into\b|drop\s+\w+\b|with\b.*\bselect\b)/is;

const METHODS = /^(?:query|execute|raw|prepare|run|all|get|exec|[$]queryRawUnsafe|[$]executeRawUnsafe)$/;

export const sqlInjection: CodeRule = {
  id: 'sql-injection',
  cwe: 'CWE-89',
  severity: 'HIGH',
  title: 'SQL statement built from a variable',
  description:
    'A variable value is inserted into the text of an SQL statement. An attacker who controls the value can change the statement to read, alter or delete other data.',
  recommendedFix:
    'Hand the value over as a parameter of the statement (`?` or `$1` and an array of values). Choose names of tables and columns from a fixed list.',
  needs: /\b(?:select|insert|update|delete|replace|drop|with)\b/i,
  matcher: {
    rule: { all: [callsNamed(METHODS), { has: { field: 'function', kind: 'member_expression' } }] },
  },
  inspect: (match) => inspectBuiltArgument(match, (text) => STATEMENT.test(text), 'The statement'),
};
