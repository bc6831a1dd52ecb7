import { describe, expect, test } from 'vitest';
import { mergeGroupEvent } from '../../sandbox/events.ts';
import { allowing, BOTH_WAYS, EVERYTHING_ALLOWED, expectNotScanned } from './expect-result.ts';
import { runScenario, type Scenario, type ScenarioOptions } from './scenario.ts';

const SAYS = ['so api-token is empty', 'Ask a maintainer'];
const READ_ONLY = { permissions: { contents: 'read', 'pull-requests': 'read' } } as const;

function asPullRequest(
  scenario: Scenario,
  changes: Parameters<Scenario['environment']['pullRequestPayload']>[0],
  name = 'pull_request',
) {
  return { event: { name, payload: scenario.environment.pullRequestPayload(changes) } };
}

function groupOf({ environment, repository, headSha }: Scenario) {
  const payload = mergeGroupEvent({
    repository: environment.repository,
    visibility: 'private',
    serverUrl: environment.github.serverUrl,
    headSha,
    baseSha: repository.id('start'),
    baseRef: 'main',
  });
  return { name: 'merge_group', payload };
}

/** GitHub passes no secrets to the runs of these pull requests. In a fork, the GitHub token is also read-only. */
const WITHHELD: readonly [who: string, options: ScenarioOptions][] = [
  [
    'a fork',
    {
      github: READ_ONLY,
      run: (scenario) => asPullRequest(scenario, { headRepository: 'someone/octo-repo' }),
    },
  ],
  [
    'a deleted fork',
    { github: READ_ONLY, run: (scenario) => asPullRequest(scenario, { headRepository: null }) },
  ],
  ['a run that Dependabot started', { run: () => ({ actor: 'dependabot[bot]' }) }],
  [
    'a pull request of Dependabot that a user pushed to',
    { run: (scenario) => ({ ...asPullRequest(scenario, { author: 'dependabot[bot]' }), actor: 'octocat' }) },
  ],
  [
    'a pull request of Dependabot under pull_request_target',
    { run: (scenario) => asPullRequest(scenario, { author: 'dependabot[bot]' }, 'pull_request_target') },
  ],
];

describe.each(WITHHELD)('a run without the token, which GitHub withholds from %s', (who, options) => {
  test.each(BOTH_WAYS)(
    `a run launches no scan if GitHub withholds the token from ${who} ($way)`,
    async ({ allowed }) => {
      const result = await runScenario({
        ...options,
        inputs: { 'api-token': '', ...allowing('missing-token', allowed) },
      });
      expectNotScanned(result, 'missing-token', {
        allowed,
        launches: 0,
        texts: SAYS,
        ...(options.github === READ_ONLY ? { checkRun: false } : {}),
      });
      expect(result.environment.service.requests).toEqual([]);
      // Authors of forks read this, so it does not say how to pass without a scan.
      if (!allowed) expect(result.run.summary).not.toContain('allow-unscanned');
    },
  );
});

test.each(BOTH_WAYS)(
  'a run launches no scan if GitHub withholds the token from a merge group that Dependabot started ($way)',
  async ({ allowed }) => {
    const result = await runScenario({
      run: (scenario) => ({ actor: 'dependabot[bot]', event: groupOf(scenario) }),
      inputs: { 'api-token': '', 'base-url': '', ...allowing('missing-token', allowed) },
    });
    const texts = ['so api-token is empty', 'add the token to the Dependabot secrets'];
    expectNotScanned(result, 'missing-token', { allowed, launches: 0, texts });
  },
);

describe('a run without the token and without the address, which comes from a variable', () => {
  const WITHHELD_INPUTS = { 'api-token': '', 'base-url': '' };
  const fork = (scenario: Scenario) => asPullRequest(scenario, { headRepository: 'someone/octo-repo' });

  test.each(BOTH_WAYS)(
    'a run launches no scan if GitHub withholds the token and the address ($way)',
    async ({ allowed }) => {
      const result = await runScenario({
        github: READ_ONLY,
        run: fork,
        inputs: { ...WITHHELD_INPUTS, ...allowing('missing-token', allowed) },
      });
      expectNotScanned(result, 'missing-token', { allowed, launches: 0, texts: SAYS, checkRun: false });
    },
  );

  test.each([
    [
      'a malformed address',
      fork,
      { 'api-token': '', 'base-url': 'https://scanner.example.com' },
      'base-url is not',
    ],
    ['a wrong `fail-on`', fork, { ...WITHHELD_INPUTS, 'fail-on': 'hihg' }, 'fail-on is hihg'],
    ['an empty address and a token', fork, { 'base-url': '' }, 'base-url is empty'],
    [
      'no token and no address for a pull request of the repository itself',
      () => ({}),
      WITHHELD_INPUTS,
      'base-url is empty',
    ],
  ])('a run with %s ends with the reason `configuration`', async (_what, run, inputs, texts) => {
    const result = await runScenario({ run, inputs: { ...inputs, ...EVERYTHING_ALLOWED } });
    expectNotScanned(result, 'configuration', { launches: 0, texts: [texts] });
  });
});

test.each([
  ['a pull request of the repository itself', {}],
  ['a merge group that a user started', { run: (scenario: Scenario) => ({ event: groupOf(scenario) }) }],
  [
    'a fork under pull_request_target',
    {
      run: (scenario: Scenario) =>
        asPullRequest(scenario, { headRepository: 'someone/octo-repo' }, 'pull_request_target'),
    },
  ],
])('an empty token in %s is a configuration error', async (_where, options) => {
  const result = await runScenario({ ...options, inputs: { 'api-token': '', ...EVERYTHING_ALLOWED } });
  expectNotScanned(result, 'configuration', {
    launches: 0,
    texts: ['api-token is empty', 'secrets: inherit'],
  });
  expect(result.environment.service.requests).toEqual([]);
});

test('a fork that gets the token is scanned', async () => {
  const result = await runScenario({
    head: 'clean',
    run: (scenario) => asPullRequest(scenario, { headRepository: 'someone/octo-repo' }),
  });
  expect(result.run.outputs).toMatchObject({ outcome: 'passed', 'findings-total': '0' });
});
