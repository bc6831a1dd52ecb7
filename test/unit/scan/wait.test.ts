import { describe, expect, test } from 'vitest';
import { err, ok, Stop } from '../../../src/domain/result.ts';
import type { Scan } from '../../../src/domain/scan.ts';
import { awaitScan, type FollowRequest, followScan } from '../../../src/scan/wait.ts';
import type { PolledScan } from '../../../src/scan-api/client.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { answers, aScan, BASE, HEAD, invalid, polled, refused, stopped, unreachable } from './fake-api.ts';

type Answer = Parameters<typeof answers<PolledScan>>[number];

interface Following {
  readonly name: string;
  /** The answers to the polls. The test fails if the run polls more or less often. */
  readonly polls: readonly Answer[];
  readonly request?: Partial<FollowRequest>;
  /** How the run is stopped, 5 s after the first poll. */
  readonly stops?: 'timeout' | 'signal';
  readonly followed: object;
  /** The waits between the polls, in milliseconds. */
  readonly sleeps?: readonly number[];
}

function testFollowing(cases: readonly Following[]): void {
  // `test.each` would shorten the names of the tests.
  for (const following of cases) {
    test(following.name, async () => {
      const { followed, sleeps, polls } = await follow(following);
      expect(followed).toMatchObject(following.followed);
      expect(polls).toBe(following.polls.length);
      if (following.sleeps !== undefined) expect(sleeps).toEqual(following.sleeps);
    });
  }
}

const UNKNOWN_MS = 60_000;

/** Waits for the first answer, and follows the scan from there. */
async function follow({ polls, request, stops }: Pick<Following, 'polls' | 'request' | 'stops'>) {
  const clock = new FakeClock({ auto: stops === undefined });
  const run = new AbortController();
  const scan = answers<PolledScan>(...polls);
  const deps = { api: { scan }, clock, signal: run.signal, random: () => 0 };
  const wanted = { projectId: 'p', scanId: 's', expected: EXPECTED, ...request };
  const following = awaitScan(deps, wanted, UNKNOWN_MS).then((shown) =>
    shown.ok ? followScan(deps, wanted, shown.value) : shown.error,
  );
  if (stops !== undefined) {
    await clock.advance(5_000);
    run.abort(new Stop(stops));
  }
  const followed = await following;
  for (const call of scan.calls) expect(call).toEqual(['p', 's', { signal: run.signal }]);
  return { followed, sleeps: clock.sleeps, polls: scan.calls.length };
}

const EXPECTED = { baseSha: BASE, headSha: HEAD };
const OTHER = 'c'.repeat(40);
const RUNNING = polled(aScan('RUNNING'));
const DONE = polled(aScan('COMPLETED', EXPECTED));
const completed = { kind: 'completed' };
const times = (count: number, answer: Answer) => Array<Answer>(count).fill(answer);

const RESET = unreachable('unknown', 'reset');
const NOT_FOUND = refused(404, 'not_found');
const FORBIDDEN = refused(403, 'forbidden');
const CERTIFICATE = unreachable('no', 'certificate');
/** Answers that come from a proxy or a firewall and not from the service. */
const FORBIDDEN_PAGE = invalid(403, 'not-json');
const REDIRECT = invalid(302, 'redirect');
const limited = (retryAfterSeconds: number) =>
  refused(429, 'rate_limited', { retryAfterSeconds, operation: 'read the scan' });
const failed = (retryAfterSeconds: number) => refused(503, 'internal', { retryAfterSeconds });

test('followScan reports each status with the time since the first answer', async () => {
  const clock = new FakeClock();
  await clock.sleep(5_000);
  const progress: [string, number][] = [];
  const ends: number[] = [];
  const request: FollowRequest = {
    projectId: 'p',
    scanId: 's',
    expected: EXPECTED,
    onProgress: ({ status }, elapsed) => progress.push([status, elapsed]),
    onEnd: (elapsed) => ends.push(elapsed),
  };
  const scan = answers<PolledScan>(RESET, RUNNING, DONE);
  const { value: shown } = polled(aScan('QUEUED'), 3_000);
  await followScan({ api: { scan }, clock, signal: NEVER_ABORTED, random: () => 0 }, request, shown);
  expect(progress).toEqual([
    ['QUEUED', 0],
    ['RUNNING', 13_000],
    ['COMPLETED', 23_000],
  ]);
  expect(ends).toEqual([23_000]);
});

