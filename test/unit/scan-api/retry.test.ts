import { describe, expect, test } from 'vitest';
import type { ApiError, InvalidAnswer, Refused, Unreachable } from '../../../src/scan-api/api-error.ts';
import {
  afterFailedCall,
  classify,
  classifyWrite,
  outlastsRun,
  retryAfterOf,
  waitAdvisedBy,
  waitAfterFailure,
} from '../../../src/scan-api/retry.ts';

const operation = 'launch the scan';

function refused(status: number, code: string, extra: Partial<Refused> = {}): ApiError {
  const plain = {
    kind: 'refused',
    operation,
    message: '',
    retryAfterSeconds: undefined,
  } as const;
  return { ...plain, status, code, ...extra };
}
function invalid(status: number, problem: InvalidAnswer['problem'], retryAfterSeconds?: number): ApiError {
  return { kind: 'invalid', operation, status, problem, detail: '', retryAfterSeconds };
}
function unreachable(sent: Unreachable['sent'], cause: Unreachable['cause']): ApiError {
  return { kind: 'unreachable', operation, sent, cause, detail: '' };
}
function stopped(sent: 'no' | 'unknown'): ApiError {
  return { kind: 'stopped', operation, sent, by: 'timeout' };
}

describe('classify', () => {
  test.each([
    ['a stop by our own signal', stopped('unknown'), 'stopped'],
    ['an unknown host name', unreachable('no', 'dns'), 'not-sent'],
    ['a refused connection', unreachable('no', 'refused'), 'not-sent'],
    ['a reset connection', unreachable('unknown', 'reset'), 'ambiguous'],
    ['an invalid certificate', unreachable('no', 'certificate'), 'definite'],
    ['a proxy that refuses the credentials', unreachable('no', 'proxy-credentials'), 'definite'],
    ['a proxy that fails', unreachable('no', 'proxy'), 'not-sent'],
    ['a 404', refused(404, 'not_found'), 'definite'],
    ['a rate limit that only the code shows', refused(403, 'rate_limited'), 'rate-limited'],
    ['a rate limit that only the status shows', refused(429, 'other'), 'rate-limited'],
    ['a wrong token', refused(401, 'unauthorized'), 'definite'],
    ['the status 499', refused(499, 'odd'), 'definite'],
    ['a request timeout of the service', refused(408, 'odd'), 'ambiguous'],
    ['an error of the service', refused(500, 'internal'), 'ambiguous'],
    ['a 503 of the service', refused(503, 'internal'), 'ambiguous'],
    ['HTML instead of JSON', invalid(200, 'not-json'), 'ambiguous'],
    ['an HTML page of a proxy', invalid(403, 'not-json'), 'definite'],
    ['the status 400 as HTML', invalid(400, 'not-json'), 'definite'],
    ['a malformed answer', invalid(202, 'wrong-shape'), 'ambiguous'],
    ['a 429 as HTML', invalid(429, 'not-json'), 'rate-limited'],
    ['a redirect', invalid(307, 'redirect'), 'ambiguous'],
    ['an answer that is too large', invalid(500, 'oversize'), 'definite'],
    ['a list that changed during three readings', invalid(200, 'shifting-list'), 'definite'],
  ] as const)('classify returns the documented meaning of %s', (_what, error, meaning) => {
    expect(classify(error)).toBe(meaning);
  });
});

describe('classifyWrite', () => {
  test.each([
    ['a stop by our own signal before the request was sent', stopped('no'), 'stopped'],
    ['a stop by our own signal after the request was sent', stopped('unknown'), 'ambiguous'],
    ['a redirect', invalid(307, 'redirect'), 'ambiguous'],
    ['a 202 that is too large', invalid(202, 'oversize'), 'ambiguous'],
    ['a 500 that is too large', invalid(500, 'oversize'), 'ambiguous'],
    ['a 400 that is too large', invalid(400, 'oversize'), 'definite'],
    ['a 499 that is too large', invalid(499, 'oversize'), 'definite'],
    ['an HTML page of a proxy', invalid(403, 'not-json'), 'definite'],
    ['a 429 as HTML', invalid(429, 'not-json'), 'rate-limited'],
    ['a refusal', refused(402, 'insufficient_credits'), 'definite'],
    ['an invalid certificate', unreachable('no', 'certificate'), 'definite'],
    ['a refused connection', unreachable('no', 'refused'), 'not-sent'],
  ] as const)('classifyWrite returns the documented meaning of %s', (_what, error, meaning) => {
    expect(classifyWrite(error)).toBe(meaning);
  });
});

