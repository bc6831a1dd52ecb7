import { expect, test } from 'vitest';
import type { KnownPullRequest } from '../../../src/change/freshness.ts';
import { createLastLook, LOOK_SERVES_MS, readFreshPullRequest } from '../../../src/change/pull-request.ts';
import { ok, Stop } from '../../../src/domain/result.ts';
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

function lastLook(signal = NEVER_ABORTED) {
  const clock = new FakeClock({ auto: false });
  return { clock, look: createLastLook({ github: client(), clock, signal }, 5) };
}

/** Makes GitHub show the pull request with these heads, one head per request. */
function answers(...heads: string[]): void {
  for (const headRefOid of heads) github().post('/graphql').reply(200, pullRequestAnswer({ headRefOid }));
}

const headOf = async (reading: ReturnType<ReturnType<typeof createLastLook>['read']>) => {
  const read = await reading;
  return read.ok ? read.value.headSha : read.error.kind;
};

test('lastLook.read() returns the answer to begin() only once', async () => {
  const { clock, look } = lastLook();
  answers(SHA.head);
  look.begin();
  await clock.advance(LOOK_SERVES_MS);
  expect(await headOf(look.read(NEVER_ABORTED))).toBe(SHA.head);

  answers(SHA.other);
  expect(await headOf(look.read(NEVER_ABORTED))).toBe(SHA.other);
});

test('lastLook.read() asks GitHub again if the answer to begin() is too old', async () => {
  const { clock, look } = lastLook();
  answers(SHA.head, SHA.other);
  look.begin();
  await clock.advance(LOOK_SERVES_MS + 1);
  expect(await headOf(look.read(NEVER_ABORTED))).toBe(SHA.other);
});

test('lastLook.read() asks GitHub if begin() was not called', async () => {
  answers(SHA.head);
  expect(await headOf(lastLook().look.read(NEVER_ABORTED))).toBe(SHA.head);
});

test('lastLook.read() returns the error of begin() without another request', async () => {
  const { look } = lastLook();
  github().post('/graphql').reply(401, {}).get('/repos/acme/shop/pulls/5').reply(401, {});
  look.begin();
  expect(await headOf(look.read(NEVER_ABORTED))).toBe('unauthorized');
});

test('lastLook.read() asks GitHub again if the request of begin() was stopped', async () => {
  const stop = new AbortController();
  const { look } = lastLook(stop.signal);
  stop.abort(new Stop('timeout'));
  look.begin();
  answers(SHA.head);
  expect(await headOf(look.read(NEVER_ABORTED))).toBe(SHA.head);
});

test('lastLook.isFresh() counts the age from the time when the answer arrived', async () => {
  const { clock, look } = lastLook();
  const slow = async () => {
    await clock.advance(2_000);
    return pullRequestAnswer({ headRefOid: SHA.head });
  };
  github().post('/graphql').reply(200, slow);
  look.begin();
  while (look.seen() === undefined) await new Promise(setImmediate);
  await clock.advance(LOOK_SERVES_MS - 2_000);
  expect(await headOf(look.read(NEVER_ABORTED))).toBe(SHA.head);
  await clock.advance(2_000);
  expect(look.isFresh()).toBe(true);
  await clock.advance(1);
  expect(look.isFresh()).toBe(false);
});

test('lastLook.seen() returns the newest known state, whatever its age', async () => {
  const { clock, look } = lastLook();
  expect(look.seen()).toBeUndefined();
  answers(SHA.head);
  look.begin();
  const read = await look.read(NEVER_ABORTED);
  if (!read.ok) throw new Error(read.error.message);
  await clock.advance(LOOK_SERVES_MS + 1);
  expect(look.seen()).toEqual(read.value);

  const sameAge = { ...read.value, headSha: SHA.other };
  look.saw(sameAge);
  expect(look.seen()).toBe(sameAge);
  look.saw({ ...read.value, updatedAt: new Date(read.value.updatedAt.getTime() - 1) });
  expect(look.seen()).toBe(sameAge);
});

test('lastLook.seen() returns undefined if the request of begin() failed', async () => {
  const { look } = lastLook();
  github().post('/graphql').reply(401, {}).get('/repos/acme/shop/pulls/5').reply(401, {});
  look.begin();
  await look.read(NEVER_ABORTED);
  expect(look.seen()).toBeUndefined();
});
