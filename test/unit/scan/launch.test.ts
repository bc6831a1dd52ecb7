import { describe, expect, test } from 'vitest';
import type { ListEntry, ProjectRepository, TokenInformation } from '../../../src/domain/project.ts';
import { ok, Stop } from '../../../src/domain/result.ts';
import type { LaunchedScan } from '../../../src/domain/scan.ts';
import { NO_TRIES, sendLaunch, type Tries, waitAfterRefusal } from '../../../src/scan/launch.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { answers, invalid, refused, stopped, unreachable } from './fake-api.ts';

type Answer = Parameters<typeof answers<LaunchedScan>>[number];
type List = Parameters<typeof answers<readonly ListEntry<ProjectRepository>[]>>[number];

const BODY = { presetRef: 'diff', creditBudget: 50 };
const AWAY = unreachable('no', 'refused');
const limited = (retryAfterSeconds?: number) => refused(429, 'rate_limited', { retryAfterSeconds });
const INITIALIZING = refused(409, 'repository_initializing', { retryAfterSeconds: 45 });

test.each<[what: string, answer: Answer, sent: object]>([
  ['an accepted launch', ok({ scanId: 's' }), { kind: 'launched', scan: { scanId: 's' } }],
  ['a reset connection as a lost launch', unreachable('unknown', 'reset'), { kind: 'lost' }],
  ['a server error as a lost launch', refused(500, 'internal'), { kind: 'lost' }],
  ['an unreadable 202 as a lost launch', invalid(202, 'wrong-shape'), { kind: 'lost' }],
  ['a redirect as a lost launch', invalid(307, 'redirect'), { kind: 'lost' }],
  ['a stop after the request was sent as a lost launch', stopped('signal'), { kind: 'lost' }],
  ['a stop before the request was sent', stopped('signal', 'no'), { kind: 'refused', failure: 'stopped' }],
  ['an unreachable service', AWAY, { kind: 'refused', failure: 'not-sent' }],
  ['a rate limit', limited(), { kind: 'refused', failure: 'rate-limited' }],
  ['a lack of credits', refused(402, 'insufficient_credits'), { kind: 'refused', failure: 'definite' }],
])('sendLaunch sends one request, and reports %s', async (_what, answer, sent) => {
  const launch = answers<LaunchedScan>(answer);
  const made = await sendLaunch({ launch }, { projectId: 'p', body: BODY }, NEVER_ABORTED);
  expect(made).toMatchObject(answer.ok ? sent : { ...sent, error: answer.error });
  expect(launch.calls).toEqual([['p', BODY, { signal: NEVER_ABORTED }]]);
});

interface Waiting {
  readonly refusal: Extract<Answer, { readonly ok: false }>;
  readonly tries?: Tries;
  /** The answers to the reads of the repository list. */
  readonly lists?: readonly List[];
  readonly token?: TokenInformation;
  /** How the run is stopped, a second after its start. */
  readonly stops?: 'timeout' | 'signal';
}

async function wait({ refusal, tries = NO_TRIES, lists = [], token, stops }: Waiting) {
  const clock = new FakeClock({ auto: stops === undefined });
  const run = new AbortController();
  const lines: string[] = [];
  const repositories = answers<readonly ListEntry<ProjectRepository>[]>(...lists);
  const launch = answers<LaunchedScan>(refusal);
  const sent = await sendLaunch({ launch }, { projectId: 'p', body: BODY }, NEVER_ABORTED);
  if (sent.kind !== 'refused') throw new Error('the launch was not refused');
  const waiting = waitAfterRefusal(
    {
      api: { launch, repositories },
      clock,
      signal: run.signal,
      random: () => 0,
      log: { info: (line) => void lines.push(line) },
    },
    { projectId: 'p', repositoryId: 'r', body: BODY, creditBudget: 50, token },
    sent,
    tries,
  );
  if (stops !== undefined) {
    await clock.advance(1_000);
    run.abort(new Stop(stops));
  }
  return { after: await waiting, sleeps: clock.sleeps, lines };
}

