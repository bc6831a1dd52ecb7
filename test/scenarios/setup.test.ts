import { describe, expect, test } from 'vitest';
import type { Answer } from '../../sandbox/faults/interception.ts';
import { isObject } from '../../sandbox/json.ts';
import type { Intercept, PresetOptions, RepositoryOptions } from '../../sandbox/scan-service/options.ts';
import type { SharedRepository } from '../support/shared-repository.ts';
import { EVERYTHING_ALLOWED, expectNotScanned, expectResult, type Promised } from './expect-result.ts';
import { runScenario, type ScenarioOptions } from './scenario.ts';

const NAME = { owner: 'octo-org', name: 'octo-repo' };
const listing =
  (...repositories: Partial<RepositoryOptions>[]) =>
  ({ dir }: SharedRepository) => ({
    repositories: repositories.map((one) => ({ ...NAME, gitDir: dir, ...one })),
  });
const preset = (ref: string, name = ref): PresetOptions => ({ ref, name, kind: 'diff', minCredits: 20 });

/** Each row is a configuration error that cannot be allowed. No scan is launched, and no credits are reserved. */
const WRONG: readonly [what: string, options: ScenarioOptions, texts: Promised['texts']][] = [
  [
    'a token that the service does not know',
    { inputs: { 'api-token': `svc_proj_0badc0ffee00_${'5e'.repeat(24)}` } },
    ['The service rejected api-token', 'Ask a project admin of the service for a new token', 'base-url'],
  ],
  [
    'a revoked token',
    { before: ({ environment }) => environment.service.control.revokeToken(environment.service.token) },
    ['The service rejected api-token', 'invalid, expired or revoked'],
  ],
  [
    'a token without scans:launch',
    { service: { tokens: [{ scopes: ['read'] }] } },
    [
      'The API token is missing the scans:launch scope',
      'Ask a project admin of the service for a token with the scans:launch scope',
    ],
  ],
  [
    'a token without read',
    { service: { tokens: [{ scopes: ['scans:launch'] }] } },
    [
      'The API token is missing the read scope',
      'Ask a project admin of the service for a token with the read scope',
    ],
  ],
  [
    'a token without the scope for the input `publish`',
    { service: { tokens: [{ scopes: ['read', 'scans:launch'] }] }, inputs: { publish: 'always' } },
    [
      'The API token is missing the publish scope',
      'Ask a project admin of the service for a token with the publish scope',
    ],
  ],
  [
    "another project's id",
    { inputs: { 'project-id': 'prj_of_somebody_else' } },
    ['api-token belongs to project prj_7f3a91c2', 'Fix or remove project-id'],
  ],
  [
    'a project without this repository',
    { service: listing({ name: 'another' }) },
    ['The project does not list the repository octo-org/octo-repo', "token's allowlist", 'repository-id'],
  ],
  [
    'a repository outside the allowlist of the token',
    {
      service: (repository) => ({
        ...listing({}, { name: 'another', id: 'repo_other' })(repository),
        tokens: [{ repositoryAllowlist: ['repo_other'] }],
      }),
    },
    ['The project does not list the repository octo-org/octo-repo', "token's allowlist"],
  ],
  [
    'two repositories of this name on other servers',
    {
      service: listing(
        { id: 'repo_a', url: 'https://a.example/x' },
        { id: 'repo_b', url: 'https://b.example/x' },
      ),
    },
    ['The project has 2 repositories named octo-org/octo-repo', 'repository-id', 'repo_a', 'repo_b'],
  ],
  [
    'a repository that is being deleted',
    { service: listing({ status: 'MARKED_FOR_DELETION' }) },
    [
      'octo-org/octo-repo is MARKED_FOR_DELETION in the service',
      'Ask a project admin of the service to restore it',
    ],
  ],
  [
    'two possible diff presets',
    { service: { presets: [preset('diff-review'), preset('deep', 'Deep diff'), preset('different')] } },
    ['The project has 2 presets that look like diff presets', 'Set preset', 'diff-review', 'deep'],
  ],
  [
    'a project without a diff preset',
    { service: { presets: [preset('difference'), preset('full')] } },
    ['The project has no preset that looks like a diff preset', 'Set preset', 'difference', 'full'],
  ],
  [
    'a preset that does not exist',
    { inputs: { preset: 'diff-deep' } },
    ['The project has no preset with the ref diff-deep', 'diff-review'],
  ],
  [
    'a budget below the minimum of the preset',
    { inputs: { 'credit-budget': '19' } },
    ['The budget of 19 credits is below the minimum of preset diff-review (20 credits)', '20 or more'],
  ],
  [
    'a budget in launch-parameters below the minimum of the preset',
    { inputs: { 'launch-parameters': '{"creditBudget": 19}' } },
    ['The budget of 19 credits is below the minimum', '20 or more'],
  ],
];

