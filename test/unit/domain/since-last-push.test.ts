import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Finding, severityOf } from '../../../src/domain/finding.ts';
import { compareFindings, MOST_KNOWN, nextHistory, type SinceLastPush } from '../../../src/domain/history.ts';
import { readPathPatterns } from '../../../src/domain/path-patterns.ts';
import { type FindingGroups, judge } from '../../../src/domain/verdict.ts';
import { completed, POLICY, sampleFinding } from '../report/sample-report.ts';

const [FIRST, SECOND, THIRD] = ['a'.repeat(40), 'b'.repeat(40), 'c'.repeat(40)];
const EXEMPT = { ...POLICY, pathsExempt: readPathPatterns('exempt/**').patterns };

const groups = (...findings: Finding[]): FindingGroups => judge(completed(findings), EXEMPT).findings;
const finding = (id: string, members: Parameters<typeof sampleFinding>[0] = {}) =>
  sampleFinding({ id, label: `ZK-${id}`, title: `Vulnerability ${id}`, ...members });
const at = (path: string, line: number) => ({ location: { path, startLine: line, endLine: line } });

/** Compares the findings of a second push with those of the first push. */
function since(first: FindingGroups, second: FindingGroups) {
  return compareFindings(nextHistory(undefined, FIRST, first), SECOND, second);
}

/** Shows the last digit of each finding, by list. */
function shown(said: SinceLastPush | undefined): string {
  const { comparedWith, ...lists } = said ?? {};
  const of = (list: readonly { readonly label: string }[]) => list.map(({ label }) => label.at(-1)).join(' ');
  const all = Object.entries(lists).filter(([, list]) => list !== undefined && list.length > 0);
  return all.map(([name, list]) => `${name} ${of(list ?? [])}`).join(', ');
}

const SAME = { title: 'The same', ...at('src/a.ts', 4) };
test.each<[what: string, before: Finding[], now: Finding[], expected: string]>([
  [
    'each finding in the list of what happened to it',
    ['1', '2', '3', '4', '5'].map((id) => finding(id)),
    [
      finding('1'),
      finding('2', { resolution: 'FALSE_POSITIVE' }),
      finding('3', { word: 'LOW' }),
      finding('5', at('exempt/a.ts', 1)),
      finding('6'),
      finding('7', { word: 'LOW' }),
      finding('8', { resolution: 'MITIGATED' }),
      finding('9', at('exempt/a.ts', 1)),
    ],
    'fresh 6, stillOpen 1, triaged 2, below 3, exempt 5, gone 4',
  ],
  [
    'a finding with a new id as the earlier one of the same severity, title and file',
    [finding('1', SAME), finding('2', SAME)],
    [finding('8', { ...SAME, ...at('src/a.ts', 90) }), finding('9', { ...SAME, ...at('src/b.ts', 4) })],
    'fresh 9, stillOpen 8, gone 2',
  ],
  [
    'a finding as the earlier one of the same id, even if a similar finding comes first',
    [finding('1', SAME)],
    [finding('0', { ...SAME, word: 'HIGH' }), finding('1', SAME)],
    'fresh 0, stillOpen 1',
  ],
  [
    'a finding without an id as the one of the same severity, title and file',
    [sampleFinding({ id: undefined, label: 'ZK-1' })],
    [sampleFinding({ id: undefined, label: 'ZK-1' })],
    'stillOpen 1',
  ],
])('the comparison with the last push lists %s', (_what, before, now, expected) => {
  expect(shown(since(groups(...before), groups(...now)))).toBe(expected);
});

test('the first push has no comparison with an earlier push, even in a re-run', () => {
  const history = nextHistory(undefined, FIRST, groups(finding('1')));
  expect(compareFindings(undefined, FIRST, groups(finding('1')))).toBeUndefined();
  expect(compareFindings(history, FIRST, groups(finding('1')))).toBeUndefined();
});

test('the first run and a re-run are compared with the same earlier push', () => {
  const both = groups(finding('1'), finding('2'));
  const second = nextHistory(nextHistory(undefined, FIRST, groups(finding('1'))), SECOND, both);
  const again = nextHistory(second, SECOND, both);
  expect(again).toEqual(second);
  const [rerun, next] = [SECOND, THIRD].map((head) => compareFindings(again, head, groups(finding('2'))));
  expect([rerun?.comparedWith, shown(rerun)]).toEqual([FIRST, 'fresh 2, gone 1']);
  expect([next?.comparedWith, shown(next)]).toEqual([SECOND, 'stillOpen 2, gone 1']);
});

test('the history of findings keeps the blocking findings if it cannot keep all findings', () => {
  const last = { ...finding('last'), severity: severityOf('MEDIUM') };
  const historyOf = (count: number) => {
    const reported = [...Array.from({ length: count }, (_, index) => finding(String(index))), last];
    return nextHistory(undefined, FIRST, { ...groups(), reported, blocking: [last] });
  };
  const labels = historyOf(1).findings.map(({ label, blocks }) => [label, blocks]);
  expect(labels).toEqual([
    ['ZK-0', false],
    ['ZK-last', true],
  ]);
  const { findings, complete } = historyOf(MOST_KNOWN);
  expect([findings.length, complete]).toEqual([MOST_KNOWN, false]);
  expect(findings.filter(({ blocks }) => blocks).map(({ label }) => label)).toEqual(['ZK-last']);
});

test('the comparison lists no finding as new if the history left out earlier findings', () => {
  const many = Array.from({ length: MOST_KNOWN + 1 }, (_, index) => finding(String(index)));
  const said = since(groups(...many), groups(...many));
  expect(said?.fresh).toBeUndefined();
  expect(said?.stillOpen).toHaveLength(MOST_KNOWN);
});

test('the comparison lists each finding exactly once', () => {
  const some = fc.array(
    fc.record({
      id: fc.option(fc.constantFrom('1', '2', '3', '4', '5'), { nil: undefined }),
      title: fc.constantFrom('x', 'y'),
      severity: fc.constantFrom('HIGH', 'LOW', 'ODD').map(severityOf),
      resolution: fc.constantFrom('OPEN', 'RESOLVED', 'MITIGATED'),
    }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(some, some, (before, now) => {
      const [first, second] = [before, now].map((list) => groups(...list.map((one) => sampleFinding(one))));
      if (first === undefined || second === undefined) throw new Error('two pushes');
      const said = since(first, second);
      expect((said?.fresh?.length ?? 0) + (said?.stillOpen.length ?? 0)).toBe(second.reported.length);
      const known = [said?.stillOpen, said?.triaged, said?.below, said?.gone];
      expect(known.reduce((sum, list) => sum + (list?.length ?? 0), 0)).toBe(first.reported.length);
      const { findings, before: last } = nextHistory(nextHistory(undefined, FIRST, first), SECOND, second);
      expect(findings.length + (last?.findings.length ?? 0)).toBeLessThanOrEqual(MOST_KNOWN);
    }),
  );
});
