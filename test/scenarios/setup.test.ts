import { describe, expect } from 'vitest';
import { isObject } from '../../sandbox/json.ts';
import type { RepositoryOptions } from '../../sandbox/scan-service/options.ts';
import type { PresetOptions } from '../../sandbox/scan-service/records.ts';
import type { SharedRepository } from '../support/shared-repository.ts';
import { adding, cancelJob, failing, hanging, refusingAs, showingInstead, unsent } from './effects.ts';
import {
  endedAs,
  exits,
  notScanned,
  omits,
  outputs,
  paid,
  passed,
  requests,
  says,
  scans,
  showsPassed,
} from './ends.ts';
import { EVERYTHING_ALLOWED } from './expect-result.ts';
import { type End, type RunRow, testRuns } from './run-rows.ts';
import type { Act } from './timeline.ts';

const NAME = { owner: 'octo-org', name: 'octo-repo' };
const listing =
  (...repositories: Partial<RepositoryOptions>[]) =>
  ({ dir }: SharedRepository) => ({
    repositories: repositories.map((one) => ({ ...NAME, gitDir: dir, ...one })),
  });
const preset = (ref: string, name = ref): PresetOptions => ({ ref, name, kind: 'diff', minCredits: 20 });
const revokeToken: Act = ({ scenario: { environment } }) =>
  void environment.service.control.revokeToken(environment.service.token);

/** Each row is a configuration error that cannot be allowed. No scan is launched, and no credits are reserved. */
const WRONG: readonly (readonly [
  what: string,
  row: Pick<RunRow, 'service' | 'meanwhile'> & { readonly inputs?: Readonly<Record<string, string>> },
  ...texts: readonly string[],
])[] = [
  [
    'a token that the service does not know',
    { inputs: { 'api-token': `svc_proj_0badc0ffee00_${'5e'.repeat(24)}` } },
    'The service rejected api-token',
    'Ask a project admin of the service for a new token',
    'base-url',
  ],
  [
    'a revoked token',
    { meanwhile: [revokeToken] },
    'The service rejected api-token',
    'invalid, expired or revoked',
  ],
  [
    'a token without scans:launch',
    { service: { tokens: [{ scopes: ['read'] }] } },
    'The API token is missing the scans:launch scope',
    'Ask a project admin of the service for a token with the scans:launch scope',
  ],
  [
    'a token without read',
    { service: { tokens: [{ scopes: ['scans:launch'] }] } },
    'The API token is missing the read scope',
    'Ask a project admin of the service for a token with the read scope',
  ],
  [
    'a token without the scope for the input `publish`',
    { service: { tokens: [{ scopes: ['read', 'scans:launch'] }] }, inputs: { publish: 'always' } },
    'The API token is missing the publish scope',
    'Ask a project admin of the service for a token with the publish scope',
  ],
  [
    "another project's id",
    { inputs: { 'project-id': 'prj_of_somebody_else' } },
    'api-token belongs to project prj_7f3a91c2',
    'Fix or remove project-id',
  ],
  [
    'a project without this repository',
    { service: listing({ name: 'another' }) },
    'The project does not list the repository octo-org/octo-repo',
    "token's allowlist",
    'repository-id',
  ],
  [
    'a repository outside the allowlist of the token',
    {
      service: (repository) => ({
        ...listing({}, { name: 'another', id: 'repo_other' })(repository),
        tokens: [{ repositoryAllowlist: ['repo_other'] }],
      }),
    },
    'The project does not list the repository octo-org/octo-repo',
    "token's allowlist",
  ],
  [
    'two repositories of this name on other servers',
    {
      service: listing(
        { id: 'repo_a', url: 'https://a.example/x' },
        { id: 'repo_b', url: 'https://b.example/x' },
      ),
    },
    'The project has 2 repositories named octo-org/octo-repo',
    'repository-id',
    'repo_a',
    'repo_b',
  ],
  [
    'a repository that is being deleted',
    { service: listing({ status: 'MARKED_FOR_DELETION' }) },
    'octo-org/octo-repo is MARKED_FOR_DELETION in the service',
    'Ask a project admin of the service to restore it',
  ],
  [
    'two possible diff presets',
    { service: { presets: [preset('diff-review'), preset('deep', 'Deep diff'), preset('different')] } },
    'The project has 2 presets that look like diff presets',
    'Set preset',
    'diff-review',
    'deep',
  ],
  [
    'a project without a diff preset',
    { service: { presets: [preset('difference'), preset('full')] } },
    'The project has no preset that looks like a diff preset',
    'Set preset',
    'difference',
    'full',
  ],
  [
    'a preset that does not exist',
    { inputs: { preset: 'diff-deep' } },
    'The project has no preset with the ref diff-deep',
    'diff-review',
  ],
  [
    'a budget below the minimum of the preset',
    { inputs: { 'credit-budget': '19' } },
    'The budget of 19 credits is below the minimum of preset diff-review (20 credits)',
    '20 or more',
  ],
  [
    'a budget in launch-parameters below the minimum of the preset',
    { inputs: { 'launch-parameters': '{"creditBudget": 19}' } },
    'The budget of 19 credits is below the minimum',
    '20 or more',
  ],
];

