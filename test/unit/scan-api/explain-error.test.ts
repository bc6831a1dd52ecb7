import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ApiError, Operation, Refused } from '../../../src/scan-api/api-error.ts';
import { duration, explainApiError } from '../../../src/scan-api/explain-error.ts';
import { CODE_POINT } from '../../support/code-point.ts';
import * as fake from '../scan/fake-api.ts';

const refused = (code: string, extra: Partial<Refused> = {}) =>
  fake.refused(400, code, { message: 'words of the service', ...extra }).error;
const of = (error: ApiError, operation: Operation): ApiError => ({ ...error, operation });

const CODES = [
  ...['unauthorized', 'forbidden', 'not_found', 'insufficient_credits', 'rate_limited', 'diff_base_required'],
  ...['diff_base_not_allowed', 'diff_base_invalid', 'diff_empty', 'repository_initializing', 'conflict'],
  ...['bad_request', 'internal', 'brand_new', '__proto__', 'constructor', 'toString', 'hasOwnProperty'],
];
const OPERATIONS: readonly Operation[] = [
  'check the API token',
  'list the repositories',
  'list the presets',
  'read the scan',
  'cancel the scan',
  'list the findings',
  'publish the scan',
];
const PROBLEMS = ['redirect', 'oversize', 'not-json', 'wrong-shape', 'shifting-list'] as const;
const FAULTS = [
  ...(['dns', 'refused', 'connect-timeout', 'timeout', 'reset', 'certificate', 'proxy'] as const),
  ...(['proxy-credentials', 'other'] as const),
];

const ROWS: readonly (readonly [what: string, error: ApiError, asked?: { creditBudget: number }])[] = [
  ...CODES.map((code) => [code, refused(code), { creditBudget: 50 }] as const),
  ...CODES.map((code) => [`${code}, no message, no budget`, refused(code, { message: '' })] as const),
  ...OPERATIONS.flatMap((operation) =>
    ['forbidden', 'bad_request'].map(
      (code) => [`${code}: ${operation}`, refused(code, { operation })] as const,
    ),
  ),
  ['a rate limit', refused('rate_limited', { operation: 'list the presets', retryAfterSeconds: 2_400 })],
  ...PROBLEMS.map((problem) => [problem, of(fake.invalid(200, problem).error, 'list the findings')] as const),
  ['status 429, not JSON', of(fake.invalid(429, 'not-json').error, 'list the findings')],
  ...FAULTS.map((fault) => [fault, of(fake.unreachable('no', fault).error, 'check the API token')] as const),
  ['the time limit ends', of(fake.stopped('timeout').error, 'read the scan')],
  ['the job is cancelled', of(fake.stopped('signal').error, 'read the scan')],
];

test('each error of the service gets a reason, a cause and a next step', async () => {
  const lines = ROWS.map(([what, error, asked]) => {
    const { reason, cause, nextStep, bySignal } = explainApiError(error, asked);
    return `${what}: ${reason}${bySignal === true ? ' by a signal' : ''}. ${cause} ${nextStep}`;
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/explain-error.txt');
});

test("explainApiError shortens the service's code and message, and keeps them on one line", () => {
  fc.assert(
    fc.property(fc.string({ unit: CODE_POINT, maxLength: 2_000 }), (text) => {
      const { cause } = explainApiError(refused(text, { message: text }));
      expect(cause).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
      expect(cause.isWellFormed()).toBe(true);
      expect([...cause].length).toBeLessThan(420);
    }),
  );
});

test.each([
  [0.2, '1 s'],
  [119, '119 s'],
  [120, '2 minutes'],
  [7_200, '2 hours'],
  [172_799, '48 hours'],
  [172_800, '2 days'],
  [1_425_600, '17 days'],
])('a duration of %d seconds is written as %s', (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});
