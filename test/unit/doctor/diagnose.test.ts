import { describe, expect, test } from 'vitest';
import { diagnose } from '../../../src/doctor/diagnose.ts';
import type { Check } from '../../../src/doctor/row.ts';
import { UNTITLED } from '../../../src/domain/finding.ts';
import { err, ok } from '../../../src/domain/result.ts';
import { chooseProject } from '../../../src/preflight/preflight.ts';
import { finding } from '../domain/sample-finding.ts';
import { aScan } from '../scan/fake-api.ts';
import {
  DIFF,
  FULL,
  factsOf,
  type Given,
  GUIDANCE,
  gitHubError,
  HEAD,
  NOW,
  refused,
  requires,
  rowsAbout,
  shownRow,
  workflow,
} from './sample-facts.ts';

const inDays = (days: number) => new Date(NOW.getTime() + days * 24 * 60 * 60_000).toISOString();
const PUBLIC = { isPublic: true };
const failure = (reason: 'configuration' | 'service-error') => ({
  reason,
  cause: 'Why.',
  nextStep: 'What to do.',
});
const unreachable = (cause: 'dns' | 'certificate' | 'reset') =>
  ({
    kind: 'unreachable',
    operation: 'check the API token',
    cause,
    sent: 'no',
    detail: 'why',
  }) as const;

test('a healthy setup has no warning and no error', () => {
  expect(diagnose(factsOf()).filter(({ level }) => level !== 'ok')).toEqual([]);
});

