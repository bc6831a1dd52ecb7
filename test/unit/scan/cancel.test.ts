import { expect, test } from 'vitest';
import { ok, type Result } from '../../../src/domain/result.ts';
import type { ListedScan, Scan, ScanList, TerminalStatus } from '../../../src/domain/scan.ts';
import {
  abandonScan,
  type Cancellation,
  cancelScan,
  cancelSupersededScans,
  findMarksOfRunning,
} from '../../../src/scan/cancel.ts';
import type { FoundMark } from '../../../src/scan/marks.ts';
import type { ApiError } from '../../../src/scan-api/api-error.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { SHA } from '../github/client.ts';
import { pullRequestAnswer } from '../github/pull-request-answers.ts';
import { answers, aScan, refused, unreachable } from './fake-api.ts';
import { found, markText, SEAL } from './marked.ts';
import { marksOn, onGitHub, refusal, type Shown } from './on-github.ts';

const CANCEL = { operation: 'cancel the scan' } as const;
const TERMINAL = refused(400, 'bad_request', CANCEL);
const GONE = refused(404, 'not_found', CANCEL);
const LOST = unreachable('unknown', 'reset');

const DONE: Cancellation = { kind: 'cancelled' };
const ended = (status?: TerminalStatus): Cancellation => ({ kind: 'already-terminal', status });
const failed = (cause = '', unknown = false) => ({
  kind: 'failed',
  cause: expect.stringContaining(cause),
  unknown,
});

type Cancel = Result<void, ApiError>;
type Read = Result<Scan, ApiError>;
const RUNNING: Read = ok(aScan('RUNNING'));

test.each<[what: string, cancel: Cancel, read: Read | undefined, end: object]>([
  ['reports a confirmed cancellation without reading the scan', ok(undefined), undefined, DONE],
  [
    'reports that a scan had already ended as COMPLETED',
    TERMINAL,
    ok(aScan('COMPLETED')),
    ended('COMPLETED'),
  ],
  [
    'reports that a scan had already ended as CANCELLED',
    TERMINAL,
    ok(aScan('CANCELLED')),
    ended('CANCELLED'),
  ],
  [
    'reports that a scan had ended if the service neither cancels nor shows the scan',
    TERMINAL,
    LOST,
    ended(),
  ],
  ['reports a failure if the service refuses to cancel a RUNNING scan', TERMINAL, RUNNING, failed()],
  [
    'reports a cancellation if the answer is lost, but the scan is CANCELLED',
    LOST,
    ok(aScan('CANCELLED')),
    DONE,
  ],
  [
    'reports that a scan had ended if the answer is lost, but the scan is COMPLETED',
    LOST,
    ok(aScan('COMPLETED')),
    ended('COMPLETED'),
  ],
  [
    'reports a failure if the answer is lost, and the scan has not ended',
    LOST,
    ok(aScan('CANCELLING')),
    failed(),
  ],
  ['reports a failure if the answer is lost, and the scan cannot be read', LOST, LOST, failed()],
  [
    'names the scope that the token needs to cancel a scan',
    refused(403, 'forbidden', CANCEL),
    LOST,
    failed('`scans:launch`'),
  ],
  ['reports a scan as unknown if the cancellation and the read get 404', GONE, GONE, failed('', true)],
  ['reports a failure if only the cancellation gets 404', GONE, RUNNING, failed()],
  ['reports a failure if the cancellation gets 404, and the scan cannot be read', GONE, LOST, failed()],
  ['reports a failure if only the read gets 404', LOST, GONE, failed()],
])('cancelScan %s', async (_what, cancel, read, end) => {
  const reads = read === undefined ? [] : [read];
  const api = { cancel: answers(cancel), readScan: answers(...reads) };
  expect(await cancelScan(api, 'p', 's', NEVER_ABORTED)).toEqual(end);
  const call = ['p', 's', { signal: NEVER_ABORTED }];
  expect(api.cancel.calls).toEqual([call]);
  expect(api.readScan.calls).toEqual(reads.map(() => call));
});

