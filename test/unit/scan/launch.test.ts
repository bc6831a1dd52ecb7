import { describe, expect, test } from 'vitest';
import type { ListEntry, ProjectRepository, TokenInformation } from '../../../src/domain/project.ts';
import { ok } from '../../../src/domain/result.ts';
import type { LaunchedScan } from '../../../src/domain/scan.ts';
import { Stop } from '../../../src/domain/stop.ts';
import { launchScan } from '../../../src/scan/launch.ts';
import type { DatedScan } from '../../../src/scan/scan-mark.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { answers, invalid, refused, stopped, unreachable } from './fake-api.ts';

type Answer = Parameters<typeof answers<LaunchedScan>>[number];
type Repositories = readonly ListEntry<ProjectRepository>[];
type ListAnswer = Parameters<typeof answers<Repositories>>[number];

const launched = ok({ scanId: 's', otherIds: [] });
const initializing = refused(409, 'repository_initializing');
const repositories = (readiness: string, status = 'ACTIVE') =>
  ok([{ id: 'r', owner: 'o', name: 'n', url: '', status, readiness }]);

const THEIRS: DatedScan = { scanId: 'theirs', launchedAt: 1_000 };

async function launch(
  sends: readonly Answer[],
  options: {
    lists?: readonly ListAnswer[];
    signal?: AbortSignal;
    clock?: FakeClock;
    token?: TokenInformation;
    /** What each look after a long wait finds. */
    running?: readonly (DatedScan | undefined)[];
  } = {},
) {
  const clock = options.clock ?? new FakeClock();
  const post = answers<LaunchedScan>(...sends);
  const list = answers<Repositories>(...(options.lists ?? []));
  const waits: string[] = [];
  const saved: ('may-run' | 'nothing')[] = [];
  const looks: (DatedScan | undefined)[] = [];
  const outcome = await launchScan(
    {
      api: { launch: post, repositories: list },
      clock,
      signal: options.signal ?? NEVER_ABORTED,
      launchSignal: NEVER_ABORTED,
      random: () => 0,
      onWaiting: (message) => waits.push(message),
      onSend: () => saved.push('may-run'),
      onNothingLaunched: () => saved.push('nothing'),
      afterLongWait: async () => {
        const found = options.running?.[looks.length];
        looks.push(found);
        return found;
      },
    },
    {
      projectId: 'p',
      repositoryId: 'r',
      body: { presetRef: 'diff', creditBudget: 50 },
      creditBudget: 50,
      token: options.token,
    },
  );
  return {
    outcome,
    saved,
    looks: looks.length,
    sends: post.calls.length,
    lists: list.calls.length,
    sleeps: clock.sleeps,
    waits,
  };
}

