import { expect, test } from 'vitest';
import { ok, type Result, Stop } from '../../../src/domain/result.ts';
import { newerLaunch, tryCandidate } from '../../../src/scan/earlier-scan.ts';
import type { ApiError } from '../../../src/scan-api/api-error.ts';
import type { PolledScan } from '../../../src/scan-api/client.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { POLICY, sampleFinding } from '../report/sample-report.ts';
import { aScan, BASE, HEAD, polled, refused, stopped, unreachable } from './fake-api.ts';

type Poll = Result<PolledScan, ApiError>;

const NAMED = { scanId: 's', launchedAt: 1_000 };
/** The mark of a scan of other commits with the same files. */
const MARKED = { ...NAMED, baseSha: 'd'.repeat(40), headSha: 'e'.repeat(40) };
const THIRD = 'c'.repeat(40);

const showing = (status: string, shown: Parameters<typeof aScan>[1] = { baseSha: BASE, headSha: HEAD }) =>
  polled(aScan(status, shown));
const ofThird = (status: string) => showing(status, { baseSha: BASE, headSha: THIRD });
const ofMark = (status: string) => showing(status, { baseSha: MARKED.baseSha, headSha: MARKED.headSha });
const GONE = refused(404, 'not_found');

interface Given {
  /** The answers to reads of the scan `s`, in order; the last one repeats. */
  readonly polls: readonly Poll[];
  /** True if the scan is of this change. By default, it is of other commits with the same files. */
  readonly exact?: boolean;
  /** The answer of `compareFiles`. True if the commits that the scan shows have the same files as the expected ones. */
  readonly filesMatch?: boolean;
  /** The head of this change. */
  readonly headSha?: string;
  readonly findings?: Result<never, ApiError>;
  readonly signal?: AbortSignal;
}

async function tryScan({ polls, exact, filesMatch, headSha = HEAD, findings, signal }: Given) {
  const log: string[] = [];
  const warnings: string[] = [];
  let reads = 0;
  const read = (_project: string, id: string): Poll => {
    expect(id).toBe('s');
    reads += 1;
    return polls[reads - 1] ?? polls.at(-1) ?? GONE;
  };
  const earlier = await tryCandidate(
    {
      // There is no `launch` and no `cancel`, because a run that uses an earlier scan needs neither.
      api: {
        scan: async (project, id) => read(project, id),
        readScan: async (project, id) => {
          const answer = read(project, id);
          return answer.ok ? ok(answer.value.scan) : answer;
        },
        findings: async () => findings ?? ok([sampleFinding()]),
        finding: async () => ok(sampleFinding()),
      },
      policy: POLICY,
      disclosure: 'everything',
      clock: new FakeClock(),
      random: () => 0,
      signal: signal ?? NEVER_ABORTED,
      warn: (...sentences) => void warnings.push(...sentences),
      log: { info: (text) => void log.push(text) },
    },
    exact ? { kind: 'exact', scan: NAMED } : { kind: 'same-files', scan: MARKED },
    {
      projectId: 'p',
      expected: { baseSha: BASE, headSha },
      ...(filesMatch !== undefined && { compareFiles: async () => ok(filesMatch) }),
    },
  );
  return { earlier, reads, log, warnings };
}

const COMPLETED = { kind: 'completed', findings: [{ id: sampleFinding().id }] };

test('tryCandidate uses a COMPLETED scan of this change even if the scan shows no commit', async () => {
  expect(await tryScan({ exact: true, polls: [showing('COMPLETED', { baseSha: BASE })] })).toMatchObject({
    earlier: {
      kind: 'used',
      scan: {
        reused: true,
        scanId: 's',
        launchedAt: 1_000,
        scanStatus: 'COMPLETED',
        creditsReserved: 0,
        commitConfirmed: false,
        outcome: COMPLETED,
      },
    },
    log: ['Found scan `s` of another run.', 'Reusing scan `s`. No credits used.'],
    warnings: [],
  });
});

const STOPPED = AbortSignal.abort(new Stop('timeout'));
const UNREADABLE = refused(500, 'internal', { operation: 'list the findings' });
const RUNNING = [expect.stringMatching(/^Scan `s` is still running\. .* so this run did not cancel it\. /)];

test.each<
  [why: string, given: Given, status: string | undefined, failure: object, warnings: readonly unknown[]]
>([
  [
    'the findings cannot be read',
    { polls: [showing('COMPLETED')], findings: UNREADABLE },
    'COMPLETED',
    { reason: 'service-error' },
    [],
  ],
  ['the time of the run is over', { polls: [], signal: STOPPED }, undefined, { reason: 'timeout' }, RUNNING],
  [
    'the job is cancelled while the run follows the scan',
    { polls: [showing('RUNNING'), stopped('signal')] },
    'RUNNING',
    { reason: 'scan-cancelled', bySignal: true },
    RUNNING,
  ],
  ['the token may not read the scan', { polls: [refused(403, 'forbidden')] }, undefined, {}, RUNNING],
  ['the service cannot be reached', { polls: [unreachable('no', 'certificate')] }, undefined, {}, RUNNING],
])(
  'tryCandidate reports a failure, because a second scan would cost credits, if %s',
  async (_why, given, scanStatus, failure, warnings) => {
    const tried = await tryScan({ ...given, exact: true });
    const outcome = { kind: 'not-scanned', failure };
    const scan = { scanId: 's', scanStatus, creditsReserved: 0, outcome };
    expect(tried).toMatchObject({ earlier: { kind: 'used', scan }, warnings });
  },
);

