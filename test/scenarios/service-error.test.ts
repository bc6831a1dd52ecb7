import { describe, expect, test } from 'vitest';
import type { Answer, Interception } from '../../sandbox/faults/interception.ts';
import { isObject } from '../../sandbox/json.ts';
import { allowing, BOTH_WAYS, expectNotScanned, expectResult } from './expect-result.ts';
import { runScenario } from './scenario.ts';

const INTERNAL = { status: 500, body: { error: { code: 'internal', message: 'Something broke.' } } };
const PAGE = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Please log in</html>' };

const FIREWALL = { ...PAGE, status: 403, body: '<html>Blocked</html>' };
const REDIRECT = { status: 302, headers: { location: '/login' } };
const RESET = { fault: 'reset-before' } as const;

const at = (wanted: string, interception: Interception) => ({
  intercept: ({ point }: { readonly point: string }) => (point === wanted ? interception : undefined),
});

describe('before the launch', () => {
  test.each(BOTH_WAYS)(
    'a run launches no scan if the service fails before the launch ($way)',
    async ({ allowed }) => {
      const result = await runScenario({
        service: at('repositories', INTERNAL),
        inputs: allowing('service-error', allowed),
      });
      expectNotScanned(result, 'service-error', {
        allowed,
        launches: 0,
        texts: [
          'Could not list the repositories: the service returned an internal error',
          'Re-run this job later',
        ],
      });
      expect(result.environment.service.ledger().entries).toHaveLength(1);
    },
  );

  test('a run launches no scan if it gets a login page instead of an answer of the service', async () => {
    const result = await runScenario({ service: at('token', PAGE) });
    expectNotScanned(result, 'service-error', {
      launches: 0,
      texts: ['the response is not JSON', 'Check that base-url ends in /api/v1'],
    });
  });

  test('a run launches no scan if the service is down', async () => {
    const result = await runScenario({ before: ({ environment }) => environment.service.close() });
    expectNotScanned(result, 'service-error', {
      launches: 0,
      texts: ['the connection was refused', 'Check base-url'],
    });
  });
});

test('a run uses the paid scan despite short failures of the service, a proxy and a firewall', async () => {
  let polls = 0;
  const result = await runScenario({
    head: 'clean',
    service: {
      pace: { phasesPerPoll: 1 },
      intercept: ({ point, count }) => {
        if (point !== 'scans.read') return undefined;
        polls += 1;
        return [FIREWALL, undefined, INTERNAL, RESET, PAGE, FIREWALL, REDIRECT][count];
      },
    },
  });
  expectResult(result, {
    outcome: 'passed',
    exitCode: 0,
    conclusion: 'success',
    launches: 1,
    texts: ['Passed: no findings'],
  });
  expect(polls).toBeGreaterThan(7);
});

/** A run gives up to read the findings after 20 failures, which takes minutes. */
const PATIENT = { driver: 'in process', inputs: { 'timeout-minutes': '30' } } as const;

describe('findings that cannot be read', () => {
  test.each(BOTH_WAYS)(
    'the outcome is `not-scanned` if the service fails to list the findings ($way)',
    async ({ allowed }) => {
      const result = await runScenario({
        ...PATIENT,
        head: 'clean',
        service: at('findings.list', INTERNAL),
        inputs: { ...PATIENT.inputs, ...allowing('service-error', allowed) },
      });
      expectNotScanned(result, 'service-error', {
        allowed,
        launches: 1,
        texts: [
          'Could not list the findings: the service returned an internal error (internal: "Something broke.")',
          'Re-run this job later',
        ],
      });
      expect(result.run.outputs).toMatchObject({ 'scan-status': 'COMPLETED', 'findings-total': '' });
    },
  );

  test('a run does not pass if the list of findings changes while the run reads it', async () => {
    const grow = (answer: Answer): Answer => ({
      ...answer,
      body: isObject(answer.body) ? { ...answer.body, total: Number(answer.body['total']) + 1 } : answer.body,
    });
    const result = await runScenario({ head: 'clean', service: at('findings.list', { rewrite: grow }) });
    expectNotScanned(result, 'service-error', {
      launches: 1,
      texts: ['the list kept changing while Scangate read it', 'Re-run this job'],
    });
    expect(result.environment.service.requests.filter(({ point }) => point === 'findings.list')).toHaveLength(
      3,
    );
  });

  test.each<[string, Interception]>([
    ['an HTML page', PAGE],
    ['an empty object', { status: 200, body: {} }],
    ['an empty body', { status: 200, body: '' }],
    ['an object without items', { status: 200, body: { page: 1, limit: 100, total: 0 } }],
  ])('a run does not pass if the list of findings is %s', async (_what, interception) => {
    const result = await runScenario({ ...PATIENT, service: at('findings.list', interception) });
    expectNotScanned(result, 'service-error', {
      launches: 1,
      texts: ['Could not list the findings', 'base-url'],
    });
  });

  test('a run does not pass if the token is revoked before the findings are read', async () => {
    const result = await runScenario({
      ...PATIENT,
      service: at('findings.list', {
        status: 401,
        body: { error: { code: 'unauthorized', message: 'Unauthorized.' } },
      }),
    });
    expectNotScanned(result, 'configuration', {
      launches: 1,
      texts: ['The service rejected api-token'],
    });
  });
});
