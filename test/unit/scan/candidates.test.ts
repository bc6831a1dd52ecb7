import { describe, expect, test } from 'vitest';
import type { ListedScan } from '../../../src/domain/scan.ts';
import {
  type Candidate,
  candidates,
  createMarksOfChange,
  describeUnproven,
  unprovenScans,
} from '../../../src/scan/candidates.ts';
import type { FoundMark } from '../../../src/scan/marks.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { SHA } from '../github/client.ts';
import type { Answer } from '../github/readers/row.ts';
import { aScan, BASE, HEAD } from './fake-api.ts';
import { found, markText, SEAL } from './marked.ts';
import { checkRuns, marksOn, onGitHub, refusal } from './on-github.ts';

const EXPECTED = { baseSha: BASE, headSha: HEAD };

function find(shown: Partial<ListedScan>, isUsed = false) {
  const { progress: _, ...listed } = aScan('RUNNING', { headSha: HEAD, baseSha: BASE });
  return unprovenScans([{ ...listed, ...shown }], EXPECTED, () => isUsed);
}

test.each<[string, Partial<ListedScan>]>([
  ['shows base and head', {}],
  ['does not show its base', { baseSha: undefined }],
  ['does not show its status', { status: undefined }],
  ['is COMPLETED', { status: 'COMPLETED' }],
])('unprovenScans returns a scan that %s', (_what, shown) => {
  expect(find(shown)).toEqual(['s']);
});

test.each<[string, Partial<ListedScan>]>([
  ['shows another head', { headSha: BASE }],
  ['shows another base', { baseSha: HEAD }],
  ['shows no head', { headSha: undefined }],
  ['abbreviates its head', { headSha: HEAD.slice(0, 12) }],
  ['has failed', { status: 'FAILED' }],
  ['was cancelled', { status: 'CANCELLED' }],
  ['shows no id', { id: undefined }],
])('unprovenScans leaves out a scan that %s', (_what, shown) => {
  expect(find(shown)).toEqual([]);
});

test('unprovenScans leaves out a scan that the run has tried to reuse', () => {
  expect(find({}, true)).toEqual([]);
});

test.each([
  [['a'], 'Scan `a` is of the same commit.'],
  [['a', 'b'], 'Scans `a`, `b` are of the same commit.'],
])('describeUnproven describes the scans %j', (ids, sentence) => {
  expect(describeUnproven(ids)).toContain(sentence);
});

const KEY = found().key;
const OTHER_KEY = 'O'.repeat(22);
const CONTENT_KEY = 'C'.repeat(22);

interface Options {
  readonly reuseScan?: boolean;
  readonly contentKey?: string;
  readonly signal?: AbortSignal;
  /** GitHub's answers to requests for the check runs on the head, in order. The last answer repeats. */
  readonly lists?: readonly Answer[];
}

function marksOf(earlier: readonly FoundMark[], options: Options = {}) {
  const { reuseScan = true, contentKey, signal = NEVER_ABORTED, lists = [checkRuns()] } = options;
  const clock = new FakeClock();
  const seen: string[][] = [];
  const { github, asked } = onGitHub({ 'checks of head': lists });
  const marks = createMarksOfChange(
    {
      github,
      inputs: { reuseScan },
      seal: SEAL,
      clock,
      signal,
      onRead: (read) => void seen.push(read.map(({ scanId }) => scanId)),
    },
    { headSha: SHA.head, key: KEY, contentKey },
    earlier,
  );
  return { marks, asked, waits: clock.sleeps, seen };
}

const idsOf = (marks: readonly { readonly scanId: string }[]) => marks.map(({ scanId }) => scanId);

const NEW = marksOn(SHA.head, markText({ scanId: 'new' }));