/** The rows that the doctor shows for a check, by case. */
const TABLE: readonly (readonly [check: Check, why: string, given: Given, rows: readonly unknown[]])[] = [
  ['Inputs', 'valid inputs', {}, ['ok: All inputs are valid.']],
  [
    'Inputs',
    'several errors',
    { inputs: { 'fail-on': 'hihg', 'credit-budget': 'x', 'launch-parameters': '{"commit":null}' } },
    [
      expect.stringMatching(/^error: `credit-budget` is `x`/),
      expect.stringMatching(
        /^error: `fail-on` is `hihg`.* \[Workflow maintainer: Fix the input in the workflow/,
      ),
      expect.stringMatching(/^error: `launch-parameters` removes `commit`/),
    ],
  ],
  [
    'Inputs',
    'launch parameters of a wrong type',
    { inputs: { 'launch-parameters': '{"presetRef":7}' } },
    [expect.stringMatching(/^error: `launch-parameters` has fields of the wrong type: presetRef/)],
  ],
  [
    'Inputs',
    'no head to compare with',
    { inputs: { 'launch-parameters': '{"commit":null}' }, about: { headSha: '' } },
    ['ok: All inputs are valid.'],
  ],
  [
    'Inputs',
    'no token and no address',
    { inputs: { 'api-token': '', 'base-url': '' } },
    [
      expect.stringMatching(/^error: `base-url` is empty/),
      expect.stringMatching(/^error: `api-token` is empty/),
    ],
  ],
  [
    'Inputs',
    'a token of an unknown form',
    { inputs: { 'api-token': 'secret' } },
    [expect.stringMatching(/^warning: `api-token` does not look like/)],
  ],

  ['Address', 'an address with TLS', {}, ['ok: `https://scan.example/api/v1` answers JSON over TLS.']],
  [
    'Address',
    'an address behind a proxy',
    { facts: { proxy: { variable: 'HTTPS_PROXY', fault: undefined } } },
    ['ok: `https://scan.example/api/v1` answers JSON over TLS. `HTTPS_PROXY` is set.'],
  ],
  [
    'Address',
    'a proxy that cannot be used',
    {
      service: 'not asked',
      facts: {
        proxy: {
          variable: 'HTTPS_PROXY',
          fault: { reason: 'configuration', cause: 'Odd.', nextStep: 'Fix.' },
        },
      },
    },
    ['error: Odd. [Admin of the runner: Fix.]'],
  ],
  [
    'Address',
    'a service that was not asked',
    { service: 'not asked' },
    ['skipped: Not checked: fix the inputs first.'],
  ],
  [
    'Address',
    'a host name that does not exist',
    { token: unreachable('dns') },
    [expect.stringMatching(/^error: Could not check .*host name.* \[Admin of the runner: /)],
  ],
  [
    'Address',
    'a certificate that is not trusted',
    { token: unreachable('certificate') },
    [expect.stringMatching(/^error: .*certificate.* \[Admin of the runner: .*NODE_EXTRA_CA_CERTS/)],
  ],
  [
    'Address',
    'a connection that is reset',
    { token: unreachable('reset') },
    [expect.stringMatching(/^error: .*reset.* \[Support of the service: /)],
  ],
  [
    'Address',
    'a login page instead of the API',
    {
      token: {
        kind: 'invalid',
        operation: 'check the API token',
        status: 200,
        problem: 'not-json',
        detail: 'text',
        retryAfterSeconds: undefined,
      },
    },
    [expect.stringMatching(/^error: .*not JSON.* \[Workflow maintainer: Check that `base-url` ends/)],
  ],
  [
    'Address',
    'a check that reached the time limit',
    { token: { kind: 'stopped', operation: 'check the API token', sent: 'no', by: 'timeout' } },
    [expect.stringMatching(/^error: The doctor reached its time limit before it could check the API token/)],
  ],
  ['Address', 'a refusal in JSON', { token: refused(401, 'unauthorized') }, [expect.stringMatching(/^ok: /)]],

  ['Token', 'an accepted token', {}, ['ok: The service accepts `api-token`, and shows no expiry.']],
  [
    'Token',
    'a service that was not asked',
    { service: 'not asked' },
    ['skipped: Not checked: fix the inputs first.'],
  ],
  [
    'Token',
    'a rejected token',
    { token: refused(401, 'unauthorized') },
    [expect.stringMatching(/^error: The service rejected `api-token`.* \[Project admin of the service: /)],
  ],
  [
    'Token',
    'an internal error',
    { token: refused(500, 'internal') },
    [expect.stringMatching(/^error: .* \[Support of the service: /)],
  ],
  ['Token', 'no connection', { token: unreachable('dns') }, [expect.stringMatching(/^skipped: /)]],

  ['Project', 'the project of the token', {}, ['ok: `p1`.']],
  [
    'Project',
    'the project of another token',
    { service: { projectId: chooseProject('p1', { projectId: 'p2' }) } },
    [expect.stringMatching(/^error: `api-token` belongs to project `p2`.* \[Workflow maintainer: /)],
  ],
  [
    'Project',
    'an unknown project',
    { service: { projectId: undefined } },
    [expect.stringMatching(/^skipped: /)],
  ],
  [
    'Project',
    'a project that the service does not show',
    {
      service: {
        projectId: { ok: false, error: { reason: 'configuration', cause: 'No.', nextStep: 'Set it.' } },
      },
    },
    ['error: No. [Workflow maintainer: Set it.]'],
  ],

  ['Scopes', 'all scopes', {}, ['ok: The token has `read` and `scans:launch`.']],
  [
    'Scopes',
    'the scope to publish',
    { inputs: { publish: 'always' } },
    ['ok: The token has `read`, `scans:launch` and `publish`.'],
  ],
  [
    'Scopes',
    'missing scopes',
    { inputs: { publish: 'always' }, token: { scopes: ['read'] } },
    [
      expect.stringMatching(/^error: The API token is missing the `scans:launch` scope.* \[Project admin/),
      expect.stringMatching(/^error: The API token is missing the `publish` scope/),
    ],
  ],
  [
    'Scopes',
    'scopes that the service does not show',
    { token: { scopes: undefined } },
    [expect.stringMatching(/^warning: .*scopes\. \[/)],
  ],

  [
    'Token',
    'an expiry in 40 days',
    { token: { expiresAt: inDays(40.5) } },
    ['ok: The service accepts `api-token`. It expires in 40 days.'],
  ],
  [
    'Token',
    'an expiry in one day',
    { token: { expiresAt: inDays(1.5) } },
    [expect.stringMatching(/^warning: The token expires in 1 day\. \[Project admin/)],
  ],
  [
    'Token',
    'an expiry in the past',
    { token: { expiresAt: inDays(-1) } },
    [expect.stringMatching(/^error: .*expired/)],
  ],
  [
    'Token',
    'a text that is not a date',
    { token: { expiresAt: 'soon' } },
    [expect.stringMatching(/^warning: /)],
  ],
  [
    'Token',
    'an expiry in 40 days, in a public repository',
    { about: PUBLIC, token: { expiresAt: inDays(40) } },
    ['ok: The service accepts `api-token`. It does not expire within 7 days.'],
  ],
  [
    'Token',
    'an expiry in three days, in a public repository',
    { about: PUBLIC, token: { expiresAt: inDays(3) } },
    [expect.stringMatching(/^warning: The token expires within 7 days/)],
  ],

  ['Spend limit', 'no limit', {}, ['ok: The service shows no spend limit.']],
  [
    'Spend limit',
    'a limit that covers a scan',
    { token: { spendLimit: 20 } },
    [expect.stringMatching(/^ok: 20 credits per billing/)],
  ],
  [
    'Spend limit',
    'a limit below the budget',
    { token: { spendLimit: 19 } },
    [expect.stringMatching(/^error: .* 19 credits, below the budget of one scan \(20 or more\)/)],
  ],
  [
    'Spend limit',
    'a limit of 0',
    { token: { spendLimit: 0 }, presets: [] },
    [expect.stringMatching(/^error: /)],
  ],
  [
    'Spend limit',
    'a limit, in a public repository',
    { about: PUBLIC, token: { spendLimit: 77 } },
    ['ok: The service shows none that is below the budget of one scan.'],
  ],
  [
    'Spend limit',
    'no limit, in a public repository',
    { about: PUBLIC },
    ['ok: The service shows none that is below the budget of one scan.'],
  ],
  [
    'Spend limit',
    'a limit below the budget, in a public repository',
    { about: PUBLIC, token: { spendLimit: 7 } },
    [expect.not.stringContaining('7')],
  ],

  ['Allowlist', 'no allowlist', {}, ['ok: None: the token may see every repository of the project.']],
  [
    'Allowlist',
    'an allowlist with this repository',
    { token: { allowlist: ['r1', 'r2', 'r3'] } },
    ['ok: The token may see this repository, one of 3.'],
  ],
  [
    'Allowlist',
    'an allowlist with this repository, which is public',
    { about: PUBLIC, token: { allowlist: ['r1', 'r2'] } },
    ['ok: The token may see this repository.'],
  ],
  [
    'Allowlist',
    'an allowlist without this repository',
    { about: { name: 'till' }, token: { allowlist: ['r1'] } },
    [expect.stringMatching(/^error: The token may not see this repository.* \[Project admin/)],
  ],
  [
    'Allowlist',
    'no allowlist, and an unknown repository',
    { about: { name: 'till' } },
    [expect.stringMatching(/^ok: None/)],
  ],
  [
    'Allowlist',
    'lists of the service that were not read',
    { service: { lists: undefined } },
    [expect.stringMatching(/^skipped: /)],
  ],

  [
    'Repository',
    'a repository in the list',
    {},
    ['ok: `Acme/shop` is `r1` in the service, ACTIVE and ready.'],
  ],
  [
    'Repository',
    'a repository that is not in the list',
    { about: { name: 'till' } },
    [
      expect.stringMatching(
        /^error: The project does not list the repository `acme\/till`.* \[Project admin/,
      ),
    ],
  ],
  [
    'Repository',
    'a repository that is marked for deletion',
    { repository: { status: 'MARKED_FOR_DELETION' } },
    [expect.stringMatching(/^error: .*MARKED_FOR_DELETION/)],
  ],
  [
    'Repository',
    'a repository that is still analyzed',
    { repository: { readiness: 'analyzing' } },
    [expect.stringMatching(/^warning: .*not ready: `analyzing`/)],
  ],
  [
    'Repository',
    'another repository in `launch-parameters`',
    { inputs: { 'launch-parameters': '{"repositoryId":"r9"}' } },
    [expect.stringMatching(/^error: .*`r9`/)],
  ],

  [
    'Preset',
    'two presets',
    {},
    [
      'ok: `diff` (Diff): at least 20 credits, model tier `large`. A change.',
      'ok: `full` (Full): no minimum of its own.',
    ],
  ],
  [
    'Preset',
    'presets that were not read',
    { service: { lists: undefined } },
    [expect.stringMatching(/^skipped: /)],
  ],
  [
    'Pull request',
    'a preset that is chosen by its kind',
    {},
    ['ok: It takes `diff`. So do merge groups and pushes.'],
  ],
  [
    'Pull request',
    'no diff preset',
    { presets: [FULL] },
    [expect.stringMatching(/^error: The project has no preset that looks like a diff preset.* \[Workflow/)],
  ],
  [
    'Pull request',
    'a full preset in the input',
    { inputs: { preset: 'full' } },
    [expect.stringMatching(/^warning: It would take `full`/)],
  ],
  [
    'Schedule',
    'a preset that is chosen by its kind',
    {},
    ['ok: It takes `full`. So does `workflow_dispatch`.'],
  ],
  ['Schedule', 'only a diff preset', { presets: [DIFF] }, [expect.stringMatching(/^skipped: Not possible/)]],
  [
    'Schedule',
    'a diff preset in the input',
    { inputs: { preset: 'diff' } },
    [expect.stringMatching(/^skipped: Not possible/)],
  ],
  [
    'Budget',
    'a budget for each preset',
    {},
    [
      'ok: One scan by `diff` reserves 20 credits.',
      'ok: One scan by `full` reserves the default of the service.',
    ],
  ],
  [
    'Budget',
    'a budget below the minimum',
    { inputs: { 'credit-budget': '19' }, presets: [DIFF] },
    [expect.stringMatching(/^error: The budget of 19 credits is below the minimum.*20 credits/)],
  ],
  [
    'Budget',
    'a budget below the minimum of a full scan',
    { inputs: { 'credit-budget': '30' }, presets: [DIFF, { ...FULL, minCredits: 200 }] },
    [
      'ok: One scan by `diff` reserves 30 credits.',
      expect.stringMatching(/^skipped: Not possible on a schedule\. The budget of 30 credits/),
    ],
  ],
  ['Budget', 'no preset', { presets: [] }, [expect.stringMatching(/^skipped: /)]],

  ['Scan list', 'scans with all members', {}, ['ok: Shows id, commit, base, preset, repository, time.']],
  [
    'Scan list',
    'a scan without its time',
    { scan: { createdAt: undefined } },
    ['ok: Shows id, commit, base, preset, repository. Does not show time, which nothing needs.'],
  ],
  [
    'Scan list',
    'a scan with its time only',
    {
      scan: {
        id: undefined,
        headSha: undefined,
        baseSha: undefined,
        presetRef: undefined,
        repositoryId: undefined,
      },
    },
    [
      expect.stringMatching(
        /^warning: Shows time\. No id: .*`launch-unknown`\. No commit: .* No base: .* No preset: .* No repository: /,
      ),
    ],
  ],
  [
    'Scan list',
    'no scans',
    { service: { lists: undefined, scan: undefined } },
    [expect.stringMatching(/^skipped: /)],
  ],
  ['Scan detail', 'a scan with all members', {}, ['ok: Shows commit, base, phases.']],
  [
    'Scan detail',
    'a scan without its commits',
    { service: { scan: { ok: true, value: aScan('COMPLETED') } } },
    [
      expect.stringMatching(
        /^warning: Shows nothing of use\. No commit: the report says "commit not confirmed by the service".* No base: .*"base not confirmed by the service".* No phases: /,
      ),
    ],
  ],
  [
    'Scan detail',
    'a full scan, which shows that it has no base',
    { scan: { baseSha: null } },
    ['ok: Shows commit, base, phases.'],
  ],
  [
    'Scan detail',
    'an internal error of the service',
    { service: { scan: { ok: false, error: refused(500, 'internal') } } },
    [expect.stringMatching(/^error: Could not be checked\. .* \[Support of the service: /)],
  ],
  [
    'Scan detail',
    'a refusal',
    { service: { scan: { ok: false, error: refused(403, 'forbidden') } } },
    [expect.stringMatching(/^error: .* The gate needs it, and fails as the doctor does\. \[Project admin/)],
  ],
  [
    'Findings',
    'a refusal',
    { service: { findings: { ok: false, error: refused(403, 'forbidden') } } },
    [expect.stringMatching(/^error: .* The gate needs it, and fails as the doctor does\. \[Project admin/)],
  ],
  [
    'Findings',
    'a rate limit',
    { service: { findings: { ok: false, error: refused(429, 'rate_limited') } } },
    [expect.stringMatching(/^error: Could not be checked\. /)],
  ],
  [
    'Scan detail',
    'no scan with an id',
    { service: { scan: undefined } },
    [expect.stringMatching(/^skipped: /)],
  ],
  ['Findings', 'findings with all members', {}, ['ok: Shows id, title, place, known severity.']],
  ['Findings', 'no findings', { findings: [] }, [expect.stringMatching(/^skipped: .* after the first scan/)]],
  [
    'Findings',
    'findings with their ids only',
    { findings: [finding({ title: UNTITLED, severity: 'SEVERE' }), finding({ severity: '' })] },
    [
      expect.stringMatching(
        /^warning: Shows id\. No title: .* No place: .* No known severity: 2 of 2 findings have `SEVERE`, `\(none\)`/,
      ),
    ],
  ],

  [
    'Launch request',
    'all members of a launch',
    {},
    [
      'ok: `repositoryId`: `r1`, `presetRef`: `diff`, `creditBudget`: `20`, `baseCommit`: the merge base, `commit`: the head commit.',
    ],
  ],
  [
    'Launch request',
    'a launch with `launch-parameters`',
    {
      inputs: {
        'launch-parameters': JSON.stringify({ guidance: 'Look at the login.', depth: 7, creditBudget: null }),
      },
    },
    [
      'ok: `repositoryId`: `r1`, `presetRef`: `diff`, `baseCommit`: the merge base, `commit`: the head commit, `guidance`: a text of 18 characters, SHA-256 `d36367cc`…, `depth`: from `launch-parameters`. `launch-parameters` removes `creditBudget`.',
    ],
  ],
  ['Guidance', 'no `guidance-file`', {}, []],
  [
    'Guidance',
    'a file and the stored guidance',
    { facts: { guidance: { ...GUIDANCE, stored: ok('Stored.') } } },
    [
      'ok: `a.md` at `abababa` has 5 characters, SHA-256 `12345678`. With the stored guidance, the gate sends 14 characters.',
    ],
  ],
  [
    'Guidance',
    'a file that is not there',
    { facts: { guidance: { ...GUIDANCE, file: err(failure('configuration')) } } },
    ['error: Why. [Workflow maintainer: What to do.]'],
  ],
  [
    'Guidance',
    'a file that could not be read',
    { facts: { guidance: { ...GUIDANCE, file: err(failure('service-error')) } } },
    ['warning: Why. [Workflow maintainer: What to do.]'],
  ],
  [
    'Guidance',
    'a stored text that may not be read',
    { facts: { guidance: { ...GUIDANCE, stored: err(failure('configuration')) } } },
    ['error: Why. [Project admin of the service: What to do.]'],
  ],
  [
    'Guidance',
    'a file and stored guidance that are too long together',
    { facts: { guidance: { ...GUIDANCE, stored: ok('x'.repeat(100_000)) } } },
    [
      expect.stringMatching(
        /^error: The guidance file `a.md` with the stored guidance is longer than 100000/,
      ),
    ],
  ],
  [
    'Guidance',
    'a file that was not read',
    { facts: { guidance: { ...GUIDANCE, file: undefined } } },
    ['skipped: Not checked: the default branch was not read.'],
  ],
  [
    'Guidance',
    'no repository in the service',
    { facts: { guidance: { ...GUIDANCE, stored: undefined } } },
    [expect.stringMatching(/^skipped: `a.md` at .* The stored guidance was not read\.$/)],
  ],
  [
    'Inputs',
    'guidance in a file and in `launch-parameters`',
    { inputs: { 'guidance-file': 'a.md', 'launch-parameters': '{"guidance":"x"}' } },
    [expect.stringMatching(/^error: `guidance-file` is set, and `launch-parameters` has `guidance` too\./)],
  ],
  [
    'Launch request',
    'a launch with a guidance file',
    { facts: { guidance: { ...GUIDANCE, stored: ok(null) } } },
    [expect.stringMatching(/`guidance`: a text of 5 characters, SHA-256 `[0-9a-f]{8}`…\.$/)],
  ],
  ['Launch request', 'a launch without a preset', { presets: [] }, [expect.stringMatching(/^skipped: /)]],

  ['Comparison', 'a comparison that can be read', {}, [expect.stringMatching(/^ok: /)]],
  ['Comparison', 'no token for GitHub', { github: 'not asked' }, [expect.stringMatching(/^warning: /)]],
  [
    'Check runs',
    'GitHub out of reach',
    { github: { checkRuns: { ok: false, error: gitHubError('unreachable') } } },
    [expect.stringMatching(/^error: /)],
  ],
  [
    'Comparison',
    'a missing permission',
    {
      github: {
        comparison: { ok: false, error: { kind: 'unavailable', error: gitHubError('forbidden') } },
      },
    },
    [expect.stringMatching(/^error: .* \[Workflow maintainer: Add `contents: read`/)],
  ],
  [
    'Comparison',
    'no token in a workflow',
    { github: 'not asked' },
    [expect.stringMatching(/^warning: .*may read this repository, as `github-token`\.\]$/)],
  ],
  [
    'Comparison',
    'no token on the command line',
    { github: 'not asked', facts: { isCommandLine: true } },
    [expect.stringMatching(/^warning: .*in the environment variable `GITHUB_TOKEN`\.\]$/)],
  ],
  [
    'Inputs',
    'no token on the command line',
    { inputs: { 'api-token': '' }, facts: { isCommandLine: true } },
    [expect.stringMatching(/^error: There is no token .*the environment variable `SCANGATE_API_TOKEN` /)],
  ],
  [
    'Inputs',
    'an invalid option on the command line',
    { inputs: { 'fail-on': 'hihg' }, facts: { isCommandLine: true } },
    [expect.stringMatching(/^error: `fail-on` is `hihg`.*the option of the same name, such as `--base-url`/)],
  ],
  [
    'Comparison',
    'GitHub out of reach',
    { github: { defaultBranch: { ok: false, error: gitHubError('unreachable') } } },
    [expect.stringMatching(/^error: .* \[Admin of the runner: /)],
  ],
  [
    'Comparison',
    'a default branch that is not as documented',
    { github: { branch: { ok: false, error: gitHubError('invalid') } } },
    [expect.stringMatching(/^error: .* \[Workflow maintainer: /)],
  ],
  [
    'Comparison',
    'a rate limit',
    {
      github: {
        comparison: { ok: false, error: { kind: 'unavailable', error: gitHubError('rate-limited') } },
      },
    },
    [expect.stringMatching(/^error: /)],
  ],
  [
    'Comparison',
    'unrelated commits',
    { github: { comparison: { ok: false, error: { kind: 'no-common-ancestor' } } } },
    [expect.stringMatching(/^warning: .*no common ancestor/)],
  ],
  [
    'Comparison',
    'a check that reached the time limit',
    { github: { comparison: { ok: false, error: { kind: 'stopped' } } } },
    [expect.stringMatching(/^error: /)],
  ],
  ['Check runs', 'check runs that can be read', {}, [expect.stringMatching(/^ok: Readable/)]],
  [
    'Check runs',
    'a missing permission',
    { github: { checkRuns: { ok: false, error: gitHubError('forbidden') } } },
    [expect.stringMatching(/^error: .* \[Workflow maintainer: Add `checks: read`/)],
  ],

  [
    'Required check',
    'a required job `lint / scangate`, which is not the job of the gate',
    { github: { rules: { ok: true, value: { rules: [requires('lint / scangate')], complete: true } } } },
    [expect.stringMatching(/^warning: `main` does not require the job/)],
  ],
  [
    'Required check',
    'a workflow that a ruleset requires',
    { github: { rules: { ok: true, value: { rules: [{ type: 'workflows' }], complete: true } } } },
    [expect.stringMatching(/^warning: It is unknown whether `main` requires the job/)],
  ],
  [
    'Required check',
    'rules of an unknown form',
    {
      github: {
        rules: {
          ok: true,
          value: { rules: [{ type: 'required_status_checks', parameters: {} }], complete: true },
        },
      },
    },
    [expect.stringMatching(/^warning: It is unknown whether `main` requires the job/)],
  ],
  [
    'Required check',
    'workflows that were not all read',
    {
      github: {
        rules: { ok: true, value: { rules: [requires('test')], complete: true } },
        workflows: { ok: true, value: { files: [workflow()], complete: false } },
      },
    },
    [expect.stringMatching(/^warning: It is unknown whether `main` requires the job/)],
  ],
  [
    'Required check',
    'the check run of the gate',
    { github: { rules: { ok: true, value: { rules: [requires('Security scan')], complete: true } } } },
    [
      expect.stringMatching(
        /^error: `main` requires the check run `Security scan`, not the job.* \[Repository admin on GitHub: Make the job `scangate`/,
      ),
    ],
  ],
  [
    'Required check',
    'no required check of the gate',
    { github: { rules: { ok: true, value: { rules: [requires('test')], complete: true } } } },
    [expect.stringMatching(/^warning: `main` does not require the job.* It requires `test`\. \[Repository/)],
  ],
  [
    'Required check',
    'required checks that GitHub does not show',
    {
      github: {
        rules: { ok: true, value: { rules: [], complete: true } },
        branch: { ok: true, value: { sha: HEAD, isProtected: true, requiredChecks: undefined } },
      },
    },
    [expect.stringMatching(/^warning: It is unknown whether `main` requires the job/)],
  ],
  [
    'Required check',
    'no workflow',
    { github: { workflows: { ok: true, value: { files: [], complete: true } } } },
    [expect.stringMatching(/^warning: No workflow on `main` runs the gate.* \[Workflow maintainer: Commit/)],
  ],
  [
    'Required check',
    'rules that were not read',
    { github: { rules: { ok: false, error: gitHubError('forbidden') } } },
    [expect.stringMatching(/^warning: /)],
  ],
  [
    'Required check',
    'workflows that were not read',
    { github: { workflows: { ok: false, error: gitHubError('unreachable') } } },
    [expect.stringMatching(/^warning: /)],
  ],
  [
    'Merge queue',
    'a gate that does not run on `merge_group`',
    { github: { rules: { ok: true, value: { rules: [{ type: 'merge_queue' }], complete: true } } } },
    [expect.stringMatching(/^warning: .*the queue merges without it/)],
  ],
];

test.each(TABLE)('the row "%s" of the doctor fits this case: %s', (check, _why, given, rows) => {
  expect(rowsAbout(check, given)).toEqual(rows);
});

describe('a list that was refused', () => {
  const error = { ok: false, error: refused(404, 'not_found') } as const;
  const { service } = factsOf();
  const lists = service?.lists;

  test('the doctor shows a warning for a refused list of scans, and an error for any other refused list', () => {
    if (lists === undefined) throw new Error('the sample has no lists');
    const of = (check: Check, changed: Partial<typeof lists>) =>
      rowsAbout(check, { service: { lists: { ...lists, ...changed } } });
    expect(of('Repository', { repositories: error })).toEqual([
      expect.stringMatching(/^error: .* \[Project/),
    ]);
    expect(of('Preset', { presets: error })).toEqual([expect.stringMatching(/^error: .* \[Project/)]);
    expect(of('Scan list', { scans: error })).toEqual([expect.stringMatching(/^warning: .* \[Project/)]);
    const malformed = {
      ok: true,
      value: [DIFF, { fault: '`presets.1.ref` is missing', readable: {} }],
    } as const;
    expect(of('Preset', { presets: malformed })).toContainEqual(
      expect.stringMatching(/^warning: .*not as documented: `presets.1.ref` is missing/),
    );
    const empty = { ok: true, value: { scans: [], complete: true } } as const;
    expect(of('Scan list', { scans: empty })).toEqual([expect.stringMatching(/^skipped: .*first scan/)]);
    expect(of('Scan detail', { scans: empty })).toEqual([expect.stringMatching(/^skipped: .*first scan/)]);
  });
});

test('in a public repository, the doctor shows no limit, no date and no number of repositories', () => {
  const rows = diagnose(
    factsOf({
      about: PUBLIC,
      token: { expiresAt: inDays(400), spendLimit: 123_456, allowlist: ['r1', 'r2', 'r3', 'r4', 'r5'] },
    }),
  );
  expect(rows.map(shownRow).join('\n')).not.toMatch(/123.?456|\b400\b|2027|\b5\b/);
});

test('in a public repository, the doctor does not name unknown severities', () => {
  const given = { findings: [finding({ severity: 'SEVERE' }), finding({})] };
  const row = (about: NonNullable<Given['about']>) =>
    diagnose(factsOf({ ...given, about }))
      .filter(({ check }) => check === 'Findings')
      .map(shownRow)
      .join();
  expect(row({})).toContain('1 of 2 findings have `SEVERE`, which counts as above `critical`');
  expect(row(PUBLIC)).toContain('No known severity: 1 of 2 findings count as above `critical`.');
  expect(row(PUBLIC)).not.toContain('SEVERE');
});

test.each([true, false])(
  'the doctor does not name a finding or a token (public repository: %s)',
  (isPublic) => {
    const facts = factsOf({
      about: { isPublic },
      findings: [
        finding({
          title: 'SQL in the cellar',
          cwe: 4242,
          location: { path: 'cellar/wine.ts', startLine: 4242, endLine: 4242 },
          description: 'cellar',
          recommendedFix: 'cellar',
          proofOfConcept: 'cellar',
        }),
      ],
    });
    expect(JSON.stringify(diagnose(facts))).not.toMatch(/cellar|4242|secret99|ghs_1/);
    expect(JSON.stringify(facts.service?.findings)).not.toMatch(/cellar|4242/);
  },
);