const CANCELLED =
  'Cancelled scan `s`. The service releases its reserved credits, but charges completed work.';
const STILL_RUNNING = expect.stringMatching(
  /^Could not cancel scan `s`\. It may still be running and using credits: cancel it in the service\. ./,
);

test.each<[what: string, cancel: Cancel, read: Read, known: object, warning: unknown]>([
  ['that it cancels', ok(undefined), LOST, { scanStatus: 'CANCELLED' }, CANCELLED],
  [
    'that had ended',
    TERMINAL,
    ok(aScan('FAILED')),
    { scanStatus: 'FAILED' },
    'Scan `s` had already ended as FAILED.',
  ],
  [
    'that had ended with an unknown status',
    TERMINAL,
    LOST,
    { scanStatus: undefined },
    'Scan `s` had already ended.',
  ],
  ['that may still be running', LOST, RUNNING, { mayStillBeRunning: true }, STILL_RUNNING],
])('abandonScan warns of a scan %s', async (_what, cancel, read, known, warning) => {
  const warnings: string[] = [];
  const deps = {
    api: { cancel: answers(cancel), readScan: answers(read) },
    warn: (...sentences: readonly string[]) => void warnings.push(...sentences),
  };
  expect(await abandonScan(deps, 'p', 's', NEVER_ABORTED)).toEqual(known);
  expect(warnings).toEqual([warning]);
});

/** The mark of the run for the previous head. */
const OLDER = found({ headSha: SHA.other });
const OWN = { repositoryId: 'r', pullRequest: 5, headSha: SHA.head, runId: 50 };

/** Marks and scans of older heads. They lead to the given requests, log lines and warnings. */
interface Situation {
  readonly what: string;
  /** The marks that the run has found. Default: one mark of the previous head. */
  readonly marks?: readonly FoundMark[];
  /** The scan list. Default: it could not be read. */
  readonly list?: readonly Partial<ListedScan>[];
  /** The answers to reads of each scan; the last one repeats. The service does not know a scan without an entry. */
  readonly reads?: Readonly<Record<string, readonly Result<Scan, ApiError>[]>>;
  readonly cancels?: Result<void, ApiError>;
  /** What GitHub shows. Default: the pull request has the head of the run. */
  readonly shown?: Shown;
  /** The scans that the run reads. Default: the scan of the previous head. */
  readonly read?: readonly string[];
  /** The scans that the run asks the service to cancel. Default: none. */
  readonly cancelled?: readonly string[];
  /** The scans that the log calls cancelled. Default: all of `cancelled`. */
  readonly logged?: readonly string[];
  /** The scans that the run warns of. Default: none. */
  readonly warned?: readonly string[];
}

/** A scan list. Each scan is running, unless the given members show something else. */
function listOf(scans: readonly Partial<ListedScan>[] | undefined): ScanList | undefined {
  const { progress: _, ...running } = aScan('RUNNING');
  return scans && { scans: scans.map((listed) => ({ ...running, ...listed })), complete: true };
}

async function cancel({ marks = [OLDER], list, reads = {}, cancels = ok(undefined), shown }: Situation) {
  const read: string[] = [];
  const cancelled: string[] = [];
  const log: string[] = [];
  const warnings: string[] = [];
  const heads: string[] = [];
  const deps = {
    api: {
      readScan: async (_project: string, id: string, options: unknown) => {
        expect(options).toEqual({ signal: NEVER_ABORTED });
        read.push(id);
        const earlier = read.filter((other) => other === id).length - 1;
        return reads[id]?.[earlier] ?? reads[id]?.at(-1) ?? refused(404, 'not_found');
      },
      cancel: async (_project: string, id: string) => {
        cancelled.push(id);
        return cancels;
      },
    },
    github: onGitHub(shown).github,
    seal: SEAL,
    signal: NEVER_ABORTED,
    log: { info: (text: string) => void log.push(text) },
    warn: (...sentences: readonly string[]) => void warnings.push(...sentences),
    onPullRequestRead: ({ headSha }: { readonly headSha: string }) => void heads.push(headSha),
  };
  await cancelSupersededScans(deps, listOf(list), marks, { ...OWN, projectId: 'p' });
  return { read, cancelled, log, warnings, heads };
}

