import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Stop } from '../../../src/domain/stop.ts';
import type { CommitRange } from '../../../src/domain/target.ts';
import { pollInterval } from '../../../src/scan/poll-interval.ts';
import { followScan } from '../../../src/scan/wait.ts';
import type { PolledScan } from '../../../src/scan-api/scan-api.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { answers, aScan, BASE, HEAD, invalid, polled, refused, stopped, unreachable } from './fake-api.ts';

type Answer = Parameters<typeof answers<PolledScan>>[number];

async function follow(
  polls: readonly Answer[],
  options: {
    signal?: AbortSignal;
    clock?: FakeClock;
    expected?: CommitRange;
  } = {},
) {
  const clock = options.clock ?? new FakeClock();
  const scan = answers<PolledScan>(...polls);
  const progress: [string, number][] = [];
  const followed = await followScan(
    { api: { scan }, clock, signal: options.signal ?? NEVER_ABORTED, random: () => 0 },
    {
      projectId: 'p',
      scanId: 's',
      expected: options.expected ?? { baseSha: BASE, headSha: HEAD },
      onProgress: ({ status }, elapsed) => progress.push([status, elapsed]),
    },
  );
  return { followed, progress, sleeps: clock.sleeps, polls: scan.calls.length };
}

const done = polled(aScan('COMPLETED', { headSha: HEAD, baseSha: BASE }));

describe('followScan', () => {
  test('polls at once, then as the service advises, and reports each successful poll with its time', async () => {
    const { followed, progress, sleeps } = await follow([
      polled(aScan('QUEUED'), 3_000),
      polled(aScan('RUNNING')),
      done,
    ]);
    expect(followed).toMatchObject({ kind: 'completed', commitConfirmed: true });
    expect(sleeps).toEqual([3_000, 10_000]);
    expect(progress).toEqual([
      ['QUEUED', 0],
      ['RUNNING', 3_000],
      ['COMPLETED', 13_000],
    ]);
  });

  test('reports the time since the first poll, whatever the wall clock shows', async () => {
    const clock = new FakeClock();
    await clock.sleep(5_000);
    const { progress } = await follow([polled(aScan('QUEUED'), 3_000), done], { clock });
    expect(progress.map(([, elapsed]) => elapsed)).toEqual([0, 3_000]);
  });

  test('works without an onProgress callback', async () => {
    const api = { scan: answers<PolledScan>(polled(aScan('RUNNING')), done) };
    const request = { projectId: 'p', scanId: 's', expected: { baseSha: BASE, headSha: HEAD } };
    expect(
      await followScan({ api, clock: new FakeClock(), signal: NEVER_ABORTED, random: () => 0 }, request),
    ).toMatchObject({
      kind: 'completed',
    });
  });

  test.each(['completed', 'DONE', 'COMPLETED_WITH_ERRORS', 'CANCELLING', '__proto__'])(
    'keeps polling at the status %s, because only three statuses end a scan',
    async (status) => {
      expect((await follow([polled(aScan(status)), done])).polls).toBe(2);
    },
  );

  test.each([
    ['FAILED', 'scan-failed', /status FAILED/, /See the scan in the scanning service/],
    ['CANCELLED', 'scan-cancelled', /status CANCELLED/, /Re-run this job/],
  ])('ends at %s with %s, and says what to do', async (status, reason, cause, nextStep) => {
    const { followed } = await follow([polled(aScan(status))]);
    const failure = {
      reason,
      cause: expect.stringMatching(cause),
      nextStep: expect.stringMatching(nextStep),
    };
    expect(followed).toMatchObject({ kind: 'ended', failure, scan: { status } });
    expect('failure' in followed && followed.failure.bySignal).toBeFalsy();
  });

  test.each([
    ['in full', HEAD, true],
    ['in capitals', HEAD.toUpperCase(), true],
    ['abbreviated', HEAD.slice(0, 12), false],
    ['not at all', undefined, false],
  ])(
    'confirms the commit only if the service shows it in full: %s',
    async (_how, headSha, commitConfirmed) => {
      const { followed } = await follow([polled(aScan('COMPLETED', { baseSha: BASE, headSha }))]);
      expect(followed).toMatchObject({ kind: 'completed', commitConfirmed });
    },
  );

  test('treats forty digits as an abbreviation in a repository with longer ids', async () => {
    const expected = { baseSha: `${BASE}${'1'.repeat(24)}`, headSha: `${HEAD}${'2'.repeat(24)}` };
    expect((await follow([done], { expected })).followed).toMatchObject({
      kind: 'completed',
      commitConfirmed: false,
    });
    const other = { ...expected, headSha: `${BASE}${'2'.repeat(24)}` };
    expect((await follow([done], { expected: other })).followed).toMatchObject({ kind: 'ended' });
  });

  test.each([
    ['in full', BASE, true],
    ['in capitals', BASE.toUpperCase(), true],
    ['abbreviated', BASE.slice(0, 12), false],
    ['as null', null, false],
    ['not at all', undefined, false],
  ])('confirms the base only if the service shows it in full: %s', async (_how, baseSha, baseConfirmed) => {
    const { followed } = await follow([polled(aScan('COMPLETED', { baseSha, headSha: HEAD }))]);
    expect(followed).toMatchObject({ kind: 'completed', commitConfirmed: true, baseConfirmed });
  });

  test.each([null, undefined])('does not look for the base of a full scan: %s', async (baseSha) => {
    const completed = polled(aScan('COMPLETED', { baseSha, headSha: HEAD }));
    const { followed } = await follow([completed], { expected: { baseSha: undefined, headSha: HEAD } });
    expect(followed).toMatchObject({ kind: 'completed', commitConfirmed: true, baseConfirmed: undefined });
  });
});