describe('launchScan', () => {
  test('sends one request with the merged body', async () => {
    expect(await launch([launched])).toMatchObject({
      outcome: { kind: 'launched', scan: { scanId: 's', otherIds: [] } },
      sends: 1,
      sleeps: [],
    });
  });

  test.each([
    ['a reset', unreachable('unknown', 'reset')],
    ['a timeout', unreachable('unknown', 'timeout')],
    ['a 500', refused(500, 'internal')],
    ['a 503 in HTML', invalid(503, 'not-json')],
    ['a 408', refused(408, 'bad_request')],
    ['a redirect', invalid(307, 'redirect')],
    ['a 202 in HTML', invalid(202, 'not-json')],
    ['a 202 without an id', invalid(202, 'wrong-shape')],
    ['a 200', invalid(200, 'wrong-shape')],
    ['a 202 without an end', invalid(202, 'oversize')],
    ['a 500 without an end', invalid(500, 'oversize')],
    ['our timeout after it was sent', stopped('timeout')],
    ['a signal after it was sent', stopped('signal')],
  ])('does not send a launch again after %s, because a scan may exist', async (_name, answer) => {
    const { outcome, sends, saved } = await launch([answer]);
    expect(outcome).toEqual({ kind: 'lost', error: answer.error });
    expect({ sends, saved }).toEqual({ sends: 1, saved: ['may-run'] });
  });

  test('reports a cancelled job without a scan if a signal comes before the request', async () => {
    const { outcome, saved } = await launch([stopped('signal', 'no')]);
    expect(outcome).toMatchObject({ failure: { reason: 'scan-cancelled', bySignal: true } });
    expect(saved).toEqual(['may-run', 'nothing']);
  });

  test('calls onSend before the request, and onNothingLaunched after a definite refusal', async () => {
    expect((await launch([launched])).saved).toEqual(['may-run']);
    const away = unreachable('no', 'refused');
    const limited = refused(429, 'rate_limited', { retryAfterSeconds: 1 });
    for (const refusal of [refused(402, 'insufficient_credits'), refused(422, 'diff_empty')]) {
      const { saved } = await launch([away, limited, refusal]);
      expect(saved).toEqual(['may-run', 'nothing', 'may-run', 'nothing', 'may-run', 'nothing']);
    }
    const waited = await launch([initializing, launched], { lists: [repositories('ready')] });
    expect(waited.saved).toEqual(['may-run', 'nothing', 'may-run']);
  });

  test('makes up to three attempts if the request was not sent', async () => {
    const away = unreachable('no', 'refused');
    expect(await launch([away, away, launched])).toMatchObject({
      outcome: { kind: 'launched' },
      sleeps: [1_000, 1_000],
      waits: Array(2).fill('Could not reach the service. Retrying in 1 s.'),
    });
    expect(await launch([away, away, away])).toMatchObject({
      outcome: { kind: 'not-scanned', failure: { reason: 'service-error' } },
      sends: 3,
    });
  });

  test('makes one attempt if the certificate is invalid', async () => {
    expect(await launch([unreachable('no', 'certificate')])).toMatchObject({
      outcome: { failure: { reason: 'service-error' } },
      sends: 1,
    });
  });

  test.each([
    [402, 'insufficient_credits', 'insufficient-credits'],
    [400, 'bad_request', 'configuration'],
    [400, 'diff_base_invalid', 'configuration'],
    [401, 'unauthorized', 'configuration'],
    [403, 'forbidden', 'configuration'],
    [404, 'not_found', 'configuration'],
    [409, 'conflict', 'service-error'],
    [418, 'teapot', 'service-error'],
  ])('ends a launch that is refused with %i %s as %s', async (status, code, reason) => {
    expect(await launch([refused(status, code)])).toMatchObject({
      outcome: { failure: { reason } },
      sends: 1,
    });
  });

  test('treats a 403 in HTML as a definite refusal', async () => {
    expect(await launch([invalid(403, 'not-json')])).toMatchObject({
      outcome: { failure: { reason: 'service-error' } },
    });
  });

  test('names the budget if the credits are insufficient', async () => {
    const { outcome } = await launch([refused(402, 'insufficient_credits')]);
    expect(outcome.kind === 'not-scanned' && outcome.failure.cause).toContain('50 credits');
  });

  test('returns an empty diff to the caller', async () => {
    expect((await launch([refused(422, 'diff_empty')])).outcome).toEqual({ kind: 'empty-diff' });
  });
});

