import { expect, test } from 'vitest';
import type { ApiError } from '../../../src/scan-api/api-error.ts';
import { createPatience, pollInterval, waitPatiently } from '../../../src/scan-api/patience.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { invalid, refused, stopped, unreachable } from '../scan/fake-api.ts';

/** What happens after a time in seconds. `over`: this failure is one too many. */
type Step = readonly [after: number, event: 'failed' | 'refused' | 'limited' | 'worked', over?: 'over'];
const steps = (count: number, ...step: Step) => Array<Step>(count).fill(step);

test.each<[what: string, steps: readonly Step[]]>([
  ['ends at the twentieth consecutive failure', [...steps(19, 0, 'failed'), [0, 'failed', 'over']]],
  [
    'ends ten minutes after the first of several consecutive failures',
    [
      [660, 'failed'],
      [599, 'failed'],
      [1, 'failed', 'over'],
    ],
  ],
  [
    'does not count the time of a wait that the service asks for',
    [
      [0, 'failed'],
      [540, 'limited'],
      [660, 'failed'],
      [599, 'failed'],
      [1, 'failed', 'over'],
    ],
  ],
  [
    'keeps the number of failures during a wait that the service asks for',
    [
      ...steps(10, 0, 'failed'),
      ...steps(30, 900, 'limited'),
      ...steps(9, 0, 'failed'),
      [0, 'failed', 'over'],
    ],
  ],
  [
    'begins again after a success',
    [...steps(19, 0, 'failed'), [540, 'worked'], ...steps(19, 31, 'failed'), [31, 'failed', 'over']],
  ],
  ['ends at the fifth refusal after two minutes', [...steps(4, 30, 'refused'), [30, 'refused', 'over']]],
  [
    'ends two minutes after the first of many refusals',
    [...steps(8, 0, 'refused'), [119, 'refused'], [1, 'refused', 'over']],
  ],
  [
    'does not end before the fifth refusal',
    [...steps(2, 200, 'refused'), ...steps(2, 0, 'refused'), [0, 'refused', 'over']],
  ],
  [
    'counts refusals from zero after a success',
    [
      ...steps(4, 0, 'refused'),
      [0, 'worked'],
      ...steps(2, 130, 'refused'),
      ...steps(2, 0, 'refused'),
      [0, 'refused', 'over'],
    ],
  ],
  [
    'measures the time of refusals from zero after a success',
    [...steps(4, 0, 'refused'), [200, 'worked'], ...steps(5, 0, 'refused'), [120, 'refused', 'over']],
  ],
  [
    'does not count the time of a wait between refusals that the service asks for',
    [...steps(4, 0, 'refused'), [600, 'limited'], [600, 'refused'], [119, 'refused'], [1, 'refused', 'over']],
  ],
  [
    'does not count other failures as refusals',
    [...steps(4, 30, 'refused'), [30, 'failed'], [0, 'refused', 'over']],
  ],
])('patience %s', async (_what, happened) => {
  const clock = new FakeClock({ auto: false });
  const patience = createPatience(clock);
  for (const [after, event, over] of happened) {
    await clock.advance(after * 1_000);
    if (event === 'worked' || event === 'limited') patience[event]();
    else expect(patience.failed(event === 'refused')).toBe(over !== undefined);
  }
});

test.each([
  ['ten seconds without advice to wait', undefined, 0, 10_000],
  ['the advised wait if the random number is 0', 7_000, 0, 7_000],
  ['the advised wait plus 10 % if the random number is 1', 7_000, 1, 7_700],
  ['the advised wait plus 5 % if the random number is 0.5', 1_000, 0.5, 1_050],
  ['ten minutes if the service advises ten minutes', 600_000, 0, 600_000],
])('pollInterval returns %s', (_what, advised, draw, interval) => {
  expect(pollInterval(advised, () => draw)).toBeCloseTo(interval);
});

const after = (seconds: number) => ({ retryAfterSeconds: seconds });

test.each<[what: string, error: ApiError, seconds: readonly (number | undefined)[]]>([
  ['ten seconds after a lost answer', unreachable('unknown', 'reset').error, [10, 10]],
  ['at most a minute after a server error', refused(503, 'internal', after(600)).error, [60]],
  ['as long as a rate limit asks', refused(429, 'rate_limited', after(1_800)).error, [1_800]],
  [
    'at least 30 s after the twentieth rate limit in a row',
    refused(429, 'rate_limited', after(2)).error,
    [...Array<number>(19).fill(2), 30, 30],
  ],
  [
    'a few seconds after a 404, because the service can be late',
    refused(404, 'not_found').error,
    [2, 4, 8, 10],
  ],
  ['ten seconds after a 404 of a proxy', invalid(404, 'not-json').error, [10]],
  ['at most 30 s after a refusal', refused(401, 'unauthorized', after(60)).error, [30]],
  ['ten seconds after a certificate error', unreachable('no', 'certificate').error, [10]],
  ['no longer after a stop', stopped('signal').error, [undefined]],
])('waitPatiently waits %s', (_what, error, seconds) => {
  const patience = createPatience(new FakeClock());
  expect(seconds.map(() => waitPatiently(patience, error, () => 0))).toEqual(
    seconds.map((wait) => wait && wait * 1_000),
  );
});

test('a failure between rate limits ends the row of rate limits', () => {
  const patience = createPatience(new FakeClock());
  const limited = () => waitPatiently(patience, refused(429, 'rate_limited', after(2)).error, () => 0);
  for (let count = 1; count < 20; count += 1) limited();
  waitPatiently(patience, refused(500, 'internal').error, () => 0);
  expect(limited()).toBe(2_000);
});

test.each<[what: string, error: ApiError, failures: number]>([
  ['a rejected token', refused(401, 'unauthorized').error, 13],
  ['a missing scope', refused(403, 'forbidden').error, 13],
  ['an untrusted certificate', unreachable('no', 'certificate').error, 13],
  ['a proxy that refuses the credentials', unreachable('no', 'proxy-credentials').error, 13],
  ['a 404', refused(404, 'not_found').error, 15],
  ['a refusal by a proxy', invalid(403, 'not-json').error, 20],
  ['a lost answer', unreachable('unknown', 'reset').error, 20],
])('waitPatiently gives up if %s lasts', async (_what, error, failures) => {
  const clock = new FakeClock();
  const patience = createPatience(clock);
  let made = 0;
  for (let wait: number | undefined = 0; wait !== undefined; made += 1) {
    await clock.sleep(wait);
    wait = waitPatiently(patience, error, () => 0);
  }
  expect(made).toBe(failures);
});