describe('pollInterval', () => {
  test.each([
    [undefined, 0, 10_000],
    [7_000, 0, 7_000],
    [7_000, 1, 7_700],
    [1_000, 1, 1_100],
    [75_000, 1, 82_500],
    [600_000, 0, 600_000],
  ])('turns the advice of %s ms and the random number %d into %d ms', (advised, draw, interval) => {
    expect(pollInterval(advised, () => draw)).toBeCloseTo(interval);
  });

  test('returns at least the advice, and at most a tenth more', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1_000, max: 600_000, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (advised, draw) => {
          const interval = pollInterval(advised, () => draw);
          expect(interval).toBeGreaterThanOrEqual(advised);
          expect(interval).toBeLessThanOrEqual(advised * 1.1);
        },
      ),
    );
  });
});

describe('followScan after a failed poll', () => {
  const limited = (retryAfterSeconds?: number) => refused(429, 'rate_limited', { retryAfterSeconds });
  const failed = (retryAfterSeconds?: number) => refused(503, 'internal', { retryAfterSeconds });
  test.each([
    ['a 429 with 1 s', [limited(1)], [1_000]],
    ['a 429 with 75 s', [limited(75)], [75_000]],
    ['a 429 with half an hour', [limited(1_800)], [1_800_000]],
    ['a 429 without advice', [limited()], [10_000]],
    ['a 503 with 2 s', [failed(2)], [2_000]],
    ['a 503 with 10 minutes', [failed(600)], [60_000]],
    ['no answer, five times', Array(5).fill(unreachable('unknown', 'reset')), Array(5).fill(10_000)],
  ])('waits before the next poll: %s', async (_what, failures, sleeps) => {
    const ended = await follow([polled(aScan('RUNNING'), 3_000), ...failures, done]);
    expect(ended.followed.kind).toBe('completed');
    expect(ended.sleeps).toEqual([3_000, ...sleeps]);
  });

  test('keeps following after a long wait that the service asked for', async () => {
    const waits = [polled(aScan('RUNNING'), 600_000), limited(1_800)];
    const { followed } = await follow(waits.flatMap((wait) => [wait, failed(), failed()]).concat(done));
    expect(followed.kind).toBe('completed');
  });
});