describe('launchScan, refused for now', () => {
  const limited = (retryAfterSeconds?: number) => refused(429, 'rate_limited', { retryAfterSeconds });

  const outlasting = (retryAfterSeconds: number) =>
    refused(429, 'rate_limited', { retryAfterSeconds, outlastsRun: true });

  test('waits as advised up to three times, and then ends as rate-limited', async () => {
    const answer = await launch([limited(5), limited(300), limited(), limited(5)]);
    expect(answer).toMatchObject({ outcome: { failure: { reason: 'rate-limited' } }, sends: 4 });
    expect(answer.sleeps).toEqual([5_000, 300_000, 1_000]);
    expect(answer.waits).toEqual(
      ['5 s', '5 minutes', '1 s'].map((time) => `Rate limited. Retrying in ${time}.`),
    );
  });

  test.each([
    [500, /spend limit.*spend limit is 500 credits per billing period/],
    [undefined, /spend limit.*shows no spend limit for this token/],
  ])('mentions the spend limit that the token shows: %s', async (spendLimit, said) => {
    const token = {
      projectId: 'p',
      scopes: undefined,
      expiresAt: undefined,
      spendLimit,
    };
    const { outcome } = await launch([outlasting(2_400)], { token });
    expect(outcome.kind === 'not-scanned' && outcome.failure.cause).toMatch(said);
  });

  test.each([600, 700, 3_599])('waits %d s, and launches', async (seconds) => {
    const answer = await launch([limited(seconds), launched]);
    expect(answer).toMatchObject({ outcome: { kind: 'launched' }, sleeps: [seconds * 1_000] });
  });

  test('ends at once, and names the time, if the wait is longer than the run', async () => {
    const { outcome, sends, sleeps } = await launch([outlasting(2_400)]);
    expect(outcome).toMatchObject({ failure: { reason: 'rate-limited' } });
    expect(outcome.kind === 'not-scanned' && outcome.failure.cause).toContain(
      'The service asks to wait 40 minutes, longer than this job may last.',
    );
    expect({ sends, sleeps }).toEqual({ sends: 1, sleeps: [] });
  });

  test('ends as rate-limited after too many waits, and does not mention the timeout', async () => {
    const { outcome } = await launch(Array(4).fill(limited(5)));
    const cause = outcome.kind === 'not-scanned' ? outcome.failure.cause : '';
    expect(cause).toContain('asks to wait 5 s.');
    expect(cause).not.toContain('longer');
  });
});

describe('launchScan for an initializing repository', () => {
  test('waits, and launches when the repository is ready', async () => {
    const answer = await launch([initializing, launched], {
      lists: [repositories('analyzing'), refused(500, 'internal'), repositories('ready')],
    });
    expect(answer).toMatchObject({ outcome: { kind: 'launched' }, sends: 2, lists: 3 });
    expect(answer.sleeps).toEqual([10_000, 10_000, 10_000]);
  });

  test('reads the list as often as the service advises', async () => {
    const busy = refused(409, 'repository_initializing', { retryAfterSeconds: 45 });
    const answer = await launch([busy, launched], {
      lists: [repositories('analyzing'), repositories('ready')],
    });
    expect(answer.sleeps).toEqual([45_000, 45_000]);
  });

  test('waits between launches if only the list says that the repository is ready', async () => {
    const answer = await launch([initializing, initializing, launched], {
      lists: [repositories('ready'), repositories('ready')],
    });
    expect(answer.sleeps).toEqual([10_000, 10_000]);
  });

  test.each([
    ['is not listed any more', ok([])],
    ['is marked for deletion', repositories('ready', 'MARKED_FOR_DELETION')],
    ['cannot be read with this token', refused(403, 'forbidden', { operation: 'list the repositories' })],
  ])('ends as a wrong setup if the repository %s', async (_name, list) => {
    expect((await launch([initializing], { lists: [list] })).outcome).toMatchObject({
      failure: { reason: 'configuration' },
    });
  });

  describe('with a malformed entry in the list', () => {
    const malformed = (id: string) =>
      ok([{ fault: '`repositories.0.readiness` is missing', readable: { id } }]);

    test('keeps waiting if the entry is another repository', async () => {
      const [ready, other] = [repositories('ready'), malformed('other')];
      const list = ok([...other.value, ...ready.value]);
      expect((await launch([initializing, launched], { lists: [list] })).outcome.kind).toBe('launched');
    });

    test('reads the list again if the entry is its own, and finally names the malformed member', async () => {
      const lists = [malformed('r'), malformed('r'), repositories('ready')];
      expect((await launch([initializing, launched], { lists })).outcome.kind).toBe('launched');
      const never = Array.from({ length: 20 }, () => malformed('r'));
      const { outcome, sends } = await launch([initializing], { lists: never });
      expect(outcome).toMatchObject({
        failure: {
          reason: 'service-error',
          cause: expect.stringContaining('`repositories.0.readiness` is missing'),
        },
      });
      expect(sends).toBe(1);
    });
  });

  test.each([
    ['timeout', 'initializing'],
    ['signal', 'scan-cancelled'],
  ] as const)('ends the wait after a stop by %s as %s', async (cause, reason) => {
    const controller = new AbortController();
    const clock = new FakeClock({ auto: false });
    const launching = launch([initializing], { signal: controller.signal, clock });
    await clock.advance(1_000);
    controller.abort(new Stop(cause));
    expect((await launching).outcome).toMatchObject({ failure: { reason } });
  });
});

