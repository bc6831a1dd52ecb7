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
    /** What a look after a long wait finds, look by look. */
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

describe('a launch', () => {
  test('is one request with the merged body', async () => {
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
    ['an endless 202', invalid(202, 'oversize')],
    ['an endless 500', invalid(500, 'oversize')],
    ['our timeout while it was in flight', stopped('timeout')],
    ['a signal while it was in flight', stopped('signal')],
  ])('%s leaves the launch lost: never sent again, and there may be a scan', async (_name, answer) => {
    const { outcome, sends, saved } = await launch([answer]);
    expect(outcome).toEqual({ kind: 'lost', error: answer.error });
    expect({ sends, saved }).toEqual({ sends: 1, saved: ['may-run'] });
  });

  test('that a signal stopped before it was sent is a cancelled job without a scan', async () => {
    const { outcome, saved } = await launch([stopped('signal', 'no')]);
    expect(outcome).toMatchObject({ failure: { reason: 'scan-cancelled', bySignal: true } });
    expect(saved).toEqual(['may-run', 'nothing']);
  });

  test('is announced before it is sent, and a definite refusal takes that back', async () => {
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

  test('that surely was not sent is sent three times in all', async () => {
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

  test('whose certificate does not hold ends at once', async () => {
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
  ])('refused with %i %s is %s', async (status, code, reason) => {
    expect(await launch([refused(status, code)])).toMatchObject({
      outcome: { failure: { reason } },
      sends: 1,
    });
  });

  test('refused by a 403 in HTML was surely refused', async () => {
    expect(await launch([invalid(403, 'not-json')])).toMatchObject({
      outcome: { failure: { reason: 'service-error' } },
    });
  });

  test('says what the budget was when credits are missing', async () => {
    const { outcome } = await launch([refused(402, 'insufficient_credits')]);
    expect(outcome.kind === 'not-scanned' && outcome.failure.cause).toContain('50 credits');
  });

  test('of an empty diff is handed back', async () => {
    expect((await launch([refused(422, 'diff_empty')])).outcome).toEqual({ kind: 'empty-diff' });
  });
});

describe('a launch that is refused for now', () => {
  const limited = (retryAfterSeconds?: number) => refused(429, 'rate_limited', { retryAfterSeconds });

  const outlasting = (retryAfterSeconds: number) =>
    refused(429, 'rate_limited', { retryAfterSeconds, outlastsRun: true });

  test('waits as advised, three times, then is rate-limited', async () => {
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
  ])('may be the spend limit, of which the token says: %s', async (spendLimit, said) => {
    const token = {
      projectId: 'p',
      scopes: undefined,
      expiresAt: undefined,
      spendLimit,
    };
    const { outcome } = await launch([outlasting(2_400)], { token });
    expect(outcome.kind === 'not-scanned' && outcome.failure.cause).toMatch(said);
  });

  test.each([600, 700, 3_599])('for %d s, and then accepted, is launched', async (seconds) => {
    const answer = await launch([limited(seconds), launched]);
    expect(answer).toMatchObject({ outcome: { kind: 'launched' }, sleeps: [seconds * 1_000] });
  });

  test('for longer than the run lasts is rate-limited at once, naming the time', async () => {
    const { outcome, sends, sleeps } = await launch([outlasting(2_400)]);
    expect(outcome).toMatchObject({ failure: { reason: 'rate-limited' } });
    expect(outcome.kind === 'not-scanned' && outcome.failure.cause).toContain(
      'The service asks to wait 40 minutes, longer than this job may last.',
    );
    expect({ sends, sleeps }).toEqual({ sends: 1, sleeps: [] });
  });

  test('too often is rate-limited, and says nothing of the timeout', async () => {
    const { outcome } = await launch(Array(4).fill(limited(5)));
    const cause = outcome.kind === 'not-scanned' ? outcome.failure.cause : '';
    expect(cause).toContain('asks to wait 5 s.');
    expect(cause).not.toContain('longer');
  });
});

describe('an initializing repository', () => {
  test('is waited for, and launched when it is ready', async () => {
    const answer = await launch([initializing, launched], {
      lists: [repositories('analyzing'), refused(500, 'internal'), repositories('ready')],
    });
    expect(answer).toMatchObject({ outcome: { kind: 'launched' }, sends: 2, lists: 3 });
    expect(answer.sleeps).toEqual([10_000, 10_000, 10_000]);
  });

  test('is asked about as often as the service advises', async () => {
    const busy = refused(409, 'repository_initializing', { retryAfterSeconds: 45 });
    const answer = await launch([busy, launched], {
      lists: [repositories('analyzing'), repositories('ready')],
    });
    expect(answer.sleeps).toEqual([45_000, 45_000]);
  });

  test('that the list calls ready while the launch does not is never hammered', async () => {
    const answer = await launch([initializing, initializing, launched], {
      lists: [repositories('ready'), repositories('ready')],
    });
    expect(answer.sleeps).toEqual([10_000, 10_000]);
  });

  test.each([
    ['is gone', ok([])],
    ['is marked for deletion', repositories('ready', 'MARKED_FOR_DELETION')],
    ['is out of reach', refused(403, 'forbidden', { operation: 'list the repositories' })],
  ])('that %s is a matter of configuration', async (_name, list) => {
    expect((await launch([initializing], { lists: [list] })).outcome).toMatchObject({
      failure: { reason: 'configuration' },
    });
  });

  describe('with a malformed entry in the list', () => {
    const malformed = (id: string) =>
      ok([{ fault: '`repositories.0.readiness` is missing', readable: { id } }]);

    test('of another repository is waited for all the same', async () => {
      const [ready, other] = [repositories('ready'), malformed('other')];
      const list = ok([...other.value, ...ready.value]);
      expect((await launch([initializing, launched], { lists: [list] })).outcome.kind).toBe('launched');
    });

    test('of its own is looked at again, and the member is named when patience is at its end', async () => {
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
  ] as const)('and a stop by %s is %s', async (cause, reason) => {
    const controller = new AbortController();
    const clock = new FakeClock({ auto: false });
    const launching = launch([initializing], { signal: controller.signal, clock });
    await clock.advance(1_000);
    controller.abort(new Stop(cause));
    expect((await launching).outcome).toMatchObject({ failure: { reason } });
  });
});

describe('a scan that another user launched while we waited', () => {
  const ready = { lists: [repositories('ready')] };
  const limited = (retryAfterSeconds: number) => refused(429, 'rate_limited', { retryAfterSeconds });

  test('is looked for when the repository is ready, before anything is sent, and nothing is', async () => {
    const answer = await launch([initializing], { ...ready, running: [THEIRS] });
    expect(answer).toMatchObject({ outcome: { kind: 'running', scan: THEIRS }, sends: 1, looks: 1 });
    expect(answer.saved).toEqual(['may-run', 'nothing']);
  });

  test('is looked for after a long wait for the rate limit, and not after a short one', async () => {
    expect(
      await launch([limited(29), limited(30), limited(300)], { running: [undefined, THEIRS] }),
    ).toMatchObject({
      outcome: { kind: 'running', scan: THEIRS },
      sends: 3,
      looks: 2,
    });
  });

  test('is launched where there is none, and looked for no more', async () => {
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

test('nothing is launched once we are stopped', async () => {
  const signal = AbortSignal.abort(new Stop('timeout'));
  const { outcome, sends, saved } = await launch([], { signal });
  expect(outcome).toMatchObject({
    failure: { reason: 'timeout', cause: expect.stringContaining('before it launched a scan') },
  });
  expect({ sends, saved }).toEqual({ sends: 0, saved: [] });
});

test('works without an onProgress callback: it waits, sends and looks for readiness', async () => {
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

test('a launch in flight is ended by its own signal, later than the rest', async () => {
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

test('a stop while a launch waits to be sent again ends it without a scan', async () => {
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