describe('followScan after a temporary failure', () => {
  test.each([
    ['a reset', unreachable('unknown', 'reset')],
    ['a refused connection', unreachable('no', 'refused')],
    ['a 500', refused(500, 'internal')],
    ['a 429', refused(429, 'rate_limited')],
    ['HTML', invalid(200, 'not-json')],
    ['a malformed answer', invalid(200, 'wrong-shape')],
    ['a 404 for a new scan', refused(404, 'not_found', { tooFresh: true })],
  ])('keeps following a paid scan: %s', async (_name, blip) => {
    const { followed } = await follow([blip, polled(aScan('RUNNING')), ...Array(19).fill(blip), done]);
    expect(followed.kind).toBe('completed');
  });

  test('accepts twenty consecutive failures, not more', async () => {
    const { followed, polls } = await follow(Array(30).fill(refused(500, 'internal')));
    expect(followed).toMatchObject({
      kind: 'left-running',
      why: 'no-answer',
      failure: { reason: 'service-error' },
    });
    expect(polls).toBe(20);
  });

  test('accepts ten minutes of failures, not more', async () => {
    const failing = refused(503, 'unavailable', { retryAfterSeconds: 60 });
    const { followed, polls } = await follow([polled(aScan('RUNNING')), ...Array(30).fill(failing)]);
    expect(followed).toMatchObject({
      kind: 'left-running',
      failure: { reason: 'service-error' },
      scan: { status: 'RUNNING' },
    });
    // The first poll comes after 10 s, the others come every minute.
    expect(polls).toBe(1 + 11);
  });
});

describe('followScan, if the service asks to wait', () => {
  const limited = refused(429, 'rate_limited', { retryAfterSeconds: 900 });

  test('keeps following, however often the service asks', async () => {
    const { followed } = await follow([polled(aScan('RUNNING')), ...Array(60).fill(limited), done]);
    expect(followed.kind).toBe('completed');
  });

  test('neither resets nor increases the number of failures', async () => {
    const failing = refused(500, 'internal');
    const answers = [...Array(10).fill(failing), ...Array(30).fill(limited), ...Array(20).fill(failing)];
    const { followed, polls } = await follow(answers);
    expect(followed).toMatchObject({ kind: 'left-running', why: 'no-answer' });
    expect(polls).toBe(10 + 30 + 10);
  });
});

describe('followScan after a definite answer', () => {
  test.each([
    ['401', refused(401, 'unauthorized'), 'no-answer', 'configuration'],
    ['403', refused(403, 'forbidden'), 'no-answer', 'configuration'],
    ['404', refused(404, 'not_found'), 'not-found', 'configuration'],
    ['a 404 that is not of the service', invalid(404, 'not-json'), 'no-answer', 'service-error'],
    ['a redirect', invalid(302, 'redirect'), 'no-answer', 'service-error'],
    ['an endless body', invalid(200, 'oversize'), 'no-answer', 'service-error'],
    ['a certificate', unreachable('no', 'certificate'), 'no-answer', 'service-error'],
  ] as const)(
    'ends at once after %s, and leaves the scan to be cancelled',
    async (_name, answer, why, reason) => {
      const { followed, polls } = await follow([answer]);
      expect(followed).toMatchObject({ kind: 'left-running', why, failure: { reason } });
      expect(polls).toBe(1);
    },
  );
});

describe('followScan after a 404', () => {
  const running = polled(aScan('RUNNING'));

  test.each([
    ['of the service', refused(404, 'not_found'), 'not-found'],
    ['of a proxy', invalid(404, 'not-json'), 'no-answer'],
  ] as const)('treats a 404 %s as no answer if the scan was shown before', async (_name, answer, why) => {
    const once = await follow([running, answer, done]);
    expect(once.followed.kind).toBe('completed');
    const { followed, polls } = await follow([running, ...Array(30).fill(answer)]);
    expect(followed).toMatchObject({ kind: 'left-running', why });
    expect(polls).toBe(1 + 20);
  });

  test('ends after another refusal', async () => {
    expect((await follow([running, refused(403, 'forbidden')])).polls).toBe(2);
  });
});

