import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ApiError } from '../../../src/scan-api/api-error.ts';
import { afterFailedCall, classify, classifyWrite, waitAfterFailure } from '../../../src/scan-api/retry.ts';
import { invalid, refused, stopped, unreachable } from '../scan/fake-api.ts';

const limited = (retryAfterSeconds?: number) => refused(429, 'rate_limited', { retryAfterSeconds }).error;
const down = (retryAfterSeconds?: number) => refused(503, 'internal', { retryAfterSeconds }).error;
const outlasting = (error: ApiError, retryAfterSeconds: number) =>
  ({ ...error, retryAfterSeconds, outlastsRun: true }) as ApiError;

const ERRORS: readonly (readonly [what: string, error: ApiError])[] = [
  ['a stop before the request was sent', stopped('timeout', 'no').error],
  ['a stop after the request was sent', stopped('timeout', 'unknown').error],
  ['an unknown host name', unreachable('no', 'dns').error],
  ['a refused connection', unreachable('no', 'refused').error],
  ['a reset connection', unreachable('unknown', 'reset').error],
  ['an invalid certificate', unreachable('no', 'certificate').error],
  ['a proxy that refuses the credentials', unreachable('no', 'proxy-credentials').error],
  ['a proxy that fails', unreachable('no', 'proxy').error],
  ['a wrong token', refused(401, 'unauthorized').error],
  ['too few credits', refused(402, 'insufficient_credits').error],
  ['a 404', refused(404, 'not_found').error],
  ['a request timeout of the service', refused(408, 'odd').error],
  ['the status 499', refused(499, 'odd').error],
  ['an error of the service', refused(500, 'internal').error],
  ['HTML instead of JSON', invalid(200, 'not-json').error],
  ['the status 400 as HTML', invalid(400, 'not-json').error],
  ['an HTML page of a proxy', invalid(403, 'not-json').error],
  ['a 429 as HTML', invalid(429, 'not-json').error],
  ['a malformed answer', invalid(202, 'wrong-shape').error],
  ['a redirect', invalid(307, 'redirect').error],
  ...[202, 400, 499, 500].map(
    (status) => [`a ${status} that is too large`, invalid(status, 'oversize').error] as const,
  ),
  ['a list that changed during three readings', invalid(200, 'shifting-list').error],
  ['a rate limit that only the code shows', refused(403, 'rate_limited').error],
  ['a rate limit that only the status shows', refused(429, 'other').error],
  ...[undefined, 0.2, 75, 86_400].map((advised) => [`a 429, advice ${advised} s`, limited(advised)] as const),
  ...[0.2, 7, 601].map(
    (advised) =>
      [`a 429 that outlasts the run, advice ${advised} s`, outlasting(limited(), advised)] as const,
  ),
  ['a 429 as HTML that outlasts the run', outlasting(invalid(429, 'not-json').error, 700)],
  ...[undefined, 0.2, 60, 75].map((advised) => [`a 503, advice ${advised} s`, down(advised)] as const),
  ['a 413, advice 3600 s', refused(413, 'other', { retryAfterSeconds: 3_600 }).error],
];

test('each failed call is repeated if that is safe and useful, after the wait that the service asks for', async () => {
  const lines = ERRORS.map(([what, error]) => {
    const next = (onceAccepted: boolean) =>
      afterFailedCall(error, 1, { attempts: 2, onceAccepted, random: () => 0.5 });
    const [read, write] = [classify(error), classifyWrite(error)];
    const again = next(true).again ? 'repeated' : next(false).again ? 'repeated as a read' : 'not repeated';
    const waits = new Set([1, 2, 4, 5].map((failures) => waitAfterFailure(error, failures, () => 0.5)));
    const meaning = read === write ? read : `${read}, for a write ${write}`;
    const all = next(false).forAll ? ' for all calls' : '';
    const isWaiting = next(false).again || waits.size === 1;
    return `${what}: ${meaning}; ${again}${isWaiting ? `, waits ${[...waits].join(', ')} ms` : ''}${all}`;
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/retry.txt');
});

test('a call is not repeated after the last attempt, but a rate limit still delays the others', () => {
  const made = (made: number, error: ApiError) =>
    afterFailedCall(error, made, { attempts: 3, onceAccepted: false, random: () => 0 });
  expect([1, 2, 3].map((count) => made(count, down()).again)).toEqual([true, true, false]);
  expect(made(3, limited(75))).toEqual({ again: false, waitMs: 75_000, forAll: true });
});

test('the wait after a 503 is always between 1 and 60 seconds', () => {
  const draws = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const advice = fc.option(fc.double({ min: 0, noNaN: true }), { nil: undefined });
  fc.assert(
    fc.property(advice, fc.nat(5_000), draws, (advised, failures, draw) => {
      const wait = waitAfterFailure(down(advised), failures + 1, () => draw);
      expect(wait).toBeGreaterThanOrEqual(1_000);
      expect(wait).toBeLessThanOrEqual(60_000);
    }),
  );
});
