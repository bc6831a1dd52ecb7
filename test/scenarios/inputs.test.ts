import { expect, test } from 'vitest';
import { EVERYTHING_ALLOWED, expectNotScanned } from './expect-result.ts';
import { prepare, runScenario } from './scenario.ts';

test('one message reports all input errors, and how to correct each input', async () => {
  const result = await runScenario({
    inputs: {
      ...EVERYTHING_ALLOWED,
      'fail-on': 'hihg',
      'severity-threshold': 'moderate',
      'fail-on-evidence': 'proof',
      'credit-budget': 'ten',
      'base-commit': 'main',
      'launch-parameters': '[1]',
      comment: 'sometimes',
      'timeout-minutes': '0',
      'report-file': '../report.json',
    },
  });
  expectNotScanned(result, 'configuration', {
    launches: 0,
    texts: [
      'fail-on is hihg. Use one of: critical, high, medium, low, info, none.',
      'severity-threshold is moderate. Use one of: critical, high, medium, low, info.',
      'fail-on-evidence is proof. Use one of: any, confirmed, poc.',
      'credit-budget is ten. Use a whole number, 1 or more.',
      'base-commit is main. Use a full commit SHA',
      'launch-parameters is not a JSON object',
      'comment is sometimes. Use one of: always, on-findings, never.',
      'timeout-minutes is 0. Use a whole number, from 1 to 7200.',
      'report-file is ../report.json. Use a path inside the workspace.',
      'Scangate found 9 input errors.',
      'Fix them under with: in the workflow and push.',
    ],
  });
  expect(result.environment.service.requests).toEqual([]);
});

test.each(['configuration', 'missing-token, everything', 'none, timeout'])(
  'a run reports the input `allow-unscanned: %s` as an error',
  async (reasons) => {
    const result = await runScenario({ inputs: { 'allow-unscanned': reasons } });
    expectNotScanned(result, 'configuration', {
      launches: 0,
      texts: ['allow-unscanned contains', 'Use none, or any of: missing-token', 'Fix it'],
    });
  },
);

test.each(['http://scanner.example/api/v1', 'https://scanner.example/', 'scanner', ''])(
  'a run reports the `base-url` "%s" as an error',
  async (baseUrl) => {
    const result = await runScenario({ inputs: { 'base-url': baseUrl } });
    expectNotScanned(result, 'configuration', {
      launches: 0,
      texts: ['base-url is', 'an https URL ending in /api/v1', 'Fix it'],
    });
  },
);

test('a run reports an invalid GITHUB_REPOSITORY', async () => {
  const result = await runScenario({
    driver: 'bundle',
    run: () => ({ env: { GITHUB_REPOSITORY: 'nobody' } }),
  });
  expectNotScanned(result, 'configuration', {
    checkRun: false,
    launches: 0,
    texts: ['This does not look like a GitHub Actions step: GITHUB_REPOSITORY is not of the form owner/name'],
  });
});

test.each([
  ['pull_request', {}, 'repository is missing or malformed'],
  ['merge_group', { action: 'checks_requested' }, 'repository is missing or malformed'],
])(
  'a run reports a configuration error if the payload of the event `%s` is incomplete',
  async (name, payload, texts) => {
    const result = await runScenario({
      inputs: EVERYTHING_ALLOWED,
      run: () => ({ event: { name, payload } }),
    });
    expectNotScanned(result, 'configuration', {
      checkRun: false,
      launches: 0,
      texts: [`The payload of the ${name} event is not as documented: ${texts}`, 'Re-run the workflow'],
    });
  },
);

test.each([
  ['api-token', 'svc_proj_k1_abc\ndef'],
  ['github-token', 'ghs_abc…'],
])('a run with a `%s` that no header can hold sends no request with it', async (name, token) => {
  const scenario = await prepare({});
  const { github, service } = scenario.environment;
  const run = await scenario.environment.run({ inputs: { ...EVERYTHING_ALLOWED, [name]: token } });
  expect(run.outputs, run.log).toMatchObject({ outcome: 'not-scanned', reason: 'configuration' });
  expect(run.exitCode).toBe(1);
  expect(run.log).toContain(`\`${name}\` contains a space, a line break or`);
  expect((name === 'api-token' ? service : github).requests).toEqual([]);
  for (const text of [run.log, run.summary, JSON.stringify(run.outputs)]) expect(text).not.toMatch(/abc/);
});
