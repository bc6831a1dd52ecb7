import { describe, expect, test } from 'vitest';
import type { ListEntry, ProjectRepository, TokenInformation } from '../../../src/domain/project.ts';
import { ok, Stop } from '../../../src/domain/result.ts';
import type { LaunchedScan } from '../../../src/domain/scan.ts';
import { launchScan } from '../../../src/scan/launch.ts';
import type { DatedScan } from '../../../src/scan/scan-mark.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { answers, refused, stopped, unreachable } from './fake-api.ts';

type Answer = Parameters<typeof answers<LaunchedScan>>[number];
type List = Parameters<typeof answers<readonly ListEntry<ProjectRepository>[]>>[number];

interface Launching {
  readonly name: string;
  /** The answers to the launch requests. */
  readonly sends: readonly Answer[];
  /** The answers to the reads of the repository list. */
  readonly lists?: readonly List[];
  /** Seconds between the first reads of the run and the launch. Default: 0. */
  readonly knownFor?: number;
  /** What the search for a scan of another job finds after each long wait. Default: nothing. */
  readonly running?: readonly (DatedScan | undefined)[];
  readonly token?: TokenInformation;
  /** How the run is stopped, a second after its start. */
  readonly stops?: 'timeout' | 'signal';
  readonly outcome: object;
  readonly seen?: Partial<Seen>;
}

interface Seen {
  readonly sends: number;
  readonly sleeps: readonly number[];
  readonly waits: readonly string[];
  /** What the post step would read from the saved state: that a scan may run, or that nothing was launched. */
  readonly saved: readonly ('may run' | 'nothing')[];
  readonly looks: number;
  /** How long each wait for the analysis of the repository took. */
  readonly readinessMs: readonly number[];
}

function testLaunches(launches: readonly Launching[]): void {
  // `test.each` would shorten the names of the tests.
  for (const launch of launches) {
    test(launch.name, async () => {
      const { outcome, ...seen } = await play(launch);
      expect(outcome).toMatchObject(launch.outcome);
      expect(seen).toMatchObject({ sends: launch.sends.length, ...launch.seen });
    });
  }
}

async function play({ sends, lists = [], knownFor = 0, running = [], token, stops }: Launching) {
  const clock = new FakeClock({ auto: stops === undefined });
  const run = new AbortController();
  const sentUntil = new AbortController().signal;
  const post = answers<LaunchedScan>(...sends);
  const seen = { waits: [] as string[], saved: [] as string[], readinessMs: [] as number[] };
  let looks = 0;
  let knownSince = clock.now() - knownFor * 1_000;
  const launching = launchScan(
    {
      api: {
        launch: post,
        repositories: answers<readonly ListEntry<ProjectRepository>[]>(...lists),
      },
      clock,
      signal: run.signal,
      launchSignal: sentUntil,
      random: () => 0,
      onWaiting: (message) => seen.waits.push(message),
      onWaitedForReadiness: (ms) => seen.readinessMs.push(ms),
      onSend: () => seen.saved.push('may run'),
      onNothingLaunched: () => seen.saved.push('nothing'),
      knownSince: () => knownSince,
      lookAgain: async () => {
        looks += 1;
        knownSince = clock.now();
        const scan = running[looks - 1];
        return scan && { kind: 'running', scan };
      },
    },
    {
      projectId: 'p',
      repositoryId: 'r',
      body: BODY,
      creditBudget: 50,
      token,
    },
  );
  if (stops !== undefined) {
    await clock.advance(1_000);
    run.abort(new Stop(stops));
  }
  const outcome = await launching;
  for (const call of post.calls) expect(call).toEqual(['p', BODY, { signal: sentUntil }]);
  return { ...seen, outcome, looks, sends: post.calls.length, sleeps: clock.sleeps };
}