describe('createMarksOfChange', () => {
  const EARLIER = [
    found({ scanId: 'a', launchedAt: 3 }),
    found({ scanId: 'other head', headSha: SHA.other }),
    found({ scanId: 'other key', key: OTHER_KEY }),
    found({ scanId: 'same files', key: OTHER_KEY, contentKey: CONTENT_KEY, headSha: SHA.other }),
    found({ scanId: 'other files', key: OTHER_KEY, contentKey: 'D'.repeat(22) }),
    found({ scanId: 'b', launchedAt: 2, contentKey: CONTENT_KEY }),
  ];

  test.each<[what: string, options: Options, exact: string[], sameFiles: string[]]>([
    [
      'finds the marks with the key of the change, and the marks of scans of the same files',
      { contentKey: CONTENT_KEY },
      ['a', 'b'],
      ['same files'],
    ],
    ['finds only marks with the key of the change if the changed files are unknown', {}, ['a', 'b'], []],
    ['finds no marks with `reuse-scan: false`', { contentKey: CONTENT_KEY, reuseScan: false }, [], []],
  ])('createMarksOfChange %s', (_what, options, exact, sameFiles) => {
    const { marks } = marksOf(EARLIER, options);
    expect(idsOf(marks.exact)).toEqual(exact);
    expect(idsOf(marks.sameFiles)).toEqual(sameFiles);
  });

  test('marks.names() returns true for scans that the run has tried and for scans of the same files', () => {
    const second = found({ scanId: 'too', key: OTHER_KEY, contentKey: CONTENT_KEY });
    const { marks } = marksOf([...EARLIER, second], { contentKey: CONTENT_KEY });
    marks.tried.add('mine');
    const names = ['mine', 'same files', 'too', 'a', 'other key'].filter(marks.names);
    expect(names).toEqual(['mine', 'same files', 'too']);
  });

  test('marks.hasSeen() knows every scan that was tried, or that a mark has named so far', async () => {
    const text = markText({ scanId: 'read', key: OTHER_KEY });
    const { marks } = marksOf([found({ scanId: 'earlier' })], { lists: [marksOn(SHA.head, text)] });
    marks.tried.add('tried');
    const ids = ['earlier', 'tried', 'read', 'commented', 'new'];
    expect(ids.filter(marks.hasSeen)).toEqual(['earlier', 'tried']);
    await marks.readNew({ ofComments: [found({ scanId: 'commented' })] });
    expect(ids.filter(marks.hasSeen)).toEqual(['earlier', 'tried', 'read', 'commented']);
  });

  test('marks.readNew() returns only marks of untried scans', async () => {
    const texts = [{ scanId: 'a' }, { scanId: 'new' }, { scanId: 'x', key: OTHER_KEY }].map(markText);
    const { marks, seen } = marksOf([], { lists: [marksOn(SHA.head, ...texts)] });
    marks.tried.add('a');
    expect(idsOf(await marks.readNew())).toEqual(['new']);
    expect(seen).toEqual([expect.arrayContaining(['a', 'new', 'x'])]);
  });

  test('marks.readNew() reads no marks with `reuse-scan: false`', async () => {
    const { marks, asked } = marksOf([], { reuseScan: false, lists: [NEW] });
    expect(await marks.readNew()).toEqual([]);
    expect(asked).toEqual([]);
  });

  test('marks.readNew() reads the marks up to four times if GitHub refuses the list of check runs', async () => {
    const late = marksOf([], { lists: [refusal(403), refusal(403), NEW] });
    expect(idsOf(await late.marks.readNew())).toEqual(['new']);
    expect(late.waits).toEqual([5_000, 5_000]);
    const never = marksOf([], { lists: [refusal(403)] });
    expect(await never.marks.readNew()).toEqual([]);
    expect(never.waits).toEqual([5_000, 5_000, 5_000]);
    expect(never.asked).toHaveLength(4);
    expect(never.seen).toEqual([]);
  });

  test('marks.readNew() returns marks of comments even if the check runs cannot be listed', async () => {
    const ofComments = [found({ scanId: 'older', launchedAt: 1 }), found({ scanId: 'newer', launchedAt: 2 })];
    const { marks, asked } = marksOf([], { lists: [refusal(403)] });
    expect(idsOf(await marks.readNew({ ofComments, mostReads: 1 }))).toEqual(['newer', 'older']);
    expect(asked).toHaveLength(1);
    marks.tried.add('newer');
    expect(idsOf(await marks.readNew({ ofComments }))).toEqual(['older']);
    expect(await marksOf([], { reuseScan: false }).marks.readNew({ ofComments })).toEqual([]);
  });

  test('marks.readNew() reads no marks after the run was stopped', async () => {
    const { marks, asked } = marksOf([], { lists: [NEW], signal: AbortSignal.abort() });
    expect(await marks.readNew()).toEqual([]);
    expect(asked).toEqual([]);
  });
});