const again = (unsent: number, rateLimited: number) => ({
  kind: 'again',
  tries: { unsent, limited: rateLimited },
});
const notScanned = (reason: string, cause = '') => ({
  kind: 'not-scanned',
  failure: { reason, cause: expect.stringContaining(cause) },
});
const READY = ok([
  { id: 'r', owner: 'o', name: 'n', url: '', status: 'ACTIVE', readiness: 'ready' } as const,
]);
const OUTLASTING = refused(429, 'rate_limited', { retryAfterSeconds: 2_400, outlastsRun: true });
const TOKEN = { projectId: 'p', scopes: undefined, expiresAt: undefined, spendLimit: 500 };

describe('waitAfterRefusal', () => {
  test.each<[what: string, waiting: Waiting, after: object, sleeps: number[], line?: string]>([
    [
      'allows a second request if the service could not be reached',
      { refusal: AWAY, tries: { unsent: 0, limited: 2 } },
      again(1, 2),
      [1_000],
      'Could not reach the service. Retrying in 1 s.',
    ],
    ['allows a third request', { refusal: AWAY, tries: { unsent: 1, limited: 0 } }, again(2, 0), [1_000]],
    [
      'allows no fourth request',
      { refusal: AWAY, tries: { unsent: 2, limited: 0 } },
      notScanned('service-error'),
      [],
    ],
    [
      'waits for a rate limit',
      { refusal: limited(300), tries: { unsent: 1, limited: 2 } },
      again(1, 3),
      [300_000],
      'Rate limited. Retrying in 5 minutes.',
    ],
    ['waits a second if a rate limit has no length', { refusal: limited() }, again(0, 1), [1_000]],
    [
      'gives up at the fourth rate limit',
      { refusal: limited(5), tries: { unsent: 0, limited: 3 } },
      notScanned('rate-limited', 'asks to wait 5 s.'),
      [],
    ],
    [
      'names the spend limit of the token if a rate limit outlasts the run',
      { refusal: OUTLASTING, token: TOKEN },
      notScanned('rate-limited', 'spend limit is 500 credits per billing period'),
      [],
    ],
    [
      'counts from zero again when the repository is ready',
      { refusal: INITIALIZING, tries: { unsent: 2, limited: 3 }, lists: [READY] },
      again(0, 0),
      [45_000],
      'The service is analyzing this repository for the first time. Checking again every 45 s.',
    ],
    [
      'gives up if the repository is not listed any more',
      { refusal: INITIALIZING, lists: [ok([])] },
      notScanned('configuration', 'does not list the repository'),
      [45_000],
    ],
    [
      'names the credit budget if the project has too few credits for it',
      { refusal: refused(402, 'insufficient_credits') },
      notScanned('insufficient-credits', '50 credits'),
      [],
    ],
    ['reports an empty diff', { refusal: refused(422, 'diff_empty') }, { kind: 'empty-diff' }, []],
    [
      'reports a stop before the request was sent',
      { refusal: stopped('signal', 'no') },
      { kind: 'not-scanned', failure: { reason: 'scan-cancelled', bySignal: true } },
      [],
    ],
    [
      'allows no request after the timeout',
      { refusal: limited(300), stops: 'timeout' },
      notScanned('timeout', 'before it launched a scan'),
      [300_000],
    ],
    [
      'allows no request after a signal',
      { refusal: limited(5), stops: 'signal' },
      { kind: 'not-scanned', failure: { reason: 'scan-cancelled', bySignal: true } },
      [5_000],
    ],
  ])('waitAfterRefusal %s', async (_what, waiting, after, sleeps, line) => {
    const made = await wait(waiting);
    expect(made).toMatchObject({ after, sleeps });
    if (line !== undefined) expect(made.lines).toEqual([line]);
  });
});