describe('followScan checks that the scan is the right one', () => {
  const other = 'c'.repeat(40);

  test.each([
    ['commit', { headSha: other }],
    ['base', { headSha: HEAD, baseSha: other }],
    ['both', { headSha: other, baseSha: other }],
  ])('ends for another %s, leaves the scan running, and names the inputs', async (_name, shown) => {
    const { followed, polls } = await follow([polled(aScan('QUEUED', shown))]);
    expect(followed).toMatchObject({
      kind: 'left-running',
      why: 'wrong-scan',
      failure: { reason: 'configuration' },
    });
    expect('failure' in followed && followed.failure.cause).toMatch(/a different commit range/);
    expect('failure' in followed && followed.failure.nextStep).toMatch(/`commit`.*`launch-parameters`/);
    expect(polls).toBe(1);
  });

  test('rejects a base for a full scan', async () => {
    const request = { expected: { baseSha: undefined, headSha: HEAD } };
    const { followed } = await follow([polled(aScan('QUEUED', { headSha: HEAD, baseSha: other }))], request);
    expect(followed).toMatchObject({ kind: 'left-running', why: 'wrong-scan' });
    expect('failure' in followed && followed.failure.cause).toContain(
      '(expected `(no base)..bbbbbbbbbbbb`, got `cccccccccccc..bbbbbbbbbbbb`)',
    );
  });

  test.each([
    [
      { headSha: other, baseSha: other },
      '(expected `aaaaaaaaaaaa..bbbbbbbbbbbb`, got `cccccccccccc..cccccccccccc`)',
    ],
    [{ headSha: other }, '(expected `aaaaaaaaaaaa..bbbbbbbbbbbb`, got `(not shown)..cccccccccccc`)'],
  ])('names the expected commits and those that the service shows: %o', async (shown, named) => {
    const { followed } = await follow([polled(aScan('QUEUED', shown))]);
    expect('failure' in followed && followed.failure.cause).toContain(named);
  });

  test('never passes a COMPLETED scan of another commit', async () => {
    const { followed } = await follow([polled(aScan('COMPLETED', { headSha: other }))]);
    expect(followed).toMatchObject({ kind: 'ended', failure: { reason: 'configuration' } });
  });

  test('accepts an abbreviated id of our commit', async () => {
    expect((await follow([polled(aScan('COMPLETED', { headSha: HEAD.slice(0, 7) }))])).followed.kind).toBe(
      'completed',
    );
  });
});

describe('followScan, stopped by our own signal', () => {
  test.each([
    ['timeout', 'timeout', undefined],
    ['signal', 'scan-cancelled', true],
  ] as const)('ends with the reason %s while waiting', async (cause, reason, bySignal) => {
    const controller = new AbortController();
    const clock = new FakeClock({ auto: false });
    const following = follow([polled(aScan('RUNNING'))], { signal: controller.signal, clock });
    await clock.advance(5_000);
    controller.abort(new Stop(cause));
    const { followed } = await following;
    expect(followed).toMatchObject({
      kind: 'left-running',
      why: 'stopped',
      failure: { reason, cause: expect.stringContaining('before the scan finished') },
      scan: { status: 'RUNNING' },
    });
    expect('failure' in followed && followed.failure.bySignal).toBe(bySignal);
  });

  test('ends during a poll', async () => {
    expect((await follow([stopped('timeout')])).followed).toMatchObject({
      kind: 'left-running',
      why: 'stopped',
      failure: { reason: 'timeout' },
      scan: undefined,
    });
  });
});
