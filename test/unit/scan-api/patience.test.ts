import { expect, test } from 'vitest';
import type { ApiError } from '../../../src/scan-api/api-error.ts';
import { createPatience, pollInterval, waitPatiently } from '../../../src/scan-api/patience.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { invalid, refused, stopped, unreachable } from '../scan/fake-api.ts';

/** What happens after a time in seconds. */
type Step = readonly [after: number, event: 'failed' | 'refused' | 'limited' | 'worked'];
const times = (count: number, ...step: Step) => Array<Step>(count).fill(step);

/** The first steps. Then the last one repeats until the patience ends. */
const ROWS: readonly (readonly [what: string, ...steps: readonly Step[]])[] = [
  ['failures at once', [0, 'failed']],
  ['failures during ten minutes', [660, 'failed'], [598, 'failed'], [1, 'failed']],
  ['a wait that the service asks for', [0, 'failed'], [540, 'limited'], [660, 'failed'], [100, 'failed']],
  ['many such waits', ...times(10, 0, 'failed'), ...times(30, 900, 'limited'), [0, 'failed']],
  ['a success', ...times(19, 0, 'failed'), [540, 'worked'], [31, 'failed']],
  ['refusals, each after 30 s', [30, 'refused']],
  ['many refusals', ...times(8, 0, 'refused'), [15, 'refused']],
  ['few refusals', ...times(2, 200, 'refused'), [0, 'refused']],
  [
    'a success after refusals',
    ...times(4, 0, 'refused'),
    [0, 'worked'],
    ...times(2, 130, 'refused'),
    [0, 'refused'],
  ],
  ['a late success after refusals', ...times(4, 0, 'refused'), [200, 'worked'], [24, 'refused']],
  [
    'such a wait between refusals',
    ...times(4, 0, 'refused'),
    [600, 'limited'],
    [600, 'refused'],
    [24, 'refused'],
  ],
  ['another failure between refusals', ...times(4, 30, 'refused'), [30, 'failed'], [0, 'refused']],
];

test('patience ends after many failures, a long silence, or lasting refusals', async () => {
  const lines: string[] = [];
  for (const [what, ...steps] of ROWS) {
    const clock = new FakeClock({ auto: false });
    const patience = createPatience(clock);
    for (let made = 1, isOver = false; !isOver; made += 1) {
      const [after, event] = steps[Math.min(made, steps.length) - 1] ?? [0, 'failed'];
      await clock.advance(after * 1_000);
      if (event === 'worked' || event === 'limited') patience[event]();
      else isOver = patience.failed(event === 'refused');
      if (isOver) lines.push(`${what}: ends at step ${made}, after ${clock.elapsed() / 1_000} s`);
    }
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/patience.txt');
});

test.each([
  ['ten seconds without advice to wait', undefined, 0, 10_000],
  ['the advised wait if the random number is 0', 600_000, 0, 600_000],
  ['the advised wait plus 10 % if the random number is 1', 7_000, 1, 7_700],
])('pollInterval returns %s', (_what, advised, draw, interval) => {
  expect(pollInterval(advised, () => draw)).toBeCloseTo(interval);
});

const after = (retryAfterSeconds: number) => ({ retryAfterSeconds });
const LIMITED = refused(429, 'rate_limited', after(2)).error;
const ERRORS: readonly (readonly [what: string, error: ApiError])[] = [
  ['a lost answer', unreachable('unknown', 'reset').error],
  ['a server error that advises 600 s', refused(503, 'internal', after(600)).error],
  ['a rate limit of 1,800 s', refused(429, 'rate_limited', after(1_800)).error],
  ['a rate limit of 2 s', LIMITED],
  ['a 404', refused(404, 'not_found').error],
  ['a 404 of a proxy', invalid(404, 'not-json').error],
  ['a refusal by a proxy', invalid(403, 'not-json').error],
  ['a rejected token that advises 60 s', refused(401, 'unauthorized', after(60)).error],
  ['a missing scope', refused(403, 'forbidden').error],
  ['an untrusted certificate', unreachable('no', 'certificate').error],
  ['a proxy that refuses the credentials', unreachable('no', 'proxy-credentials').error],
  ['a stop', stopped('signal').error],
];

/** Reads again until the patience ends, at most 22 times. Returns the waits in seconds, with equal ones counted. */
async function waitsAfter(error: ApiError): Promise<string> {
  const clock = new FakeClock();
  const patience = createPatience(clock);
  const groups: { readonly seconds: number; count: number }[] = [];
  for (let made = 1; made <= 22; made += 1) {
    const wait = waitPatiently(patience, error, () => 0);
    if (wait === undefined) return `${waitsOf(groups)}, ends at failure ${made}`;
    await clock.sleep(wait);
    const last = groups.at(-1);
    if (last?.seconds === wait / 1_000) last.count += 1;
    else groups.push({ seconds: wait / 1_000, count: 1 });
  }
  return `${waitsOf(groups)}, goes on`;
}

function waitsOf(groups: readonly { readonly seconds: number; readonly count: number }[]): string {
  return groups.map(({ seconds, count }) => `${count} x ${seconds} s`).join(', ') || 'no wait';
}

test('a read is repeated patiently, as long as the error can pass', async () => {
  const lines: string[] = [];
  for (const [what, error] of ERRORS) lines.push(`${what}: ${await waitsAfter(error)}`);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/patient-reads.txt');
});

test('a failure between rate limits ends the row of rate limits', () => {
  const patience = createPatience(new FakeClock());
  const limited = () => waitPatiently(patience, LIMITED, () => 0);
  for (let count = 1; count < 20; count += 1) limited();
  waitPatiently(patience, refused(500, 'internal').error, () => 0);
  expect(limited()).toBe(2_000);
});