testRuns([
  ...WRONG.map(([what, row, ...texts]) => ({
    name: `a run reports ${what}, and launches no scan`,
    ...row,
    inputs: { ...EVERYTHING_ALLOWED, ...row.inputs },
    ends: notScanned('configuration', { launches: 0, texts }),
  })),
  {
    name: 'a run reports several configuration errors together',
    service: (repository) => ({
      ...listing({ name: 'another' })(repository),
      presets: [preset('full')],
      tokens: [{ scopes: ['read'] }],
    }),
    ends: notScanned('configuration', {
      launches: 0,
      texts: [
        'The API token is missing the scans:launch scope',
        'The project does not list the repository octo-org/octo-repo',
        'The project has no preset that looks like a diff preset',
      ],
    }),
  },
  {
    name: 'a run reserves no credits if its preset does not accept a base commit',
    inputs: { ...EVERYTHING_ALLOWED, preset: 'full-audit' },
    ends: notScanned('configuration', {
      launches: 1,
      texts: [
        'The preset does not accept a base commit',
        'Set preset to a diff preset in the workflow and push.',
      ],
    }),
  },
  ...Object.entries({
    repositories: [null, { id: 'x', owner: 7, name: 'other' }],
    presets: ['diff', { ref: 'quick', name: 'Quick', minCredits: '20' }],
  }).map(([list, entries]) => ({
    name: `a run ignores malformed entries in the list of ${list} if it needs none of them`,
    head: 'clean' as const,
    at: { [list]: adding(list, ...entries) },
    ends: showsPassed('Passed: no findings'),
  })),
  {
    name: 'a run reports an error if a malformed entry may be the repository that it needs',
    at: { repositories: adding('repositories', { id: 'x', ...NAME, url: null }) },
    ends: notScanned('service-error', {
      launches: 0,
      texts: [
        '`repositories.0.url` is not string',
        'Set repository-id to the id of this repository in the service and push, or',
      ],
    }),
  },
  {
    name: 'a run reports an error if a malformed entry may be the preset that it needs',
    at: { presets: adding('presets', { ref: 'diff-deep', name: 'Deep' }) },
    ends: notScanned('service-error', {
      launches: 0,
      texts: ['`presets.0.minCredits` is missing', 'Set preset'],
    }),
  },
  {
    name: 'if two repositories have the same name, a run scans the one on this GitHub server',
    head: 'clean',
    service: listing(
      { id: 'repo_elsewhere', url: 'https://github.com/octo-org/octo-repo' },
      { id: 'repo_here', owner: 'Octo-Org', url: 'https://github.example/octo-org/octo-repo' },
    ),
    event: () => ({ env: { GITHUB_SERVER_URL: 'https://github.example' } }),
    ends: [passed, scans({ repositoryId: 'repo_here' })],
  },
  {
    name: 'the inputs can name the project, the repository, the preset and the budget',
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
    ends: [
      showsPassed('Passed: no findings'),
      scans({ repositoryId: 'repo_b', presetRef: 'diff-deep', creditBudget: 33 }),
      outputs({ 'credits-reserved': '33' }),
    ],
  },
]);

const CLEAN = { head: 'clean', driver: 'in process' } as const;
const LISTS = 'repositories|presets|scans.list';
const PROJECT = 'prj_7f3a91c2';
const given = { inputs: { 'project-id': PROJECT } };
const withoutProject = showingInstead((body) =>
  isObject(body) ? Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'project')) : body,
);
/** How often the text is in the log's last line, which is the error of the job. */
const saysOnce =
  (text: string): End =>
  ({ run }) =>
    expect(run.log.split('##[error]').at(-1)?.split(text), run.log).toHaveLength(2);

describe('the project of a run', () => {
  testRuns([
    {
      name: 'without `project-id`, a run waits for the token, because only the token shows the project',
      ...CLEAN,
      at: { 'token 1-': hanging },
      inputs: EVERYTHING_ALLOWED,
      ends: [paid(0), requests(LISTS, 0)],
    },
    {
      name: 'with `project-id`, a run reads the lists while it waits for the token',
      ...CLEAN,
      ...given,
      at: { 'token 1': hanging },
      ends: [
        passed,
        (_result, jobs) => {
          const kinds = jobs.sent('token|repositories|presets|scans.list').map(({ point }) => point);
          expect(kinds.slice(0, 4).toSorted()).toEqual(['presets', 'repositories', 'scans.list', 'token']);
        },
      ],
    },
    {
      name: 'a run asks for `project-id` if the token shows no project',
      ...CLEAN,
      at: { token: withoutProject },
      ends: notScanned('configuration', { launches: 0, texts: ['Set project-id'] }),
    },
    {
      name: 'a run uses `project-id` if the token shows no project',
      ...CLEAN,
      ...given,
      at: { token: withoutProject },
      ends: [passed, paid(1)],
    },
    {
      name: 'a run uses `project-id` if the token cannot be read, and warns',
      ...CLEAN,
      ...given,
      at: { token: failing },
      ends: [passed, paid(1), says("Could not check the token's project, scopes and expiry.")],
    },
    {
      name: 'without `project-id`, a run scans nothing if the token cannot be read',
      ...CLEAN,
      at: { token: failing },
      ends: [endedAs('service-error'), exits(1), paid(0)],
    },
    ...['..', 'x'.repeat(257)].map((id) => ({
      name: `a run sends no request about a project whose id is not valid: ${id.slice(0, 3)}`,
      ...CLEAN,
      inputs: { 'project-id': id },
      ends: [notScanned('configuration', { launches: 0, texts: ['not a valid id'] }), requests(LISTS, 0)],
    })),
    {
      name: 'a run names both projects if the token is of another one, although the lists cannot be read',
      ...CLEAN,
      inputs: { 'project-id': 'other' },
      at: { [LISTS]: refusingAs(404, 'not_found') },
      ends: [
        notScanned('configuration', { launches: 0, texts: [PROJECT, 'project-id is other'] }),
        omits('problems'),
      ],
    },
  ]);
});

