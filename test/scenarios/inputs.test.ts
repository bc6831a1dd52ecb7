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
      'Input fail-on is "hihg"; legal values: critical, high, medium, low, info, none.',
      'Input severity-threshold is "moderate"; legal values: critical, high, medium, low, info.',
      'Input fail-on-evidence is "proof"; legal values: any, confirmed, poc.',
      'Input credit-budget is "ten"; legal values: a whole number from 1',
      'Input base-commit is "main"; legal values: a full commit id',
      'Input launch-parameters is not a JSON object',
      'Input comment is "sometimes"; legal values: always, on-findings, never.',
      'Input timeout-minutes is "0"; legal values: a whole number from 1',
      'Input report-file is "../report.json"; it has to name a file inside the workspace.',
      'Correct them in the workflow, under with:.',
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
      says: ['Input allow-unscanned holds', 'legal values: none, or any of missing-token', 'Correct it'],
    });
  },
);

test.each(['http://scanner.example/api/v1', 'https://scanner.example/', 'scanner', ''])(
  'base-url: %s is refused before the token is sent anywhere',
  async (baseUrl) => {
    const story = await tell({ inputs: { 'base-url': baseUrl } });
    expectNotScanned(story, 'configuration', {
      launches: 0,
      says: ['Input base-url is', 'an https address ending in /api/v1', 'Correct it'],
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
    says: [
      'This does not look like a step of a GitHub workflow: GITHUB_REPOSITORY is not of the form owner/name',
    ],
  });
});

test.each([
  ['pull_request', {}, 'repository is missing or malformed'],
  ['merge_group', { action: 'checks_requested' }, 'repository is missing or malformed'],
])(
  'a payload of %s that is not what GitHub documents is told, with every output',
  async (name, payload, says) => {
    const story = await tell({ inputs: EVERYTHING_ALLOWED, run: () => ({ event: { name, payload } }) });
    expectNotScanned(story, 'configuration', {
      checkRun: false,
      launches: 0,
      says: [
        `The payload of the ${name} event is not what GitHub documents: ${says}`,
        'Run the workflow again',
      ],
    });
  },
);