describe('followScan ends with the scan', () => {
  const full = { expected: { baseSha: undefined, headSha: HEAD } };
  testFollowing([
    {
      name: 'followScan confirms commits that the service shows in full',
      polls: [polled(aScan('CANCELLING')), DONE],
      followed: { ...completed, commitConfirmed: true, baseConfirmed: true },
    },
    {
      name: 'followScan does not confirm commits that the service abbreviates',
      polls: [polled(aScan('COMPLETED', { headSha: HEAD.slice(0, 12), baseSha: BASE.slice(0, 12) }))],
      followed: { ...completed, commitConfirmed: false, baseConfirmed: false },
    },
    {
      name: 'followScan needs no base for a full scan',
      polls: [polled(aScan('COMPLETED', { headSha: HEAD, baseSha: null }))],
      request: full,
      followed: { ...completed, commitConfirmed: true, baseConfirmed: undefined },
    },
    {
      name: 'followScan says where to find the cause if the scan has failed',
      polls: [polled(aScan('FAILED'))],
      request: { compareFiles: async () => ok(true) },
      followed: {
        kind: 'ended',
        scan: { status: 'FAILED' },
        failure: {
          reason: 'scan-failed',
          cause: 'The scanning service reported the status FAILED.',
          nextStep: expect.stringContaining('See the scan in the scanning service'),
        },
      },
    },
    {
      name: 'followScan says what to do if the scan was cancelled in the service',
      polls: [polled(aScan('CANCELLED'))],
      followed: {
        kind: 'ended',
        scan: { status: 'CANCELLED' },
        failure: {
          reason: 'scan-cancelled',
          cause: 'The scanning service reported the status CANCELLED.',
          nextStep: expect.stringContaining('Re-run this job'),
        },
      },
    },
  ]);
});

describe('followScan polls again after a failed poll', () => {
  const noAnswer = { kind: 'left-running', why: 'no-answer', failure: { reason: 'service-error' } };
  testFollowing([
    {
      name: 'followScan waits longer than a minute only for a rate limit',
      polls: [RUNNING, RESET, limited(1_800), failed(600), DONE],
      followed: completed,
      sleeps: [10_000, 10_000, 1_800_000, 60_000],
    },
    {
      name: 'after an answer, followScan counts failed polls from zero',
      polls: [...times(19, RESET), RUNNING, ...times(19, RESET), DONE],
      followed: completed,
    },
    {
      name: 'followScan stops after 20 consecutive failed polls',
      polls: [RUNNING, ...times(20, RESET)],
      followed: { ...noAnswer, scan: { status: 'RUNNING' } },
    },
    {
      name: 'followScan tolerates long waits that the service asks for',
      polls: [polled(aScan('RUNNING'), 600_000), failed(1), limited(1_800), failed(1), failed(1), DONE],
      followed: completed,
    },
    {
      name: 'followScan tolerates a single refusal',
      polls: [RUNNING, CERTIFICATE, RUNNING, FORBIDDEN, RUNNING, NOT_FOUND, DONE],
      followed: completed,
      sleeps: [10_000, 10_000, 10_000, 10_000, 10_000, 2_000],
    },
    {
      name: 'followScan stops after two minutes without a scan that the service showed before',
      polls: [RUNNING, ...times(15, NOT_FOUND)],
      followed: {
        ...noAnswer,
        why: 'not-found',
        failure: { ...noAnswer.failure, cause: expect.stringContaining('no longer finds') },
      },
    },
    {
      name: 'followScan stops after two minutes of refusals',
      polls: [RUNNING, ...times(13, FORBIDDEN)],
      followed: { ...noAnswer, failure: { reason: 'configuration' } },
    },
    {
      name: 'followScan counts an answer that the service did not send as a failed poll',
      polls: [FORBIDDEN_PAGE, RUNNING, REDIRECT, invalid(200, 'oversize'), DONE],
      followed: completed,
    },
  ]);
});

describe('followScan stops polling', () => {
  testFollowing([
    {
      name: 'followScan stops polling if the timeout occurs during a poll',
      polls: [stopped('timeout')],
      followed: { kind: 'left-running', why: 'stopped', failure: { reason: 'timeout' }, scan: undefined },
    },
    ...(
      [
        ['timeout', { reason: 'timeout' }],
        ['signal', { reason: 'scan-cancelled', bySignal: true }],
      ] as const
    ).map(([stops, failure]) => ({
      name: `followScan stops polling after a ${stops} between two polls`,
      polls: [RUNNING],
      stops,
      followed: {
        kind: 'left-running',
        why: 'stopped',
        failure: { ...failure, cause: expect.stringContaining('before the scan finished') },
        scan: { status: 'RUNNING' },
      },
    })),
  ]);
});