describe('several problems of the setup', () => {
  testRuns([
    ...[{}, given].map((inputs, index) => ({
      name: `a run reports a refused token once (${index === 0 ? 'without' : 'with'} \`project-id\`)`,
      ...CLEAN,
      ...inputs,
      at: { ['token|repositories|presets']: refusingAs(401, 'unauthorized') },
      ends: [endedAs('configuration'), saysOnce('api-token'), paid(0)],
    })),
    {
      name: 'a run reports only the missing scope if the token may not read',
      ...CLEAN,
      service: { tokens: [{ scopes: ['scans:launch'] }] },
      ends: [endedAs('configuration'), saysOnce('is missing the'), omits('problems', 'forbidden')],
    },
    {
      name: 'a run reports a refusal of the lists if the token has all scopes',
      ...CLEAN,
      at: { 'repositories|presets': refusingAs(403, 'forbidden') },
      ends: [endedAs('configuration'), paid(0), saysOnce('is missing the'), says('forbidden')],
    },
    {
      name: 'a run reports one problem if two lists fail for the same cause',
      ...CLEAN,
      at: { 'repositories|presets': unsent },
      ends: [endedAs('service-error'), saysOnce('Could not'), omits('problems')],
    },
    {
      name: 'a run reports what a person has to fix, and not what may pass',
      ...CLEAN,
      service: { presets: [] },
      at: { repositories: failing },
      ends: [notScanned('configuration', { launches: 0, texts: ['no preset'] }), omits('problems', '502')],
    },
    {
      name: 'a run reports a wrong list and a wrong type of answer together',
      ...CLEAN,
      at: { repositories: { status: 200, body: {} }, presets: { status: 200, body: '<html>' } },
      ends: [endedAs('service-error'), says('found 2 problems')],
    },
    {
      name: 'a run that is cancelled while it reads the project reports that',
      ...CLEAN,
      ...given,
      at: { 'token|repositories|presets': [cancelJob, hanging] },
      inputs: { ...given.inputs, ...EVERYTHING_ALLOWED },
      ends: [endedAs('scan-cancelled'), exits(1), paid(0)],
    },
    {
      name: 'a run warns if the token expires within a week',
      ...CLEAN,
      service: { tokens: [{ expiresAt: new Date('2026-01-22T11:00:00Z') }] },
      ends: [passed, says('expires on 2026-01-22')],
    },
  ]);
});

describe('`launch-parameters` and the choice of the run', () => {
  const parameters = (fields: object, more: Readonly<Record<string, string>> = {}) => ({
    ...CLEAN,
    service: { presets: [preset('diff-review'), { ...preset('big'), minCredits: 40 }] },
    inputs: { 'launch-parameters': JSON.stringify(fields), ...more },
  });
  testRuns([
    {
      name: 'a preset and a budget in `launch-parameters` replace the choice of the run',
      ...parameters({ presetRef: 'big', creditBudget: 45 }, { preset: 'diff-review', 'credit-budget': '1' }),
      ends: [passed, scans({ presetRef: 'big', creditBudget: 45 }), outputs({ 'credits-reserved': '45' })],
    },
    {
      name: 'a repository in `launch-parameters` replaces the choice of the run',
      ...parameters({ repositoryId: 'gone', presetRef: 'big' }),
      ends: notScanned('configuration', { launches: 0, texts: ['gone'] }),
    },
    {
      name: 'a budget that `launch-parameters` removes replaces `credit-budget`',
      ...parameters({ presetRef: 'diff-review', creditBudget: null }, { 'credit-budget': '1' }),
      ends: [passed, scans({ creditBudget: 20 })],
    },
    {
      name: 'a run refuses a launch parameter of the wrong type, and sends no request',
      ...parameters({ creditBudget: '9' }),
      ends: [
        notScanned('configuration', { launches: 0, texts: ['wrong type: creditBudget'] }),
        requests(LISTS, 0),
      ],
    },
  ]);
});
