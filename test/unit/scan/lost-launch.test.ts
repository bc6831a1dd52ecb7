import { describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/clock.ts';
import { err, ok, type Result, Stop } from '../../../src/domain/result.ts';
import type { PendingLaunch, Scan, ScanList } from '../../../src/domain/scan.ts';
import { createSeal } from '../../../src/domain/seal.ts';
import { cancelFound, findLost, isOfLaunch } from '../../../src/scan/lost-launch.ts';
import { type Found, type NoMatch, noMatch } from '../../../src/scan/new-scans.ts';
import { encodeMark } from '../../../src/scan/scan-mark.ts';
import type { ApiError } from '../../../src/scan-api/api-error.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { serviceStep } from '../../support/service-step.ts';
import { pullRequestByRest } from '../github/answers.ts';
import { SHA } from '../github/client.ts';
import { answers, aScan, polled, refused, stopped, unreachable } from './fake-api.ts';
import { aMark, markText, SEAL } from './marked.ts';
import { commentBody, comments, marksOn, onGitHub, refusal, type Shown } from './on-github.ts';
import { listOf, pageOf, pendingLaunch, whole } from './sample-subject.ts';

type List = Result<ScanList, ApiError>;

const READ_AT = Date.parse('2026-01-15T12:00:00Z');
const CUT_OFF = { ids: ['old'], complete: false };
const AWAY = refused(500, 'internal', { operation: 'list the scans' });

test.each<
  [what: string, isOurs: object, before: PendingLaunch['before'], lists: readonly List[], createdAt?: string]
>([
  ['is not listed before', ok(true), { ids: ['old'], complete: true }, []],
  ['is listed before', ok(false), { ids: ['s'], complete: true }, []],
  ['is older', ok(false), { ids: ['old'], complete: true, readAt: READ_AT }, [], '2026-01-15T11:58:59Z'],
  ['stands above the known scans of a cut-off list', ok(true), CUT_OFF, [ok(pageOf('s', 'old'))]],
  ['stands below a known scan of a cut-off list', ok(false), CUT_OFF, [ok(pageOf('old', 's'))]],
  ['cannot be compared, because no list was read before', ok(false), undefined, []],
  [
    'is found after failed reads of the list',
    ok(true),
    CUT_OFF,
    [AWAY, refused(401, 'unauthorized'), ok(pageOf('s', 'old'))],
  ],
  [
    'cannot be compared before a stop',
    { ok: false, error: { reason: 'scan-cancelled', bySignal: true } },
    CUT_OFF,
    [AWAY, stopped('signal')],
  ],
])('isOfLaunch reports a scan that %s', async (_what, result, before, lists, createdAt) => {
  const scans = answers<ScanList>(...lists);
  expect(
    await isOfLaunch(serviceStep({ scans }), { ...pendingLaunch, before }, { scanId: 's', createdAt }),
  ).toMatchObject(result);
  expect(scans.calls).toHaveLength(lists.length);
});

interface Search {
  readonly name: string;
  /** The answers to the reads of the scan list; the last one repeats. */
  readonly lists: readonly [List, ...List[]];
  /** What the details of a scan show. By default, those of `new` match. The remaining details cannot be read. */
  readonly details?: Readonly<Record<string, Partial<Scan>>>;
  /** What GitHub shows. Default: no marks. */
  readonly shown?: Shown | 'no client';
  readonly launch?: Partial<PendingLaunch>;
  /** The id in the answer to the launch. */
  readonly named?: string;
  /** When and how the search ends. By default, it ends after a minute, as in a run. */
  readonly ends?: { readonly ms: number; readonly by: 'timeout' | 'signal' };
  /** Default: the scan `new` is found. */
  readonly result?: Found | NoMatch;
  /** When the list was read, in seconds. */
  readonly looks?: readonly number[];
  /** The requests to GitHub. */
  readonly asked?: readonly string[];
}

const FOUND: Found = { kind: 'found', scanId: 'new' };

async function play({ lists, details = { new: whole }, shown = {}, launch, named, ends }: Search) {
  const clock = new FakeClock();
  const limit = new AbortController();
  const { ms, by } = ends ?? { ms: 60_000, by: 'timeout' };
  const ticking: Clock = {
    now: () => clock.now(),
    date: () => clock.date(),
    timeout: (length) => clock.timeout(length),
    // Only the waits of the search take time, so the search ends during a wait.
    sleep: async (length) => {
      const left = ms - clock.now();
      await clock.sleep(Math.min(length, left));
      if (length >= left) limit.abort(new Stop(by));
    },
  };
  const looks: number[] = [];
  const detailed: string[] = [];
  const api = {
    scans: async () => {
      const list = lists[Math.min(looks.length, lists.length - 1)] ?? AWAY;
      looks.push(clock.now() / 1_000);
      return list;
    },
    scan: async (_project: string, id: string) => {
      detailed.push(id);
      return details[id] ? polled(aScan('QUEUED', { ...details[id], id })) : refused(500, 'internal');
    },
  };
  const { github, asked } = onGitHub(shown === 'no client' ? {} : shown);
  const step = serviceStep(api, { clock: ticking, signal: limit.signal });
  const search = { ...step, github: shown === 'no client' ? undefined : github, seal: SEAL };
  const result = await findLost(search, { ...pendingLaunch, ...launch }, named);
  return { result, looks, detailed, asked };
}

function testSearches(searches: readonly Search[]): void {
  // `test.each` would shorten the names of the tests.
  for (const search of searches)
    test(search.name, async () => {
      const { result, looks, asked } = await play(search);
      expect(result).toEqual(search.result ?? FOUND);
      if (search.looks !== undefined) expect(looks).toEqual(search.looks);
      if (search.asked !== undefined) expect(asked).toEqual(search.asked);
    });
}

const OLD = { id: 'old', ...whole };
const NEW = ok(listOf('new', OLD));
const NONE = ok(listOf(OLD));
const mark = (scanId: string) => markText({ scanId });
const marks = (...scanIds: readonly string[]) => marksOn(SHA.head, ...scanIds.map(mark));
const forged = encodeMark(aMark({ scanId: 'new' }), createSeal('another token', '1296269'));

describe('findLost looks twice', () => {
  testSearches([
    { name: 'findLost finds the only new scan in two reads 5 s apart', lists: [NEW], looks: [0, 5] },
    {
      name: 'findLost looks for a scan that is listed later',
      lists: [NONE, AWAY, unreachable('unknown', 'reset'), refused(401, 'unauthorized'), NEW],
      looks: [0, 1, 2, 3, 4, 9],
    },
    {
      name: 'findLost begins again if the second list adds another new scan',
      lists: [NEW, ok(listOf('second', 'new', OLD)), NEW],
      details: { new: whole, second: whole },
      looks: [0, 5, 6, 11],
    },
    {
      name: 'findLost begins again if the second list shows a different new scan',
      lists: [ok(listOf('first', OLD)), NEW],
      details: { new: whole, first: whole },
      looks: [0, 5, 6, 11],
    },
    {
      name: 'findLost begins again if the second read of the list fails',
      lists: [NEW, AWAY, NEW],
      looks: [0, 5, 6, 11],
    },
    {
      name: 'findLost does not find a scan that the second list does not show',
      lists: [NEW, NONE],
      result: noMatch('none'),
    },
    ...(['timeout', 'signal'] as const).map((by) => ({
      name: `findLost does not find a scan if a ${by} comes before the second look`,
      lists: [NEW] as const,
      ends: { ms: 1_000, by },
      looks: [0],
      result: noMatch('cannot-tell', ['new']),
    })),
    {
      name: 'findLost does not find a scan that the launch answer named and that is older than the launch',
      lists: [NONE],
      named: 'old',
      result: noMatch('none'),
    },
    {
      name: 'findLost finds the scan that the launch answer named as soon as the list shows it',
      lists: [NONE, ok(listOf({ id: 'new', headSha: SHA.other }, OLD))],
      named: 'new',
      looks: [0, 1],
      asked: [],
    },
  ]);
});

describe('findLost reads the marks', () => {
  const details = { new: whole, x: whole };
  const byRest = {
    'pull request 5': refusal(502),
    'pull request 5 by REST': { status: 200, body: pullRequestByRest() },
  };
  testSearches([
    {
      name: 'findLost reads no marks and no comments if no scan is new',
      lists: [NONE],
      result: noMatch('none'),
      asked: [],
    },
    {
      name: 'findLost does not find a scan that a mark in a check run names',
      lists: [NEW],
      shown: { 'checks of head': marks('new') },
      result: noMatch('claimed', ['new']),
    },
    {
      name: 'findLost does not find a scan that gets a mark between the two looks',
      lists: [NEW],
      shown: { 'checks of head': [marks(), marks('new'), marks()] },
      result: noMatch('claimed', ['new']),
    },
    {
      name: 'findLost does not find a scan that a mark in a comment of any author and check names',
      lists: [NEW],
      launch: { pullRequest: 5 },
      shown: { 'pull request 5': comments({ mark: mark('new'), checkName: 'Another check', by: 'mona' }) },
      result: noMatch('claimed', ['new']),
    },
    {
      name: 'findLost reads the comments by REST if GraphQL fails',
      lists: [NEW],
      launch: { pullRequest: 5 },
      shown: {
        ...byRest,
        'comments of 5': {
          status: 200,
          body: [{ id: 1, body: commentBody({ mark: mark('new') }), user: null }],
        },
      },
      result: noMatch('claimed', ['new']),
    },
    {
      name: 'findLost ignores marks that were made with another token',
      lists: [NEW],
      launch: { pullRequest: 5 },
      shown: { 'checks of head': marksOn(SHA.head, forged), 'pull request 5': comments({ mark: forged }) },
    },
    {
      name: 'findLost finds the new scan beside a scan that a mark names',
      lists: [ok(listOf('x', 'new', OLD))],
      details,
      shown: { 'checks of head': marks('x') },
    },
    ...Object.entries<Shown>({
      'check runs': { 'checks of head': refusal(403) },
      'pull request': { 'pull request 5': refusal(403), 'pull request 5 by REST': refusal(403) },
      comments: { ...byRest, 'comments of 5': refusal(403) },
    }).map(([what, shown]) => ({
      name: `findLost does not find a scan if the ${what} cannot be read`,
      lists: [NEW] as const,
      launch: { pullRequest: 5 },
      shown,
      result: noMatch('marks-unreadable', ['new']),
    })),
    {
      name: 'findLost does not find a scan if GitHub cannot be asked',
      lists: [NEW],
      shown: 'no client',
      result: noMatch('marks-unreadable', ['new']),
    },
  ]);
});

describe('findLost ends without a scan', () => {
  testSearches([
    {
      name: 'findLost searches for a minute',
      lists: [NONE],
      looks: [0, 1, 3, 7, 15, 25, 35, 45, 55],
      result: noMatch('none'),
    },
    {
      name: 'findLost names several scans',
      lists: [ok(listOf('new', 'x'))],
      details: { new: whole, x: whole },
      result: noMatch('several', ['new', 'x']),
    },
    {
      name: 'findLost does not find a scan on a page whose next page may show another new scan',
      lists: [ok(pageOf('new'))],
      result: noMatch('cannot-tell', ['new']),
    },
    { name: 'findLost says that the list is unreadable', lists: [AWAY], result: noMatch('unreadable') },
    {
      name: 'findLost names the scans that were listed before the list became unreadable',
      lists: [ok(listOf('x')), AWAY],
      result: noMatch('unreadable', ['x']),
    },
    {
      name: 'findLost keeps what the list showed if the end of the search stops a read',
      lists: [ok(listOf('x')), err(stopped('timeout').error)],
      ends: { ms: 1_500, by: 'timeout' },
      result: noMatch('cannot-tell', ['x']),
    },
    ...Object.entries<Partial<PendingLaunch>>({
      'of a full scan': { subject: { ...whole, guidance: undefined, baseSha: undefined } },
      'that was not saved in full': { subject: undefined },
      'before which no list was read': { before: undefined },
    }).map(([what, launch]) => ({
      name: `findLost does not look for the scan of a launch ${what}`,
      lists: [NEW] as const,
      launch,
      looks: [],
      result: noMatch('not-sought'),
    })),
  ]);

  test('findLost reads the details of at most twenty scans at a time', async () => {
    const ids = Array.from({ length: 30 }, (_, index) => `s${index}`);
    const search = { name: '', lists: [ok(listOf(...ids))], ends: { ms: 500, by: 'timeout' } } as const;
    expect((await play(search)).detailed).toEqual(ids.slice(0, 20));
  });
});

const lost = unreachable('unknown', 'reset');

test.each<[what: string, cancel: Result<void, ApiError>, status: string, result: object]>([
  ['a cancelled scan', ok(undefined), 'RUNNING', { kind: 'cancelled' }],
  ['a scan that shows CANCELLED', refused(400, 'bad_request'), 'CANCELLED', { kind: 'cancelled' }],
  ['a scan that shows CANCELLED after a lost answer', lost, 'CANCELLED', { kind: 'cancelled' }],
  [
    'a scan that had completed',
    refused(400, 'bad_request'),
    'COMPLETED',
    { kind: 'already-terminal', status: 'COMPLETED' },
  ],
  ['a scan that may run', lost, 'RUNNING', { kind: 'failed' }],
])('cancelFound reports %s', async (_what, cancel, status, result) => {
  const step = serviceStep({ cancel: async () => cancel, readScan: async () => ok(aScan(status)) });
  expect(await cancelFound(step, pendingLaunch, FOUND)).toMatchObject({ ...FOUND, cancellation: result });
});

test('cancelFound cancels nothing if no scan was found', async () => {
  expect(await cancelFound(serviceStep({}), pendingLaunch, noMatch('several', ['a']))).toEqual(
    noMatch('several', ['a']),
  );
});
