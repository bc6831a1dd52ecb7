import { expect, test } from 'vitest';
import { createLastLook, LOOK_SERVES_MS } from '../../../src/change/last-look.ts';
import { Stop } from '../../../src/domain/stop.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, github, SHA } from '../github/client.ts';
import { pullRequestAnswer } from '../github/pull-request-answers.ts';

function lastLook(signal = NEVER_ABORTED) {
  const clock = new FakeClock({ auto: false });
  return { clock, look: createLastLook({ github: client(), clock, signal }, 5) };
}

/** Makes GitHub answer with these heads in turn. */
function answers(...heads: string[]): void {
  for (const headRefOid of heads) github().post('/graphql').reply(200, pullRequestAnswer({ headRefOid }));
}

const headOf = async (reading: ReturnType<ReturnType<typeof createLastLook>['read']>) => {
  const read = await reading;
  return read.ok ? read.value.headSha : read.error.kind;
};

test('the last look uses the answer to begin() for one read only', async () => {
  const { clock, look } = lastLook();
  answers(SHA.head);
  look.begin();
  await clock.advance(LOOK_SERVES_MS);
  expect(await headOf(look.read(NEVER_ABORTED))).toBe(SHA.head);

  answers(SHA.other);
  expect(await headOf(look.read(NEVER_ABORTED))).toBe(SHA.other);
});

test('the last look does not use an answer that is too old', async () => {
  const { clock, look } = lastLook();
  answers(SHA.head, SHA.other);
  look.begin();
  await clock.advance(LOOK_SERVES_MS + 1);
  expect(await headOf(look.read(NEVER_ABORTED))).toBe(SHA.other);
});

test('the last look asks GitHub if begin() was not called', async () => {
  answers(SHA.head);
  expect(await headOf(lastLook().look.read(NEVER_ABORTED))).toBe(SHA.head);
});

test('the last look uses an error as the answer, because the request was already retried', async () => {
  const { look } = lastLook();
  github().post('/graphql').reply(401, {}).get('/repos/acme/shop/pulls/5').reply(401, {});
  look.begin();
  expect(await headOf(look.read(NEVER_ABORTED))).toBe('unauthorized');
});

test('the last look reads again if its first read was stopped', async () => {
  const stop = new AbortController();
  const { look } = lastLook(stop.signal);
  stop.abort(new Stop('timeout'));
  look.begin();
  answers(SHA.head);
  expect(await headOf(look.read(NEVER_ABORTED))).toBe(SHA.head);
});
