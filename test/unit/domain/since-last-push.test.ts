import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Finding, severityOf } from '../../../src/domain/finding.ts';
import { compareFindings, MOST_KNOWN, nextHistory } from '../../../src/domain/history.ts';
import { readPathPatterns } from '../../../src/domain/path-patterns.ts';
import { type FindingGroups, judge } from '../../../src/domain/verdict.ts';
import { toText } from '../../../src/report/markdown.ts';
import { sinceSection } from '../../../src/report/sections.ts';
import { completed, POLICY, sampleFinding } from '../report/sample-report.ts';

const [FIRST, SECOND, THIRD] = ['a', 'b', 'c'].map((letter) => letter.repeat(40));
if (FIRST === undefined || SECOND === undefined || THIRD === undefined) throw new Error('three heads');

const groups = (...findings: Finding[]): FindingGroups => judge(completed(findings), POLICY).findings;
const finding = (id: string, members: Parameters<typeof sampleFinding>[0] = {}) =>
  sampleFinding({ id, label: `ZK-${id}`, title: `Vulnerability ${id}`, ...members });
const ids = (findings: readonly Finding[] | undefined) => findings?.map(({ id }) => id);

/** Compares the findings of a second push with those of the first push. */
function since(first: FindingGroups, second: FindingGroups) {
  return compareFindings(nextHistory(undefined, FIRST ?? '', first), SECOND ?? '', second);
}

describe('the comparison with the last push', () => {
  test('the first push has no comparison with an earlier push, even in a re-run', () => {
    const history = nextHistory(undefined, FIRST, groups(finding('1')));
    expect(compareFindings(undefined, FIRST, groups(finding('1')))).toBeUndefined();
    expect(compareFindings(history, FIRST, groups(finding('1')))).toBeUndefined();
  });

  test('the comparison lists findings as new, still open, triaged, below the threshold, or gone', () => {
    const said = since(
      groups(finding('1'), finding('2'), finding('3'), finding('4')),
      groups(
        finding('1'),
        finding('2', { resolution: 'FALSE_POSITIVE' }),
        finding('3', { word: 'LOW' }),
        finding('5'),
        finding('6', { word: 'LOW' }),
        finding('7', { resolution: 'MITIGATED' }),
      ),
    );
    expect(said?.comparedWith).toBe(FIRST);
    expect(ids(said?.fresh)).toEqual(['5']);
    expect(ids(said?.stillOpen)).toEqual(['1']);
    expect(ids(said?.triaged)).toEqual(['2']);
    expect(ids(said?.below)).toEqual(['3']);
    expect(said?.gone.map(({ label }) => label)).toEqual(['ZK-4']);
  });

  test('the comparison lists findings as exempt by path', () => {
    const pathsExempt = readPathPatterns('src/users/**').patterns;
    const findings = [finding('1'), finding('2', { location: undefined })];
    const now = judge(completed(findings), { ...POLICY, pathsExempt }).findings;
    const said = since(groups(...findings), now);
    expect(ids(said?.exempt)).toEqual(['1']);
    expect(ids(said?.stillOpen)).toEqual(['2']);
    expect(said?.gone).toEqual([]);
    expect(toText(sinceSection(said))).toBe(
      '**Since the last push** (compared with <code>aaaaaaa</code>): 1 still open · 1 now exempt by path',
    );
  });

  test('a finding with a new id is matched with one earlier finding of the same severity, title and file', () => {
    const same = { title: 'The same', location: { path: 'src/a.ts', startLine: 4, endLine: 4 } };
    const moved = { ...same, location: { path: 'src/a.ts', startLine: 90, endLine: 91 } };
    const said = since(
      groups(finding('1', same), finding('2', same)),
      groups(
        finding('8', moved),
        finding('9', { ...same, location: { ...same.location, path: 'src/b.ts' } }),
      ),
    );
    expect(ids(said?.stillOpen)).toEqual(['8']);
    expect(ids(said?.fresh)).toEqual(['9']);
    expect(said?.gone).toHaveLength(1);
  });

  test('a finding is matched with the earlier finding of the same id, even if a similar finding comes first', () => {
    const twin = { title: 'Twin' };
    const said = since(
      groups(finding('1', twin)),
      groups(finding('0', { ...twin, word: 'HIGH' }), finding('1', twin)),
    );
    expect(ids(said?.stillOpen)).toEqual(['1']);
    expect(ids(said?.fresh)).toEqual(['0']);
  });

  test('a finding without an id is matched by severity, title and file', () => {
    const nameless = sampleFinding({ id: undefined });
    expect(since(groups(nameless), groups(nameless))).toMatchObject({ fresh: [], gone: [] });
  });

  test('the first run and a re-run are compared with the same earlier push', () => {
    const first = nextHistory(undefined, FIRST, groups(finding('1')));
    const second = nextHistory(first, SECOND, groups(finding('1'), finding('2')));
    const again = nextHistory(second, SECOND, groups(finding('1'), finding('2')));
    expect(again).toEqual(second);
    expect(compareFindings(again, SECOND, groups(finding('2')))).toMatchObject({
      comparedWith: FIRST,
      fresh: [expect.objectContaining({ id: '2' })],
      gone: [expect.objectContaining({ label: 'ZK-1' })],
    });
    expect(compareFindings(again, THIRD, groups(finding('2')))).toMatchObject({
      comparedWith: SECOND,
      fresh: [],
    });
  });

  test('the history of findings keeps the blocking findings if it cannot keep all findings', () => {
    const confirmed = { ...finding('last'), severity: severityOf('MEDIUM') };
    const reported = [...Array.from({ length: MOST_KNOWN }, (_, index) => finding(String(index))), confirmed];
    const { findings, complete } = nextHistory(undefined, FIRST, {
      ...groups(...reported),
      reported,
      blocking: [confirmed],
    });
    expect(findings).toHaveLength(MOST_KNOWN);
    expect(complete).toBe(false);
    expect(findings.filter(({ blocks }) => blocks).map(({ label }) => label)).toEqual(['ZK-last']);
    const few = nextHistory(undefined, FIRST, {
      ...groups(),
      reported: [finding('1'), confirmed],
      blocking: [confirmed],
    });
    expect(few.findings.map(({ label, blocks }) => [label, blocks])).toEqual([
      ['ZK-1', false],
      ['ZK-last', true],
    ]);
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
});