describe.each(WRONG)('%s', (what, options, texts) => {
  test(`a run reports ${what}, and launches no scan`, async () => {
    const given = typeof options.inputs === 'object' ? options.inputs : {};
    const result = await runScenario({ ...options, inputs: { ...EVERYTHING_ALLOWED, ...given } });
    expectNotScanned(result, 'configuration', { launches: 0, texts });
    expect(result.environment.service.ledger().entries).toHaveLength(1);
  });
});

test('a run reports several configuration errors together', async () => {
  const result = await runScenario({
    service: (repository) => ({
      ...listing({ name: 'another' })(repository),
      presets: [preset('full')],
      tokens: [{ scopes: ['read'] }],
    }),
  });
  expectNotScanned(result, 'configuration', {
    launches: 0,
    texts: [
      'The API token is missing the scans:launch scope',
      'The project does not list the repository octo-org/octo-repo',
      'The project has no preset that looks like a diff preset',
    ],
  });
});

test('a run reserves no credits if its preset does not accept a base commit', async () => {
  const result = await runScenario({ inputs: { ...EVERYTHING_ALLOWED, preset: 'full-audit' } });
  expectNotScanned(result, 'configuration', {
    launches: 1,
    texts: [
      'The preset does not accept a base commit',
      'Set preset to a diff preset in the workflow and push.',
    ],
  });
});

const adding =
  (list: 'repositories' | 'presets', ...entries: unknown[]): Intercept =>
  (request) =>
    request.point === list ? { rewrite: (answer) => withEntries(answer, list, entries) } : undefined;

function withEntries(answer: Answer, list: string, entries: readonly unknown[]): Answer {
  const body = isObject(answer.body) ? answer.body : {};
  const known = Array.isArray(body[list]) ? body[list] : [];
  return { ...answer, body: { ...body, [list]: [...entries, ...known] } };
}

test.each<[what: string, intercept: Intercept]>([
  ['repositories', adding('repositories', null, { id: 'x', owner: 7, name: 'other' })],
  ['presets', adding('presets', 'diff', { ref: 'quick', name: 'Quick', minCredits: '20' })],
])('a run ignores malformed entries in the list of %s if it needs none of them', async (_what, intercept) => {
  const result = await runScenario({ head: 'clean', service: { intercept } });
  expectResult(result, {
    outcome: 'passed',
    exitCode: 0,
    conclusion: 'success',
    launches: 1,
    texts: ['Passed: no findings'],
  });
});

test.each<[what: string, intercept: Intercept, texts: string[]]>([
  [
    'repository',
    adding('repositories', { id: 'x', ...NAME, url: null }),
    [
      '`repositories.0.url` is not string',
      'Set repository-id to the id of this repository in the service and push, or',
    ],
  ],
  [
    'preset',
    adding('presets', { ref: 'diff-deep', name: 'Deep' }),
    ['`presets.0.minCredits` is missing', 'Set preset'],
  ],
])(
  'a run reports an error if a malformed entry may be the %s that it needs',
  async (_what, intercept, texts) => {
    const result = await runScenario({ service: { intercept } });
    expectNotScanned(result, 'service-error', { launches: 0, texts });
  },
);

test('if two repositories have the same name, a run scans the one on this GitHub server', async () => {
  const result = await runScenario({
    head: 'clean',
    service: listing(
      { id: 'repo_elsewhere', url: 'https://github.com/octo-org/octo-repo' },
      { id: 'repo_here', owner: 'Octo-Org', url: 'https://github.example/octo-org/octo-repo' },
    ),
    run: () => ({ env: { GITHUB_SERVER_URL: 'https://github.example' } }),
  });
  expect(result.run.outputs).toMatchObject({ outcome: 'passed' });
  expect(result.environment.service.scans()).toMatchObject([{ repositoryId: 'repo_here' }]);
});

test('the inputs can name the project, the repository, the preset and the budget', async () => {
  const result = await runScenario({
    head: 'clean',
    service: (repository) => ({
      ...listing({ id: 'repo_a' }, { id: 'repo_b' })(repository),
      presets: [preset('diff-review'), preset('diff-deep')],
    }),
    inputs: {
      'project-id': 'prj_7f3a91c2',
      'repository-id': 'repo_b',
      preset: 'diff-deep',
      'credit-budget': '33',
    },
  });
  expectResult(result, {
    outcome: 'passed',
    exitCode: 0,
    conclusion: 'success',
    launches: 1,
    texts: ['Passed: no findings'],
  });
  expect(result.environment.service.scans()).toMatchObject([
    { repositoryId: 'repo_b', presetRef: 'diff-deep', creditBudget: 33 },
  ]);
  expect(result.run.outputs['credits-reserved']).toBe('33');
});
