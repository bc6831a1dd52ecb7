import { expect, test } from 'vitest';
import { EVERYTHING_ALLOWED, expectNotScanned } from './expect-story.ts';
import { tell } from './story.ts';

test('all faults of the inputs are told in one message, each with the legal values', async () => {
  const story = await tell({
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
  expectNotScanned(story, 'configuration', {
    launches: 0,
    says: [
      'fail-on is hihg. Use one of: critical, high, medium, low, info, none.',
      'severity-threshold is moderate. Use one of: critical, high, medium, low, info.',
      'fail-on-evidence is proof. Use one of: any, confirmed, poc.',
      'credit-budget is ten. Use a whole number, 1 or more.',
      'base-commit is main. Use a full commit SHA',
      'launch-parameters is not a JSON object',
      'comment is sometimes. Use one of: always, on-findings, never.',
      'timeout-minutes is 0. Use a whole number, from 1 to 7200.',
      'report-file is ../report.json. Use a path inside the workspace.',
      '9 input errors were found.',
      'Fix them under with: in the workflow and push.',
    ],
  });
  expect(story.stage.service.requests).toEqual([]);
});

test.each(['configuration', 'missing-token, everything', 'none, timeout'])(
  'allow-unscanned: %s is a wrong input, and allows nothing',
  async (reasons) => {
    const story = await tell({ inputs: { 'allow-unscanned': reasons } });
    expectNotScanned(story, 'configuration', {
      launches: 0,
      says: ['allow-unscanned contains', 'Use none, or any of: missing-token', 'Fix it'],
    });
  },
);

test.each(['http://scanner.example/api/v1', 'https://scanner.example/', 'scanner', ''])(
  'base-url: %s is refused before the token is sent anywhere',
  async (baseUrl) => {
    const story = await tell({ inputs: { 'base-url': baseUrl } });
    expectNotScanned(story, 'configuration', {
      launches: 0,
      says: ['base-url is', 'an https URL ending in /api/v1', 'Fix it'],
    });
  },
);

test('a step that is no step of a workflow tells so, with every output', async () => {
  const story = await tell({
    driver: 'bundle',
    run: () => ({ env: { GITHUB_REPOSITORY: 'nobody' } }),
  });
  expectNotScanned(story, 'configuration', {
    checkRun: false,
    launches: 0,
    says: ['This does not look like a GitHub Actions step: GITHUB_REPOSITORY is not of the form owner/name'],
  });
});

test.each([
  ['pull_request', {}, 'repository is missing or malformed'],
  ['merge_group', { action: 'checks_requested' }, 'repository is missing or malformed'],
])(
  'a payload of %s that is not as documented is an error, with every output',
  async (name, payload, says) => {
    const story = await tell({ inputs: EVERYTHING_ALLOWED, run: () => ({ event: { name, payload } }) });
    expectNotScanned(story, 'configuration', {
      checkRun: false,
      launches: 0,
      says: [`The payload of the ${name} event is not as documented: ${says}`, 'Re-run the workflow'],
    });
  },
);