const BODY = { presetRef: 'diff', creditBudget: 50 };
const LAUNCHED = ok({ scanId: 's', otherIds: [] });
const AWAY = unreachable('no', 'refused');
const INITIALIZING = refused(409, 'repository_initializing');
const limited = (retryAfterSeconds?: number) => refused(429, 'rate_limited', { retryAfterSeconds });
const OUTLASTING = refused(429, 'rate_limited', { retryAfterSeconds: 2_400, outlastsRun: true });
const READY = ok([
  { id: 'r', owner: 'o', name: 'n', url: '', status: 'ACTIVE', readiness: 'ready' } as const,
]);

const launched = { kind: 'launched', scan: { scanId: 's', otherIds: [] } };
const notScanned = (reason: string, cause = '') => ({
  kind: 'not-scanned',
  failure: { reason, cause: expect.stringContaining(cause) },
});

describe('launchScan sends a launch', () => {
  const lost = unreachable('unknown', 'reset');
  const ended = stopped('signal');
  testLaunches([
    {
      name: 'launchScan sends one launch request',
      sends: [LAUNCHED],
      outcome: launched,
      seen: { sleeps: [], saved: ['may run'], looks: 0 },
    },
    {
      name: 'launchScan does not send a launch again if the service may have accepted it',
      sends: [lost],
      outcome: { kind: 'lost', error: lost.error },
      seen: { saved: ['may run'] },
    },
    {
      name: 'launchScan does not send a launch again if the run is stopped after the request was sent',
      sends: [ended],
      outcome: { kind: 'lost', error: ended.error },
      seen: { saved: ['may run'] },
    },
    {
      name: 'launchScan reports a cancelled job if a signal arrives before the request is sent',
      sends: [stopped('signal', 'no')],
      outcome: { kind: 'not-scanned', failure: { reason: 'scan-cancelled', bySignal: true } },
      seen: { saved: ['may run', 'nothing'] },
    },
    {
      name: 'launchScan sends the launch at most three times if the service cannot be reached',
      sends: [AWAY, AWAY, AWAY],
      outcome: notScanned('service-error'),
      seen: {
        sleeps: [1_000, 1_000],
        waits: Array<string>(2).fill('Could not reach the service. Retrying in 1 s.'),
        looks: 0,
      },
    },
    {
      name: 'launchScan names the credit budget if the project has too few credits for it',
      sends: [refused(402, 'insufficient_credits')],
      outcome: notScanned('insufficient-credits', '50 credits'),
      seen: { saved: ['may run', 'nothing'] },
    },
    {
      name: 'launchScan reports an empty diff to its caller',
      sends: [AWAY, limited(1), refused(422, 'diff_empty')],
      outcome: { kind: 'empty-diff' },
      seen: { saved: ['may run', 'nothing', 'may run', 'nothing', 'may run', 'nothing'] },
    },
  ]);
});

describe('launchScan waits for a rate limit', () => {
  const token = { projectId: 'p', scopes: undefined, expiresAt: undefined, spendLimit: 500 };
  testLaunches([
    {
      name: 'launchScan waits for a rate limit up to three times',
      sends: [limited(5), limited(300), limited(), LAUNCHED],
      outcome: launched,
      seen: {
        sleeps: [5_000, 300_000, 1_000],
        waits: ['5 s', '5 minutes', '1 s'].map((time) => `Rate limited. Retrying in ${time}.`),
      },
    },
    {
      name: 'launchScan gives up at the fourth rate limit',
      sends: [limited(5), limited(5), limited(5), limited(5)],
      outcome: notScanned('rate-limited', 'asks to wait 5 s.'),
    },
    {
      name: 'launchScan names the spend limit of the token if a rate limit outlasts the run',
      sends: [OUTLASTING],
      token,
      outcome: notScanned('rate-limited', 'spend limit is 500 credits per billing period'),
      seen: { sleeps: [] },
    },
    {
      name: 'launchScan sends no launch after the run is stopped during a wait',
      sends: [limited(300)],
      stops: 'signal',
      outcome: { kind: 'not-scanned', failure: { reason: 'scan-cancelled', bySignal: true } },
      seen: { looks: 0 },
    },
    {
      name: 'launchScan reports a timeout if the time limit ends a wait',
      sends: [limited(300)],
      stops: 'timeout',
      outcome: notScanned('timeout', 'before it launched a scan'),
    },
  ]);
});

