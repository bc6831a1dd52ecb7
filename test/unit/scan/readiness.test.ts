import { expect, test } from 'vitest';
import type { ListEntry, ProjectRepository } from '../../../src/domain/project.ts';
import { ok, Stop } from '../../../src/domain/result.ts';
import { waitUntilReady } from '../../../src/scan/launch.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { answers, refused, stopped, unreachable } from './fake-api.ts';

type Repositories = readonly ListEntry<ProjectRepository>[];
type List = Parameters<typeof answers<Repositories>>[number];

const listed = (readiness: string, status = 'ACTIVE') =>
  ok<Repositories>([{ id: 'r', owner: 'o', name: 'n', url: '', status, readiness }]);
const malformed = (id: string) =>
  ({ fault: '`repositories.0.readiness` is missing', readable: { id } }) as const;

const READY = listed('ready');
const ANALYZING = listed('analyzing');
const AWAY = unreachable('unknown', 'reset');
const limited = (retryAfterSeconds: number) => refused(429, 'rate_limited', { retryAfterSeconds });
const MALFORMED = ok<Repositories>([malformed('r')]);

/** Why the wait for the repository failed; undefined if the repository is ready. */
type Failure = object | undefined;

const TEN = 10_000;
const WAITS: readonly (readonly [
  name: string,
  lists: readonly List[],
  failure?: Failure,
  sleeps?: number[],
])[] = [
  [
    'reads the repository list every 10 s until the repository is ready',
    [ANALYZING, AWAY, ANALYZING, READY],
    undefined,
    [TEN, TEN, TEN, TEN],
  ],
  ['waits as long as a rate limit asks', [limited(75), ANALYZING, READY], undefined, [TEN, 75_000, TEN]],
  ['does not count a rate limit as a failure', [AWAY, ...Array<List>(30).fill(limited(900)), AWAY, READY]],
  [
    'counts failures from zero after an answer',
    [...Array<List>(19).fill(AWAY), ANALYZING, ...Array<List>(19).fill(AWAY), READY],
  ],
  [
    'stops waiting for the repository after 20 consecutive failures',
    Array<List>(20).fill(AWAY),
    { reason: 'service-error', cause: expect.stringContaining('the connection was reset') },
  ],
  [
    'stops waiting if the token may not read the repository list',
    [refused(403, 'forbidden')],
    { reason: 'configuration' },
  ],
  [
    'stops waiting if the repository is not listed any more',
    [ok<Repositories>([])],
    { reason: 'configuration', cause: expect.stringContaining('does not list') },
  ],
  [
    'stops waiting if the repository is marked for deletion',
    [listed('ready', 'MARKED_FOR_DELETION')],
    { reason: 'configuration', cause: expect.stringContaining('MARKED_FOR_DELETION') },
  ],
  [
    'ignores a malformed entry of another repository',
    [ok<Repositories>([malformed('other'), ...READY.value])],
  ],
  [
    'reads the repository list again if the entry of the repository is malformed',
    [MALFORMED, READY],
    undefined,
    [TEN, TEN],
  ],
  [
    'stops waiting after 20 malformed entries of the repository',
    Array<List>(20).fill(MALFORMED),
    {
      reason: 'service-error',
      cause: expect.stringContaining('`repositories.0.readiness` is missing'),
      nextStep: expect.stringMatching(/^Re-run this job later\. /),
    },
  ],
  [
    'reports an initializing repository if the time limit ends during a read',
    [stopped('timeout')],
    { reason: 'initializing', nextStep: expect.stringContaining('`timeout-minutes`') },
  ],
  [
    'reports a cancelled job if a signal ends a read of the repository list',
    [stopped('signal')],
    { reason: 'scan-cancelled', bySignal: true },
  ],
];

// `test.each` would shorten the names of the tests.
for (const [name, lists, failure, sleeps] of WAITS) {
  test(`waitUntilReady ${name}`, async () => {
    const { ended, calls, clock, messages } = await wait(lists);
    if (failure === undefined) expect(ended).toBeUndefined();
    else expect(ended).toMatchObject(failure);
    expect(calls).toHaveLength(lists.length);
    if (sleeps !== undefined) expect(clock.sleeps).toEqual(sleeps);
    expect(messages).toEqual([
      'The service is analyzing this repository for the first time. Checking again every 10 s.',
    ]);
  });
}

test('waitUntilReady waits as long as the service advises, even after a failed read', async () => {
  const { clock, messages } = await wait([ANALYZING, AWAY, READY], 45);
  expect(clock.sleeps).toEqual([45_000, 45_000, 45_000]);
  expect(messages).toEqual([expect.stringContaining('Checking again every 45 s.')]);
});

async function wait(lists: readonly List[], retryAfterSeconds?: number) {
  const clock = new FakeClock();
  const { signal } = new AbortController();
  const repositories = answers<Repositories>(...lists);
  const messages: string[] = [];
  const log = { info: (message: string) => void messages.push(message) };
  const ended = await waitUntilReady(
    { api: { repositories }, clock, signal, random: () => 0, log },
    { projectId: 'p', repositoryId: 'r', retryAfterSeconds },
  );
  for (const call of repositories.calls) expect(call).toEqual(['p', { signal }]);
  return { ended, calls: repositories.calls, clock, messages };
}

test.each([
  ['timeout', 'initializing'],
  ['signal', 'scan-cancelled'],
] as const)('after a %s during a wait, waitUntilReady reports `%s`', async (by, reason) => {
  const clock = new FakeClock({ auto: false });
  const run = new AbortController();
  const repositories = answers<Repositories>();
  const waiting = waitUntilReady(
    { api: { repositories }, clock, signal: run.signal, random: () => 0, log: { info: () => {} } },
    { projectId: 'p', repositoryId: 'r', retryAfterSeconds: undefined },
  );
  await clock.advance(1_000);
  run.abort(new Stop(by));
  expect(await waiting).toMatchObject({
    reason,
    cause: expect.stringContaining('before the scanning service had analyzed this repository'),
  });
  expect(repositories.calls).toEqual([]);
});