test('retryAfterOf reads the advice to wait from any answer', () => {
  expect(retryAfterOf(refused(429, 'rate_limited', { retryAfterSeconds: 7 }))).toBe(7);
  expect(retryAfterOf(invalid(503, 'not-json', 8))).toBe(8);
  expect(retryAfterOf(unreachable('no', 'refused'))).toBeUndefined();
  expect(retryAfterOf(stopped('no'))).toBeUndefined();
});

test.each([
  [1, 1_000 + 0.5 * 2_000],
  [2, 1_000 + 0.5 * 4_000],
  [4, 1_000 + 0.5 * 16_000],
  [5, 1_000 + 0.5 * 19_000],
])('without advice to wait, the wait after failure %d is %d ms (random number: 0.5)', (failures, wait) => {
  expect(waitAfterFailure(unreachable('no', 'refused'), failures, () => 0.5)).toBe(wait);
});

describe('afterFailedCall', () => {
  const LIMITED = refused(429, 'rate_limited', { retryAfterSeconds: 75 });
  const OUTLASTING = refused(429, 'rate_limited', { retryAfterSeconds: 75, outlastsRun: true });
  const next = (error: ApiError, made = 1, onceAccepted = false) =>
    afterFailedCall(error, made, { attempts: 3, onceAccepted, random: () => 0 });

  test.each([
    ['a refused connection', unreachable('no', 'refused'), true],
    [
      'a reset connection, unless the request may take effect only once',
      unreachable('unknown', 'reset'),
      false,
    ],
    [
      'an error of the service, unless the request may take effect only once',
      refused(503, 'internal'),
      false,
    ],
    ['a rate limit', LIMITED, true],
  ] as const)('afterFailedCall retries after %s', (_what, error, againOnceAccepted) => {
    expect([next(error).again, next(error, 1, true).again]).toEqual([true, againOnceAccepted]);
    expect(next(error).forAll).toBe(error === LIMITED);
  });

  test.each([
    ['a wrong token', refused(401, 'unauthorized')],
    ['a rate limit that outlasts the run', OUTLASTING],
  ] as const)('afterFailedCall does not retry after %s', (_what, error) => {
    expect([next(error).again, next(error, 1, true).again]).toEqual([false, false]);
    expect(next(error).forAll).toBe(false);
  });

  test('afterFailedCall does not retry after the last attempt', () => {
    const blip = refused(503, 'internal');
    expect([1, 2, 3].map((made) => next(blip, made).again)).toEqual([true, true, false]);
    expect(next(LIMITED, 3)).toEqual({ again: false, waitMs: 75_000, forAll: true });
  });

  test('afterFailedCall waits as long as a 429 advises, but at most a minute after a 503', () => {
    expect(next(LIMITED).waitMs).toBe(75_000);
    expect(next(refused(503, 'internal', { retryAfterSeconds: 75 })).waitMs).toBe(60_000);
    expect(next(unreachable('no', 'refused')).waitMs).toBe(1_000);
  });
});

test('outlastsRun returns true for any answer that advises a wait beyond the end of the run', () => {
  const page: InvalidAnswer = {
    kind: 'invalid',
    operation,
    status: 429,
    problem: 'not-json',
    detail: '',
    retryAfterSeconds: 7,
  };
  expect(outlastsRun(refused(429, 'rate_limited', { retryAfterSeconds: 7, outlastsRun: true }))).toBe(true);
  expect(outlastsRun({ ...page, outlastsRun: true })).toBe(true);
  expect(outlastsRun(refused(429, 'rate_limited', { retryAfterSeconds: 7 }))).toBe(false);
  expect(outlastsRun(unreachable('no', 'refused'))).toBe(false);
});

test('a poll waits at most ten minutes if a 429 advises a wait beyond the end of the run', () => {
  const limited = { retryAfterSeconds: 1_800 };
  expect(waitAdvisedBy(refused(429, 'rate_limited', limited))).toBe(1_800_000);
  expect(waitAdvisedBy(refused(429, 'rate_limited', { ...limited, outlastsRun: true }))).toBe(600_000);
  expect(waitAdvisedBy(refused(503, 'internal', { ...limited, outlastsRun: true }))).toBe(60_000);
  expect(waitAdvisedBy(unreachable('no', 'refused'))).toBeUndefined();
});