const scan = (id: string, status = 'RUNNING', record: Partial<Scan> = {}) => ({
  [id]: [ok(aScan(status, { id, ...record }))],
});
const ofOther = (...ids: readonly string[]) => ids.map((scanId) => found({ headSha: SHA.other, scanId }));
const withHead = (headRefOid: string): Shown => ({
  'pull request 5': { status: 200, body: pullRequestAnswer({ headRefOid }) },
});

const SITUATIONS: readonly Situation[] = [
  {
    what: 'cancels a scan of an older head even if the status is unknown',
    reads: scan('s', 'WINDING_DOWN'),
    cancelled: ['s'],
  },
  { what: 'cancels no scan that has ended', reads: scan('s', 'COMPLETED') },
  {
    what: 'cancels a scan once, even if several marks name it',
    marks: [OLDER, OLDER],
    reads: scan('s'),
    cancelled: ['s'],
  },
  {
    what: 'cancels at most three scans of older heads',
    marks: ofOther('a', 'b', 'c', 'd'),
    reads: { ...scan('a'), ...scan('b'), ...scan('c'), ...scan('d') },
    read: ['a', 'b', 'c'],
    cancelled: ['a', 'b', 'c'],
  },
  {
    what: 'does not read scans that the list shows as ended',
    marks: ofOther('a', 'b', 'c', 'd'),
    list: [
      { id: 'a', status: 'COMPLETED' },
      { id: 'b', status: 'FAILED' },
      { id: 'c', status: 'RUNNING' },
    ],
    reads: { ...scan('c'), ...scan('d') },
    read: ['c', 'd'],
    cancelled: ['c', 'd'],
  },
  ...Object.entries({
    'of this head': found(),
    'of a merge group': found({ headSha: SHA.other, pullRequest: undefined }),
    'that this run launched': found({ headSha: SHA.other, runId: 50 }),
    'that a later run launched': found({ headSha: SHA.other, runId: 51 }),
  }).map(([what, mark]) => ({
    what: `neither reads nor cancels a scan ${what}`,
    marks: [mark],
    reads: scan('s'),
    read: [],
  })),
  {
    what: 'cancels no scan if the service shows another repository',
    reads: scan('s', 'RUNNING', { repositoryId: 'q' }),
  },
  {
    what: 'cancels no scan if the service shows another head than the mark',
    reads: scan('s', 'RUNNING', { headSha: SHA.base }),
  },
  {
    what: 'does not cancel a scan of a head that a force push has restored',
    reads: scan('s'),
    shown: withHead(SHA.other),
  },
  {
    what: 'warns of a scan, and does not cancel it, if the pull request cannot be read',
    reads: scan('s'),
    shown: { 'pull request 5': refusal(403), 'pull request 5 by REST': refusal(403) },
    warned: ['s'],
  },
  { what: 'ignores a scan that the service does not know' },
  {
    what: 'warns of a scan that this token may not read',
    reads: { s: [refused(403, 'forbidden')] },
    warned: ['s'],
  },
  {
    what: 'warns of a scan that cannot be read, and cancels the next scan',
    marks: ofOther('s', 't'),
    reads: { s: [LOST], ...scan('t') },
    read: ['s', 't'],
    cancelled: ['t'],
    warned: ['s'],
  },
  {
    what: 'warns of a scan that cannot be cancelled',
    reads: scan('s'),
    cancels: LOST,
    read: ['s', 's'],
    cancelled: ['s'],
    logged: [],
    warned: ['s'],
  },
  {
    what: 'does not mention a scan that ends before the cancellation',
    reads: { s: [ok(aScan('RUNNING')), ok(aScan('COMPLETED'))] },
    cancels: refused(400, 'bad_request'),
    read: ['s', 's'],
    cancelled: ['s'],
    logged: [],
  },
];