describe('at the timeout, followScan says why it knows no newer status', () => {
  const failure = (cause: string) => ({ reason: 'timeout', cause: expect.stringContaining(cause) });
  testFollowing([
    {
      name: 'at the timeout, followScan names the rate limit that it waits for',
      polls: [limited(1_800)],
      stops: 'timeout',
      followed: {
        failure: {
          ...failure(
            'before the scan finished. Could not read the scan: the API token reached its rate limit',
          ),
          nextStep: 'Re-run this job later.',
        },
      },
    },
    {
      name: 'followScan names the failure before the poll that the timeout ends, and advises a longer timeout',
      polls: [RUNNING, failed(1), stopped('timeout')],
      followed: {
        failure: { ...failure('`internal`'), nextStep: expect.stringContaining('raise the input') },
      },
    },
    {
      name: 'at the timeout, followScan says that the service no longer finds a scan that it showed',
      polls: [RUNNING, NOT_FOUND, stopped('timeout')],
      followed: { failure: failure('The service no longer finds the scan that it showed before') },
    },
    {
      name: 'followScan does not name a failure before the last answer',
      polls: [failed(1), RUNNING, stopped('timeout')],
      followed: {
        failure: {
          reason: 'timeout',
          cause: 'Scangate reached its time limit (the input `timeout-minutes`) before the scan finished.',
          nextStep: expect.stringContaining('raise the input `timeout-minutes`'),
        },
      },
    },
    {
      name: 'followScan does not name a failure if the job was cancelled',
      polls: [failed(1), stopped('signal')],
      followed: {
        failure: { reason: 'scan-cancelled', cause: 'The job was cancelled before the scan finished.' },
      },
    },
  ]);
});

describe('followScan checks that the scan is of the expected change', () => {
  const shows = (status: string, shown: Partial<Scan>) => [polled(aScan(status, shown))];
  const failure = (range: string) => ({
    reason: 'configuration',
    cause: `The service is scanning a different commit range (${range}).`,
    nextStep: expect.stringMatching(/`commit`.*`launch-parameters`/),
  });
  const ofOther = failure('expected `aaaaaaaaaaaa..bbbbbbbbbbbb`, got `(not shown)..cccccccccccc`');
  const unknown = { reason: 'service-error', cause: 'No.', nextStep: 'Wait.' } as const;
  testFollowing([
    {
      name: 'followScan stops polling a running scan of another head',
      polls: shows('QUEUED', { headSha: OTHER }),
      followed: { kind: 'left-running', why: 'wrong-scan', failure: ofOther },
    },
    {
      name: 'followScan stops polling a running scan with another base',
      polls: shows('QUEUED', { headSha: HEAD, baseSha: OTHER }),
      request: { compareFiles: async () => ok(true) },
      followed: {
        kind: 'left-running',
        why: 'wrong-scan',
        failure: failure('expected `aaaaaaaaaaaa..bbbbbbbbbbbb`, got `cccccccccccc..bbbbbbbbbbbb`'),
      },
    },
    {
      name: 'followScan stops polling a scan with a base if a full scan is expected',
      polls: shows('QUEUED', { headSha: HEAD, baseSha: OTHER }),
      request: { expected: { baseSha: undefined, headSha: HEAD } },
      followed: {
        kind: 'left-running',
        failure: failure('expected `(no base)..bbbbbbbbbbbb`, got `cccccccccccc..bbbbbbbbbbbb`'),
      },
    },
    {
      name: 'followScan rejects a completed scan of another head if there is no way to compare the files',
      polls: shows('COMPLETED', { headSha: OTHER }),
      followed: { kind: 'ended', failure: ofOther },
    },
    {
      name: 'followScan rejects a completed scan of another head with other files',
      polls: shows('COMPLETED', { headSha: OTHER }),
      request: { compareFiles: async () => ok(false) },
      followed: { kind: 'ended', failure: ofOther },
    },
    {
      name: 'followScan accepts a completed scan of another head with the same files',
      polls: shows('COMPLETED', { headSha: OTHER }),
      request: { compareFiles: async () => ok(true) },
      followed: { ...completed, commitConfirmed: true, baseConfirmed: false },
    },
    {
      name: 'followScan reports why a comparison of the files failed',
      polls: shows('COMPLETED', { headSha: OTHER }),
      request: { compareFiles: async () => err(unknown) },
      followed: { kind: 'ended', failure: unknown },
    },
    {
      name: 'followScan does not compare the files of a failed scan of another head',
      polls: shows('FAILED', { headSha: OTHER }),
      request: { compareFiles: async () => ok(true) },
      followed: { kind: 'ended', failure: ofOther },
    },
  ]);
});

describe('awaitScan', () => {
  const unknown = { kind: 'left-running', why: 'not-found', failure: { reason: 'configuration' } };
  testFollowing([
    {
      name: 'awaitScan waits a minute for a scan that the service does not show yet',
      polls: [...times(8, NOT_FOUND), DONE],
      followed: completed,
      sleeps: [2_000, 4_000, 8_000, 10_000, 10_000, 10_000, 10_000, 10_000],
    },
    {
      name: 'awaitScan stops if a scan is not shown within a minute',
      polls: times(9, NOT_FOUND),
      followed: unknown,
    },
    {
      name: 'awaitScan tolerates a refusal of the first poll',
      polls: [FORBIDDEN, CERTIFICATE, RESET, DONE],
      followed: completed,
    },
    {
      name: 'awaitScan stops after two minutes of refusals',
      polls: times(13, refused(401, 'unauthorized')),
      followed: {
        kind: 'left-running',
        why: 'no-answer',
        failure: { reason: 'configuration' },
        scan: undefined,
      },
    },
  ]);
});