describe('launchScan, if another user launched the scan during a wait', () => {
  const ready = { lists: [repositories('ready')] };
  const limited = (retryAfterSeconds: number) => refused(429, 'rate_limited', { retryAfterSeconds });

  test('finds that scan when the repository is ready, and sends nothing', async () => {
    const answer = await launch([initializing], { ...ready, running: [THEIRS] });
    expect(answer).toMatchObject({ outcome: { kind: 'running', scan: THEIRS }, sends: 1, looks: 1 });
    expect(answer.saved).toEqual(['may-run', 'nothing']);
  });

  test('looks for that scan after a long wait for the rate limit, and not after a short one', async () => {
    expect(
      await launch([limited(29), limited(30), limited(300)], { running: [undefined, THEIRS] }),
    ).toMatchObject({
      outcome: { kind: 'running', scan: THEIRS },
      sends: 3,
      looks: 2,
    });
  });

  test('launches if there is no such scan, and looks only once', async () => {
    expect(await launch([initializing, limited(1), launched], ready)).toMatchObject({
      outcome: { kind: 'launched' },
      looks: 1,
    });
    const away = unreachable('no', 'refused');
    expect(await launch([initializing, away, launched], ready)).toMatchObject({ looks: 1 });
    expect(await launch([limited(30), away, launched])).toMatchObject({ looks: 1 });
    expect(await launch([away, launched])).toMatchObject({ looks: 0 });
    expect(await launch([launched])).toMatchObject({ looks: 0 });
  });
});

test('launches nothing after the run is stopped', async () => {
  const signal = AbortSignal.abort(new Stop('timeout'));
  const { outcome, sends, saved } = await launch([], { signal });
  expect(outcome).toMatchObject({
    failure: { reason: 'timeout', cause: expect.stringContaining('before it launched a scan') },
  });
  expect({ sends, saved }).toEqual({ sends: 0, saved: [] });
});

test('waits, launches and looks for readiness without an onProgress callback', async () => {
  const outcome = await launchScan(
    {
      api: {
        launch: answers<LaunchedScan>(
          unreachable('no', 'refused'),
          refused(429, 'rate_limited', { retryAfterSeconds: 60 }),
          initializing,
          launched,
        ),
        repositories: answers<readonly ProjectRepository[]>(repositories('ready')),
      },
      clock: new FakeClock(),
      signal: NEVER_ABORTED,
      launchSignal: NEVER_ABORTED,
      random: () => 0,
    },
    { projectId: 'p', repositoryId: 'r', body: {}, creditBudget: undefined },
  );
  expect(outcome).toEqual({ kind: 'launched', scan: { scanId: 's', otherIds: [] } });
});

test('lets only a later signal end a launch that was sent', async () => {
  const work = new AbortController();
  const signals: unknown[] = [];
  const outcome = await launchScan(
    {
      api: {
        launch: async (_project, _body, { signal }) => {
          work.abort(new Stop('signal'));
          signals.push(signal);
          return launched;
        },
        repositories: answers<readonly ProjectRepository[]>(),
      },
      clock: new FakeClock(),
      signal: work.signal,
      launchSignal: NEVER_ABORTED,
      random: () => 0,
    },
    { projectId: 'p', repositoryId: 'r', body: {}, creditBudget: undefined },
  );
  expect(outcome).toEqual({ kind: 'launched', scan: { scanId: 's', otherIds: [] } });
  expect(signals).toEqual([NEVER_ABORTED]);
});

test('ends without a scan if the run is stopped before a launch is sent again', async () => {
  const controller = new AbortController();
  const clock = new FakeClock({ auto: false });
  const launching = launch([refused(429, 'rate_limited', { retryAfterSeconds: 300 })], {
    signal: controller.signal,
    clock,
  });
  await clock.advance(1_000);
  controller.abort(new Stop('signal'));
  expect(await launching).toMatchObject({
    outcome: { failure: { reason: 'scan-cancelled', bySignal: true } },
    sends: 1,
  });
});
