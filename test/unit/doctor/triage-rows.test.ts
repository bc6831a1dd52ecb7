import { expect, test } from 'vitest';
import { err, ok, type Result } from '../../../src/domain/result.ts';
import type { GitHubError } from '../../../src/github/errors.ts';
import type { EnvironmentRules } from '../../../src/github/repository.ts';
import { gitHubError } from '../github/samples.ts';
import { pageOf, type Repository } from './look.ts';

const FORBIDDEN = err(gitHubError('forbidden', { permission: 'actions: read' }));
const RUN = { steps: [{ run: 'x' }] };
const SWEEP = { schedule: [{ cron: '7 * * * *' }] };
const COMMANDS = { issue_comment: { types: ['created'] } };
const PERMISSIONS = { actions: 'write', checks: 'read', 'pull-requests': 'write' };
/** A workflow of the triage action. */
const triage = (inputs: object = {}, job: object = {}, events: object = { ...SWEEP, ...COMMANDS }) => ({
  on: events,
  jobs: {
    triage: {
      permissions: PERMISSIONS,
      steps: [{ uses: 'scangate/scangate/triage@v0', with: inputs }],
      ...job,
    },
  },
});
const triaged = (...given: Parameters<typeof triage>): Repository => ({
  files: { 'triage.yml': triage(...given) },
});
const triageToken = (environment: Result<EnvironmentRules, GitHubError>): Repository => ({
  ...triaged({ 'triage-token': 'x' }, { environment: 'triage' }),
  github: { environments: new Map([['triage', environment]]) },
});
const branches = (allowed: EnvironmentRules['branches']) =>
  triageToken(ok({ hasReviewers: false, branches: allowed }));

const REPOSITORIES: Readonly<Record<string, Repository>> = {
  'a triage action': triaged(),
  'permissions are missing': triaged({}, { permissions: { checks: 'read', 'pull-requests': 'read' } }),
  '`job-name` is missing': { ...triaged(), gate: { jobs: { other: RUN } } },
  '`job-name` is not the job of the gate': triaged({ 'job-name': 'gate' }),
  'a sweep, and a gate without comments': { ...triaged(), gate: { step: { with: { comment: 'never' } } } },
  'no sweep, and a gate without comments': {
    ...triaged({}, {}, COMMANDS),
    gate: { step: { with: { comment: 'never' } } },
  },
  'a token of its own': triaged({ 'github-token': 'x' }, { permissions: {} }),
  'one workflow for sweeps, and one for comments': {
    files: { 'sweeps.yml': triage({}, {}, SWEEP), 'comments.yml': triage({}, {}, COMMANDS) },
  },
  'no comment starts it': triaged({}, {}, SWEEP),
  'only edited comments start it': triaged({}, {}, { issue_comment: { types: ['edited'] } }),
  'the job is skipped on a comment': triaged({}, { if: "github.event_name == 'schedule'" }),
  '`triage-token` without an environment': triaged({ 'triage-token': 'x' }),
  '`triage-token` for any branch': branches('all'),
  '`triage-token` for protected branches': branches('protected'),
  '`triage-token` for the default branch': branches(['main']),
  '`triage-token` for every branch by a pattern': branches(['main', '*']),
  '`triage-token` for some branches by a pattern': branches(['main', 'release/*']),
  '`triage-token` in an environment that may not be read': triageToken(FORBIDDEN),
};

test("the doctor's table for each workflow of the triage action equals the golden file", async () => {
  await expect(pageOf(REPOSITORIES)).toMatchFileSnapshot('golden/repositories-triage.txt');
});
