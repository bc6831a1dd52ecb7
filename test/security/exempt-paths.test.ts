import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPathPatterns } from '../../src/domain/path-patterns.ts';
import { judge } from '../../src/domain/verdict.ts';
import { placeOf } from '../../src/report/links.ts';
import { rounds } from '../support/rounds.ts';
import { hostileText } from '../unit/report/hostile.ts';
import { completed, POLICY, sampleFinding } from '../unit/report/sample-report.ts';
import { CORPUS } from './corpus.ts';

// Lists of path patterns. The author of a pull request can influence the path of a finding, because the service derives
// it from the author's code.
const LISTS = ['docs/**', '**/docs/**\n*.md\n!src/**', '**\n!src/**', '**/*\n!**/*.ts'];
const policies = LISTS.map((list) => ({ ...POLICY, pathsExempt: readPathPatterns(list).patterns }));

function isExempt(path: string, policy: (typeof policies)[number]): boolean {
  const found = sampleFinding({ location: { path, startLine: 1, endLine: 1 } });
  const { outcome, findings } = judge(completed([found]), policy);
  expect(findings.exempt.length + findings.blocking.length).toBe(1);
  expect(outcome === 'passed').toBe(findings.exempt.length === 1);
  return findings.exempt.length === 1;
}

/** Checks that a finding is not exempt if GitHub cannot show its file. */
function check(path: string): void {
  if (placeOf({ path, startLine: 1, endLine: 1 }) !== undefined) return;
  expect(policies.map((policy) => isExempt(path, policy))).toEqual(policies.map(() => false));
}

test('a finding is exempt only if GitHub can show its file, for all paths of the corpus', () => {
  expect(policies.map((policy) => isExempt('docs/a.md', policy))).toEqual(policies.map(() => true));
  for (const text of CORPUS) for (const path of [text, `docs/${text}`, `${text}/docs/a.md`]) check(path);
});

test('a finding is exempt only if GitHub can show its file, for random paths', () => {
  const known = ['docs', 'src', '..', '.', '', '\\', 'a.md', '%2e%2e', 'a\\..\\src'];
  const name = fc.oneof(fc.constantFrom(...known), hostileText);
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), (names) => check(names.join('/'))),
    { numRuns: rounds(300, 5_000) },
  );
});