// `test.each` would shorten the names of the tests.
for (const situation of SITUATIONS)
  test(`cancelSupersededScans ${situation.what}`, async () => {
    const { read = ['s'], cancelled = [], logged = cancelled, warned = [] } = situation;
    const { heads: _, ...done } = await cancel(situation);
    expect(done).toEqual({
      read,
      cancelled,
      log: logged.map(
        (id) =>
          `Cancelled scan \`${id}\` of the older head commit \`${SHA.other}\`. The service releases its reserved credits, but charges completed work.`,
      ),
      warnings: warned.map((id) =>
        expect.stringContaining(
          `Scan \`${id}\` for an earlier commit may still be running and using credits. Check it in the service. `,
        ),
      ),
    });
  });

test('cancelSupersededScans passes a pull request with a new head to `onPullRequestRead`', async () => {
  const situation = { what: '', reads: scan('s'), shown: withHead('d'.repeat(40)) };
  expect(await cancel(situation)).toMatchObject({ heads: ['d'.repeat(40)], cancelled: [] });
});

const [FIRST = '', SECOND = '', THIRD = '', FOURTH = ''] = ['1', '2', '3', '4'].map((digit) =>
  digit.repeat(40),
);

/** Calls `findMarksOfRunning` with this list of scans. Returns the scans that the found marks name. */
async function findMarks(scans: readonly Partial<ListedScan>[] | undefined, shown: Shown = {}) {
  const { github, asked } = onGitHub(shown);
  const deps = { github, seal: SEAL, signal: NEVER_ABORTED };
  const marks = await findMarksOfRunning(deps, listOf(scans), [OLDER], { ...OWN, baseSha: SHA.base });
  return { scans: marks.map(({ scanId }) => scanId), asked };
}

const on = (headSha: string, scanId: string, pullRequest = 5) => markText({ headSha, scanId, pullRequest });

test('findMarksOfRunning reads the marks on three commits, starting with scans that have the same base', async () => {
  const scans = [
    { headSha: FIRST },
    { headSha: FIRST, repositoryId: 'r' },
    { headSha: SECOND, baseSha: SHA.base.slice(0, 12) },
    { headSha: THIRD, baseSha: SHA.base },
    { headSha: FOURTH },
  ];
  const shown = {
    'checks of 2222': marksOn(SECOND, on(SECOND, 'second'), on(SECOND, 'of another pull request', 6)),
    'checks of 3333': marksOn(THIRD, on(THIRD, 'third')),
  };
  expect(await findMarks(scans, shown)).toEqual({
    scans: ['third', 'second'],
    asked: ['checks of 3333', 'checks of 1111', 'checks of 2222'],
  });
});

test('findMarksOfRunning stops at the first commit whose marks cannot be read', async () => {
  const shown = { 'checks of 1111': marksOn(FIRST, on(FIRST, 'first')), 'checks of 2222': refusal(403) };
  expect(await findMarks([{ headSha: FIRST }, { headSha: SECOND }, { headSha: THIRD }], shown)).toEqual({
    scans: ['first'],
    asked: ['checks of 1111', 'checks of 2222'],
  });
});

test.each<[what: string, scan: Partial<ListedScan>]>([
  ['has ended', { headSha: FIRST, status: 'COMPLETED' }],
  ['shows no status', { headSha: FIRST, status: undefined }],
  ['is of another repository', { headSha: FIRST, repositoryId: 'q' }],
  ['shows no commit', { headSha: undefined }],
  ['shows an abbreviated commit', { headSha: FIRST.slice(0, 12) }],
  ['is of this head', { headSha: SHA.head }],
  ['is of a commit whose marks are already read', { headSha: SHA.other }],
])('findMarksOfRunning reads no marks for a scan that %s', async (_what, scan) => {
  expect(await findMarks([scan])).toEqual({ scans: [], asked: [] });
});

test('findMarksOfRunning reads no marks if the list of scans cannot be read', async () => {
  expect(await findMarks(undefined)).toEqual({ scans: [], asked: [] });
});
