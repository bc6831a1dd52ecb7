import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ConnectionFault } from '../../../src/http/connection-error.ts';
import type { ApiError, InvalidAnswer, Operation } from '../../../src/scan-api/api-error.ts';
import { duration, explainApiError } from '../../../src/scan-api/explain-error.ts';
import { CODE_POINT } from '../../support/code-point.ts';

function refused(code: string, extra: Partial<Extract<ApiError, { kind: 'refused' }>> = {}): ApiError {
  return {
    kind: 'refused',
    operation: 'launch the scan',
    status: 400,
    code,
    message: 'words of the service',
    retryAfterSeconds: undefined,
    ...extra,
  };
}

describe('explainApiError for a code of the service', () => {
  test.each([
    ['unauthorized', 'configuration', /`api-token`.*expired or revoked/, /project admin.*`base-url`/],
    ['forbidden', 'configuration', /`scans:launch`/, /project admin.*`scans:launch`/],
    [
      'not_found',
      'configuration',
      /did not find what the request names \(`not_found`/,
      /`project-id` and `repository-id`.*project admin/,
    ],
    [
      'insufficient_credits',
      'insufficient-credits',
      /organization's credits in the scanning service do not cover.*50 credits/,
      /organization admin.*`credit-budget`/,
    ],
    ['rate_limited', 'rate-limited', /spend limit/, /later/],
    ['diff_base_required', 'configuration', /needs a base commit/, /`launch-parameters`.*`base-commit`/],
    ['diff_base_not_allowed', 'configuration', /more than this change/, /`preset`/],
    ['diff_base_invalid', 'configuration', /base commit/, /`base-commit`.*`repository-id`/],
    ['diff_empty', 'configuration', /no change/, /`commit`.*`launch-parameters`/],
    ['repository_initializing', 'initializing', /analyzing/, /`timeout-minutes`/],
    ['conflict', 'service-error', /same time/, /Re-run/],
    ['bad_request', 'configuration', /invalid.*words of the service/, /`preset`.*`launch-parameters`/],
    ['internal', 'service-error', /internal error \(`internal`: "words/, /later/],
    ['brand_new', 'service-error', /HTTP 400.*`brand_new`/, /support/],
  ])(
    'the code `%s` of the service becomes the reason `%s`, with a cause and a next step',
    (code, reason, cause, nextStep) => {
      const failure = explainApiError(refused(code), { creditBudget: 50 });
      expect(failure.reason).toBe(reason);
      expect(failure.cause).toMatch(cause);
      expect(failure.nextStep).toMatch(nextStep);
    },
  );

  test.each([
    'unauthorized',
    'forbidden',
    'not_found',
    'insufficient_credits',
    'rate_limited',
    'diff_base_required',
    'diff_base_not_allowed',
    'diff_base_invalid',
    'diff_empty',
    'repository_initializing',
    'conflict',
    'bad_request',
    'internal',
    'brand_new',
  ])('explainApiError shows the code `%s`, and the message of the service if there is one', (code) => {
    expect(explainApiError(refused(code)).cause).toContain(`(\`${code}\`: "words of the service"`);
    const { cause } = explainApiError(refused(code, { message: '' }));
    expect(cause).toMatch(new RegExp(`\\(\`${code}\`[);]`));
    expect(cause).not.toContain('"');
  });

  test.each<[Operation, string]>([
    ['list the repositories', 'read'],
    ['read the scan', 'read'],
    ['launch the scan', 'scans:launch'],
    ['cancel the scan', 'scans:launch'],
    ['publish the scan', 'publish'],
  ])('explainApiError names the scope that the token needs to %s (`%s`)', (operation, scope) => {
    expect(explainApiError(refused('forbidden', { operation })).cause).toContain(`\`${scope}\``);
  });

  test.each<Operation>([
    'check the API token',
    'list the repositories',
    'list the presets',
    'read the scan',
    'list the findings',
    'publish the scan',
  ])(
    'the advice for an invalid request names the inputs of a launch only for the launch, not to %s',
    (operation) => {
      const { cause, nextStep } = explainApiError(refused('bad_request', { operation }));
      expect(cause).toContain(`Could not ${operation}: the service rejected the request as invalid`);
      expect(nextStep).toBe("Re-run this job later. If it fails again, contact the service's support.");
    },
  );

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'explainApiError treats `%s` as an ordinary unknown code',
    (code) => {
      expect(explainApiError(refused(code))).toMatchObject({ reason: 'service-error' });
    },
  );

  test('the explanation of a rate-limited read names the wait, and does not mention the spend limit', () => {
    const error = refused('rate_limited', { operation: 'list the presets', retryAfterSeconds: 2_400 });
    const { cause } = explainApiError(error);
    expect(cause).not.toContain('spend limit');
    expect(cause).toContain('40 minutes');
  });

  test("if the launch sent no budget, explainApiError writes that the budget is the service's default", () => {
    expect(explainApiError(refused('insufficient_credits')).cause).toContain("the service's default");
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
});

describe('an invalid answer', () => {
  test.each<[InvalidAnswer['problem'], RegExp, RegExp]>([
    ['redirect', /redirect/, /`base-url` to the final address/],
    ['oversize', /too large/, /`base-url`/],
    ['not-json', /not JSON/, /`base-url`.*proxy/],
    ['wrong-shape', /service's API/, /`base-url`/],
    ['shifting-list', /kept changing/, /Re-run/],
  ])(
    'explainApiError gives a cause and a next step for an invalid answer (`%s`)',
    (problem, cause, nextStep) => {
      const failure = explainApiError({
        kind: 'invalid',
        operation: 'list the findings',
        status: 200,
        problem,
        detail: 'what was seen',
        retryAfterSeconds: undefined,
      });
      expect(failure).toMatchObject({ reason: 'service-error' });
      expect(failure.cause).toMatch(cause);
      expect(failure.cause).toContain('list the findings');
      expect(failure.nextStep).toMatch(nextStep);
    },
  );

  test('explainApiError explains a 429 that is not JSON as a rate limit', () => {
    const failure = explainApiError({
      kind: 'invalid',
      operation: 'check the API token',
      status: 429,
      problem: 'not-json',
      detail: '',
      retryAfterSeconds: 60,
    });
    expect(failure.reason).toBe('rate-limited');
  });
});

describe('no answer', () => {
  test.each<[ConnectionFault, RegExp]>([
    ['dns', /`base-url`/],
    ['refused', /firewall or proxy/],
    ['connect-timeout', /HTTPS_PROXY/],
    ['timeout', /status page/],
    ['reset', /status page/],
    ['certificate', /`NODE_EXTRA_CA_CERTS`/],
    ['proxy', /`NO_PROXY`/],
    ['proxy-credentials', /`HTTPS_PROXY`.*name:password/],
    ['other', /`base-url`/],
  ])('explainApiError gives a next step for a failed connection (`%s`)', (cause, nextStep) => {
    const failure = explainApiError({
      kind: 'unreachable',
      operation: 'check the API token',
      sent: 'no',
      cause,
      detail: 'd',
    });
    expect(failure.reason).toBe('service-error');
    expect(failure.nextStep).toMatch(nextStep);
  });

  test('explainApiError returns `timeout` if the time limit ended, and `scan-cancelled` if the job was cancelled', () => {
    const stopped = { kind: 'stopped', operation: 'read the scan', sent: 'unknown' } as const;
    expect(explainApiError({ ...stopped, by: 'timeout' })).toMatchObject({ reason: 'timeout' });
    expect(explainApiError({ ...stopped, by: 'timeout' }).bySignal).toBeUndefined();
    expect(explainApiError({ ...stopped, by: 'signal' })).toMatchObject({
      reason: 'scan-cancelled',
      bySignal: true,
    });
  });
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
