import { expect, test } from 'vitest';
import type { KnownPullRequest } from '../../../src/change/freshness.ts';
import { readFreshPullRequest } from '../../../src/change/pull-request-reader.ts';
import { ok } from '../../../src/domain/result.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, github, SHA } from '../github/client.ts';
import { pullRequestAnswer, UPDATED } from '../github/pull-request-answers.ts';

const KNOWN: KnownPullRequest = {
  headSha: SHA.head,
  baseName: 'main',
  isOpen: true,
  updatedAt: new Date(UPDATED),
  previousHead: SHA.other,
  firstAttempt: true,
  asOf: new Date(UPDATED),
};
const STALE = pullRequestAnswer({ headRefOid: SHA.other });

async function read(clock: FakeClock, signal = NEVER_ABORTED) {
  const { freshness } = await readFreshPullRequest({ github: client({ clock }), clock, signal }, 5, KNOWN);
  return freshness;
}

test('readFreshPullRequest reads the pull request once if GitHub shows the newest state', async () => {
  const clock = new FakeClock();
  github().post('/graphql').reply(200, pullRequestAnswer());
  expect(await read(clock)).toMatchObject({ kind: 'current', state: { headSha: SHA.head } });
  expect(clock.sleeps).toEqual([]);
});

test('readFreshPullRequest reads the pull request again while GitHub shows an older state', async () => {
  const clock = new FakeClock();
  github().post('/graphql').twice().reply(200, STALE).post('/graphql').reply(200, pullRequestAnswer());
  expect(await read(clock)).toMatchObject({ kind: 'current' });
  expect(clock.sleeps).toEqual([2_000, 4_000]);
});

test('readFreshPullRequest uses the `read` function that it is given', async () => {
  const clock = new FakeClock();
  const heads = [SHA.other, SHA.head].values();
  const shown = { ...KNOWN, viewer: 'bot', headTree: undefined, baseTip: undefined, comments: [] };
  const ask = async () =>
    ok({ ...shown, updatedAt: new Date(UPDATED), headSha: heads.next().value ?? SHA.base });
  const deps = { github: client({ clock }), clock, signal: NEVER_ABORTED, read: ask };
  expect(await readFreshPullRequest(deps, 5, KNOWN)).toMatchObject({
    freshness: { kind: 'current' },
    answer: { ok: true, value: { headSha: SHA.head } },
  });
  expect(clock.sleeps).toEqual([2_000]);
});

test('readFreshPullRequest reads the pull request at most four times, with waits of 2, 4 and 8 seconds', async () => {
  const clock = new FakeClock();
  github().post('/graphql').times(4).reply(200, STALE);
  expect(await read(clock)).toEqual({ kind: 'known-serves', error: undefined });
  expect(clock.sleeps).toEqual([2_000, 4_000, 8_000]);
});

test('readFreshPullRequest stops waiting if the run is stopped', async () => {
  const clock = new FakeClock({ auto: false });
  const stop = new AbortController();
  github().post('/graphql').reply(200, STALE);
  const reading = read(clock, stop.signal);
  while (clock.sleeps.length === 0) await new Promise((resolve) => setImmediate(resolve));
  stop.abort();
  expect(await reading).toMatchObject({ error: { kind: 'stopped' } });
});
