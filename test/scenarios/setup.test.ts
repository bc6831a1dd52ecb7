import { describe, expect } from 'vitest';
import { isObject } from '../../sandbox/json.ts';
import type { RepositoryOptions } from '../../sandbox/scan-service/options.ts';
import type { PresetOptions } from '../../sandbox/scan-service/records.ts';
import type { SharedRepository } from '../support/shared-repository.ts';
import { adding, cancelJob, failing, hanging, refusingAs, showingInstead, unsent } from './effects.ts';
import { outputs, requests, scans } from './ends.ts';
import { EVERYTHING_ALLOWED } from './everything-allowed.ts';
import { type RunRow, testRuns } from './run-rows.ts';
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

/** Configuration errors that cannot be allowed. No scan is launched, and no credits are reserved. */
const WRONG: Readonly<Record<string, Omit<RunRow, 'name'>>> = {
  'a token that the service does not know': {
    inputs: { 'api-token': `svc_proj_0badc0ffee00_${'5e'.repeat(24)}` },
  },
  'a revoked token': { meanwhile: [revokeToken] },
  'a token without read': { service: { tokens: [{ scopes: ['scans:launch'] }] } },
  'a token without the scope for the input `publish`': {
    service: { tokens: [{ scopes: ['read', 'scans:launch'] }] },
    inputs: { publish: 'always' },
  },
  "another project's id": { inputs: { 'project-id': 'prj_of_somebody_else' } },
  'a repository outside the allowlist of the token': {
    service: (repository) => ({
      ...listing({}, { name: 'another', id: 'repo_other' })(repository),
      tokens: [{ repositoryAllowlist: ['repo_other'] }],
    }),
  },
  'two repositories of this name on other servers': {
    service: listing(
      { id: 'repo_a', url: 'https://a.example/x' },
      { id: 'repo_b', url: 'https://b.example/x' },
    ),
  },
  'a repository that is being deleted': { service: listing({ status: 'MARKED_FOR_DELETION' }) },
  'two possible diff presets': {
    service: { presets: [preset('diff-review'), preset('deep', 'Deep diff'), preset('different')] },
  },
  'a preset that does not exist': { inputs: { preset: 'diff-deep' } },
  'a budget below the minimum of the preset': { inputs: { 'credit-budget': '19' } },
  'several configuration errors together': {
    service: (repository) => ({
      ...listing({ name: 'another' })(repository),
      presets: [preset('full')],
      tokens: [{ scopes: ['read'] }],
    }),
  },
  'a preset that does not accept a base commit': { inputs: { preset: 'full-audit' } },
};

testRuns(
  [
    ...Object.entries(WRONG).map(([what, row]) => ({
      name: `a run reports ${what}`,
      ...row,
      inputs: { ...EVERYTHING_ALLOWED, ...row.inputs },
    })),
    ...Object.entries({
      repositories: [null, { id: 'x', owner: 7, name: 'other' }],
      presets: ['diff', { ref: 'quick', name: 'Quick', minCredits: '20' }],
    }).map(([list, entries]) => ({
      name: `a run ignores malformed entries in the list of ${list} if it needs none of them`,
      head: 'clean' as const,
      at: { [list]: adding(list, ...entries) },
    })),
    {
      name: 'a run reports an error if a malformed entry may be the repository that it needs',
      at: { repositories: adding('repositories', { id: 'x', ...NAME, url: null }) },
    },
    {
      name: 'a run reports an error if a malformed entry may be the preset that it needs',
      at: { presets: adding('presets', { ref: 'diff-deep', name: 'Deep' }) },
    },
    {
      name: 'if two repositories have the same name, a run scans the one on this GitHub server',
      head: 'clean',
      service: listing(
        { id: 'repo_elsewhere', url: 'https://github.com/octo-org/octo-repo' },
        { id: 'repo_here', owner: 'Octo-Org', url: 'https://github.example/octo-org/octo-repo' },
      ),
      event: () => ({ env: { GITHUB_SERVER_URL: 'https://github.example' } }),
      ends: scans({ repositoryId: 'repo_here' }),
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
        scans({ repositoryId: 'repo_b', presetRef: 'diff-deep', creditBudget: 33 }),
        outputs({ 'credits-reserved': '33' }),
      ],
    },
  ],
  'setup',
);

const CLEAN = { head: 'clean', driver: 'in process' } as const;
const LISTS = 'repositories|presets|scans.list';
const PROJECT = 'prj_7f3a91c2';
const given = { inputs: { 'project-id': PROJECT } };
const withoutProject = showingInstead((body) =>
  isObject(body) ? Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'project')) : body,
);