/** @param newer marks that other jobs add; each call of `readNew` returns the next one */
async function tryAll(exact: readonly FoundMark[], sameFiles: readonly FoundMark[], newer: FoundMark[] = []) {
  const tried = new Set<string>();
  const looks: string[][] = [];
  const readNew = async () => {
    looks.push([...tried]);
    return newer.splice(0, 1);
  };
  const all: Candidate[] = [];
  for await (const candidate of candidates({ tried, readNew }, exact, sameFiles)) all.push(candidate);
  return { all: all.map(({ kind, scan }) => `${kind} ${scan.scanId}`), scans: all, tried, looks };
}

const named = (...scanIds: readonly string[]) => scanIds.map((scanId) => found({ scanId }));

describe('candidates', () => {
  test.each<[what: string, exact: FoundMark[], newer: FoundMark[], sameFiles: FoundMark[], all: string[]]>([
    ['returns no candidate if no mark names a scan', [], [], [], []],
    [
      'returns scans of this change before scans of the same files',
      named('a', 'b'),
      named('c', 'd'),
      named('e'),
      ['exact a', 'exact b', 'exact c', 'exact d', 'same-files e'],
    ],
    [
      'returns a newer scan of the same files before an older scan of this change',
      [found({ scanId: 'b', launchedAt: 4 }), found({ scanId: 'd', launchedAt: 2 })],
      named('c'),
      [
        found({ scanId: 'a', launchedAt: 5 }),
        found({ scanId: 'e', launchedAt: 2 }),
        found({ scanId: 'f', launchedAt: 1 }),
      ],
      ['same-files a', 'exact b', 'exact d', 'exact c', 'same-files e', 'same-files f'],
    ],
    ['reads no new marks if there is no scan of this change', [], named('c'), named('e'), ['same-files e']],
    [
      'returns a scan once, even if several marks name it',
      named('a', 'b', 'a'),
      [],
      named('e', 'e'),
      ['exact a', 'exact b', 'same-files e'],
    ],
    [
      'returns at most five scans of this change, and five of the same files',
      named('1', '2', '3', '4', '5', '6'),
      [],
      named('a', 'b', 'c', 'd', 'e', 'f'),
      ['1', '2', '3', '4', '5']
        .map((id) => `exact ${id}`)
        .concat(['a', 'b', 'c', 'd', 'e'].map((id) => `same-files ${id}`)),
    ],
  ])('candidates() %s', async (_what, exact, newer, sameFiles, all) => {
    expect((await tryAll(exact, sameFiles, newer)).all).toEqual(all);
  });

  test('candidates() uses the last of several marks of a scan', async () => {
    const marks = [found({ scanId: 'a', runId: 9 }), found({ scanId: 'a', runId: 5 })];
    expect((await tryAll(marks, [])).scans).toMatchObject([{ scan: { runId: 5 } }]);
  });

  test('candidates() records each scan of this change as tried before it reads the marks again', async () => {
    const { tried, looks } = await tryAll(named('1', '2', '3', '4', '5', '6'), named('e'), named('c'));
    expect(looks).toEqual([
      ['1', '2', '3', '4', '5', '6'],
      ['1', '2', '3', '4', '5', '6', 'c'],
    ]);
    expect([...tried]).not.toContain('e');
  });

  test('candidates() returns only scans of this change if there are no scans of the same files', async () => {
    const all: Candidate[] = [];
    const marks = { tried: new Set<string>(), readNew: async () => [] };
    for await (const candidate of candidates(marks, named('a'))) all.push(candidate);
    expect(all).toMatchObject([{ kind: 'exact', scan: { scanId: 'a' } }]);
  });

  test('candidates() returns the first candidate before it reads marks again', async () => {
    const readNew = () => expect.unreachable();
    const first = await candidates({ tried: new Set(), readNew }, named('a')).next();
    expect(first).toMatchObject({ done: false, value: { kind: 'exact', scan: { scanId: 'a' } } });
  });
});