describe('launchScan waits for the repository to be analyzed', () => {
  testLaunches([
    {
      name: 'launchScan sends the launch again when the repository is ready',
      sends: [limited(5), INITIALIZING, LAUNCHED],
      lists: [refused(500, 'internal'), READY],
      outcome: launched,
      seen: {
        saved: ['may run', 'nothing', 'may run', 'nothing', 'may run'],
        readinessMs: [20_000],
        looks: 1,
      },
    },
    {
      name: 'launchScan waits as long as the refusal of the launch advises',
      sends: [refused(409, 'repository_initializing', { retryAfterSeconds: 45 }), LAUNCHED],
      lists: [READY],
      outcome: launched,
      seen: { sleeps: [45_000] },
    },
    {
      name: 'launchScan counts failed attempts and rate limits from zero again when the repository is ready',
      sends: [AWAY, AWAY, limited(1), limited(1), limited(1), INITIALIZING, AWAY, AWAY, limited(1), LAUNCHED],
      lists: [READY],
      outcome: launched,
    },
    {
      name: 'launchScan does not send the launch again if the repository is not listed any more',
      sends: [INITIALIZING],
      lists: [ok([])],
      outcome: notScanned('configuration', 'does not list the repository'),
      seen: { readinessMs: [10_000], looks: 0 },
    },
  ]);
});

describe('launchScan looks for a scan that another job launched during a wait', () => {
  const theirs: DatedScan = { scanId: 'theirs', launchedAt: 1_000 };
  testLaunches([
    {
      name: 'launchScan returns the scan that another job launched while the repository was analyzed',
      sends: [INITIALIZING],
      lists: [READY],
      running: [theirs],
      outcome: { kind: 'running', scan: theirs },
      seen: { looks: 1, saved: ['may run', 'nothing'] },
    },
    {
      name: 'launchScan looks for a scan of another job before it sends a launch 30 s after the first reads',
      knownFor: 30,
      running: [{ scanId: 'theirs', launchedAt: 1 }],
      sends: [],
      outcome: { kind: 'running', scan: { scanId: 'theirs' } },
      seen: { looks: 1, saved: [] },
    },
    {
      name: 'launchScan looks for no scan of another job before it sends a launch 29 s after the first reads',
      knownFor: 29,
      sends: [LAUNCHED],
      outcome: launched,
      seen: { looks: 0 },
    },
    {
      name: 'launchScan looks for a scan of another job after a wait of 30 s, but not after 29 s',
      sends: [limited(29), limited(30), limited(300)],
      running: [undefined, theirs],
      outcome: { kind: 'running', scan: theirs },
      seen: { looks: 2 },
    },
    {
      name: 'launchScan looks for a scan of another job after short waits that add up to 30 s',
      sends: [limited(29), limited(1)],
      running: [theirs],
      outcome: { kind: 'running', scan: theirs },
      seen: { looks: 1, sleeps: [29_000, 1_000] },
    },
    {
      name: 'launchScan looks for a scan of another job once after each long wait',
      sends: [INITIALIZING, AWAY, limited(30), limited(1), LAUNCHED],
      lists: [READY],
      outcome: launched,
      seen: { looks: 2 },
    },
  ]);
});

test('launchScan works without callbacks', async () => {
  const outcome = await launchScan(
    {
      api: {
        launch: answers<LaunchedScan>(AWAY, limited(60), INITIALIZING, LAUNCHED),
        repositories: answers<readonly ListEntry<ProjectRepository>[]>(READY),
      },
      clock: new FakeClock(),
      signal: NEVER_ABORTED,
      launchSignal: NEVER_ABORTED,
      random: () => 0,
      knownSince: () => 0,
    },
    { projectId: 'p', repositoryId: 'r', body: {}, creditBudget: undefined },
  );
  expect(outcome).toEqual(launched);
});