describe('the project of a run', () => {
  testRuns(
    [
      {
        name: 'without `project-id`, a run waits for the token, because only the token shows the project',
        ...CLEAN,
        at: { 'token 1-': hanging },
        inputs: EVERYTHING_ALLOWED,
        ends: requests(LISTS, 0),
      },
      {
        name: 'with `project-id`, a run reads the lists while it waits for the token',
        ...CLEAN,
        ...given,
        at: { 'token 1': hanging },
        ends: (_result, jobs) => {
          const kinds = jobs.sent(`token|${LISTS}`).map(({ point }) => point);
          expect(kinds.slice(0, 4).toSorted()).toEqual(['presets', 'repositories', 'scans.list', 'token']);
        },
      },
      {
        name: 'a run asks for `project-id` if the token shows no project',
        ...CLEAN,
        at: { token: withoutProject },
      },
      {
        name: 'a run uses `project-id` if the token shows no project',
        ...CLEAN,
        ...given,
        at: { token: withoutProject },
      },
      {
        name: 'a run uses `project-id` if the token cannot be read, and warns',
        ...CLEAN,
        ...given,
        at: { token: failing },
      },
      {
        name: 'without `project-id`, a run scans nothing if the token cannot be read',
        ...CLEAN,
        at: { token: failing },
      },
      {
        name: 'a run sends no request about a project whose id is not valid',
        ...CLEAN,
        inputs: { 'project-id': '..' },
        ends: requests(LISTS, 0),
      },
      {
        name: 'a run names both projects if the token is of another one, although the lists cannot be read',
        ...CLEAN,
        inputs: { 'project-id': 'other' },
        at: { [LISTS]: refusingAs(404, 'not_found') },
      },
    ],
    'setup',
  );
});

describe('several problems of the setup', () => {
  testRuns(
    [
      ...[{}, given].map((inputs, index) => ({
        name: `a run reports a refused token once (${index === 0 ? 'without' : 'with'} \`project-id\`)`,
        ...CLEAN,
        ...inputs,
        at: { 'token|repositories|presets': refusingAs(401, 'unauthorized') },
      })),
      {
        name: 'a run reports only the missing scope if the token may not read',
        ...CLEAN,
        service: { tokens: [{ scopes: ['scans:launch'] }] },
      },
      {
        name: 'a run reports a refusal of the lists if the token has all scopes',
        ...CLEAN,
        at: { 'repositories|presets': refusingAs(403, 'forbidden') },
      },
      {
        name: 'a run reports one problem if two lists fail for the same cause',
        ...CLEAN,
        at: { 'repositories|presets': unsent },
      },
      {
        name: 'a run reports what a person has to fix, and not what may pass',
        ...CLEAN,
        service: { presets: [] },
        at: { repositories: failing },
      },
      {
        name: 'a run reports a wrong list and a wrong type of answer together',
        ...CLEAN,
        at: { repositories: { status: 200, body: {} }, presets: { status: 200, body: '<html>' } },
      },
      {
        name: 'a run that is cancelled while it reads the project reports that',
        ...CLEAN,
        at: { 'token|repositories|presets': [cancelJob, hanging] },
        inputs: { ...given.inputs, ...EVERYTHING_ALLOWED },
      },
      {
        name: 'a run warns if the token expires within a week',
        ...CLEAN,
        service: { tokens: [{ expiresAt: new Date('2026-01-22T11:00:00Z') }] },
      },
    ],
    'setup',
  );
});

describe('`launch-parameters` and the choice of the run', () => {
  const parameters = (fields: object, more: Readonly<Record<string, string>> = {}) => ({
    ...CLEAN,
    service: { presets: [preset('diff-review'), { ...preset('big'), minCredits: 40 }] },
    inputs: { 'launch-parameters': JSON.stringify(fields), ...more },
  });
  testRuns(
    [
      {
        name: 'a preset and a budget in `launch-parameters` replace the choice of the run',
        ...parameters(
          { presetRef: 'big', creditBudget: 45 },
          { preset: 'diff-review', 'credit-budget': '1' },
        ),
        ends: [scans({ presetRef: 'big', creditBudget: 45 }), outputs({ 'credits-reserved': '45' })],
      },
      {
        name: 'a repository in `launch-parameters` replaces the choice of the run',
        ...parameters({ repositoryId: 'gone', presetRef: 'big' }),
      },
      {
        name: 'a budget in `launch-parameters` has to reach the minimum of the preset',
        ...parameters({ presetRef: 'big', creditBudget: 39 }),
      },
      {
        name: 'a budget that `launch-parameters` removes replaces `credit-budget`',
        ...parameters({ presetRef: 'diff-review', creditBudget: null }, { 'credit-budget': '1' }),
        ends: scans({ creditBudget: 20 }),
      },
      {
        name: 'a run refuses a launch parameter of the wrong type, and sends no request',
        ...parameters({ creditBudget: '9' }),
      },
    ],
    'setup',
  );
});