test.each([
  ['a COMPLETED scan of another commit', ofThird('COMPLETED'), 'configuration', 'COMPLETED'],
  ['a FAILED scan of another commit', ofThird('FAILED'), 'configuration', 'FAILED'],
  ['a FAILED scan', showing('FAILED'), 'scan-failed', 'FAILED'],
  ['a CANCELLED scan', showing('CANCELLED'), 'scan-cancelled', 'CANCELLED'],
  ['a RUNNING scan of another commit', ofThird('RUNNING'), undefined, undefined],
  ['a scan that does not exist', GONE, undefined, undefined],
])('tryCandidate does not use %s', async (_what, poll, reason, scanStatus) => {
  const { earlier, log } = await tryScan({ exact: true, polls: [poll] });
  const failure = expect.objectContaining({ reason, repeated: true });
  const outcome = { kind: 'not-scanned', failure };
  const ended = { ...NAMED, reused: true, scanStatus, creditsReserved: 0, outcome };
  expect(earlier).toEqual({ kind: 'none', ended: reason && ended });
  expect(log[1]).toMatch(/^Scan `s` cannot be reused\. ./);
});

test.each([
  [3, 'does not use a scan that is not found three times', [GONE, GONE, GONE], 'none'],
  [3, 'uses a scan that is found at the third read', [GONE, GONE, showing('COMPLETED')], 'used'],
])('after %i reads, tryCandidate %s', async (reads, _what, polls, kind) => {
  expect(await tryScan({ exact: true, polls })).toMatchObject({ earlier: { kind }, reads });
});

test('newerLaunch returns the result of the later launch, and the first of two at the same time', () => {
  const outcome = { kind: 'unchanged' } as const;
  const [early, late, same] = [1, 2, 1].map((launchedAt) => ({ outcome, launchedAt }));
  expect(newerLaunch(undefined, early)).toBe(early);
  expect(newerLaunch(early, undefined)).toBe(early);
  expect(newerLaunch(early, late)).toBe(late);
  expect(newerLaunch(late, early)).toBe(late);
  expect(newerLaunch(early, same)).toBe(early);
});

const OTHER_COMMIT = /^Scan `s` is of commit `\w+`, which has the same files\.$/;
const THIS_COMMIT =
  'Scan `s` is of this commit, for another pull request or from a base with the same files.';
const SHORT = MARKED.headSha.slice(0, 12);

test.each<[what: string, given: Given, used: object, line: string | RegExp]>([
  [
    'shows another commit with the same files',
    { polls: [ofThird('COMPLETED')], filesMatch: true },
    { commitConfirmed: true, sameFilesAs: THIRD },
    OTHER_COMMIT,
  ],
  [
    'shows only an abbreviated commit',
    { polls: [showing('COMPLETED', { headSha: SHORT })] },
    { commitConfirmed: false, sameFilesAs: MARKED.headSha },
    OTHER_COMMIT,
  ],
  [
    'shows the head of this change',
    { polls: [ofMark('COMPLETED')], headSha: MARKED.headSha },
    { commitConfirmed: true, sameFilesAs: undefined },
    THIS_COMMIT,
  ],
])(
  'tryCandidate uses a COMPLETED scan of the same files after one read if the scan %s',
  async (_what, given, used, line) => {
    const { earlier, log, reads } = await tryScan(given);
    // After a second read, a wrong answer could make the run pay for another scan.
    expect(reads).toBe(1);
    expect(earlier).toMatchObject({
      kind: 'used',
      scan: { scanId: 's', launchedAt: 1_000, outcome: COMPLETED, ...used },
    });
    expect(log).toEqual([expect.stringMatching(line), 'Reusing scan `s`. No credits used.']);
  },
);

test.each<[what: string, polls: readonly Poll[]]>([
  ['failed', [ofMark('FAILED')]],
  ['was cancelled', [ofMark('CANCELLED')]],
  ['shows a commit with other files', [ofThird('COMPLETED')]],
  ['no longer exists', [GONE]],
  ['cannot be read', [unreachable('unknown', 'reset')]],
])(
  'tryCandidate neither uses nor waits for a scan of the same files if the scan %s',
  async (_what, polls) => {
    const { earlier, log, reads } = await tryScan({ polls, filesMatch: false });
    expect(earlier).toEqual({ kind: 'none', ended: undefined });
    expect(log).toEqual([expect.stringMatching(/^Scan `s` of the same files is not used\. ./)]);
    expect(reads).toBe(1);
  },
);
