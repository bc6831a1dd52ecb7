import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
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

function isExempt(
  path: string,
  policy: (typeof policies)[number],
  otherPaths: readonly string[] = [],
): boolean {
  const found = sampleFinding({ location: { path, startLine: 1, endLine: 1 }, otherPaths });
  const { outcome, findings } = judge(completed([found]), policy);
  expect(findings.exempt.length + findings.blocking.length).toBe(1);
  expect(outcome === 'passed').toBe(findings.exempt.length === 1);
  return findings.exempt.length === 1;
}

describe('a finding is exempt only if GitHub can show its file', () => {
  const check = (path: string) => {
    const place = placeOf({ path, startLine: 1, endLine: 1 });
    for (const policy of policies) {
      if (place === undefined) expect(isExempt(path, policy), JSON.stringify(path)).toBe(false);
    }
  };

  test('a finding is exempt only if GitHub can show its file, for all paths of the corpus', () => {
    for (const text of CORPUS) for (const path of [text, `docs/${text}`, `${text}/docs/a.md`]) check(path);
  });

  test('a finding is exempt only if GitHub can show its file, for random paths', () => {
    const name = fc.oneof(
      fc.constantFrom('docs', 'src', '..', '.', '', '\\', 'a.md', '%2e%2e', 'a\\..\\src'),
      hostileText,
    );
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), (names) => check(names.join('/'))),
      { numRuns: rounds(300, 5_000) },
    );
  });
});

test.each([
  'src/a.ts',
  'docs/../src/a.ts',
  'docs/x/../../src/a.ts',
  './src/a.ts',
  '/docs/a.md',
  '//docs/a.md',
  'docs//../src/a.ts',
  'docs\\..\\src\\a.ts',
  '..\\docs\\a.md',
  'C:\\docs\\a.md',
  'C:/docs/a.md',
  'docs/\u0000',
  'docs/a.md\n../src/a.ts',
  'docs/\u2028a.md',
  '\u200bdocs/a.md',
  ' ',
  '',
  '.',
  '..',
  'docs',
  'ｄｏｃｓ/a.md',
  'docs∕a.md',
])('the path %j does not match docs/**', (path) => {
  const [policy] = policies;
  if (policy === undefined) throw new Error('no policy');
  expect(isExempt(path, policy)).toBe(false);
  expect(isExempt('docs/a.md', policy, [path])).toBe(false);
  expect(isExempt('docs/a.md', policy)).toBe(true);
});
