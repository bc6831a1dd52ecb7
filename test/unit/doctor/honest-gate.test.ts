import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import type { GitHubFacts } from '../../../src/doctor/facts.ts';
import type { Check } from '../../../src/doctor/row.ts';
import { ok } from '../../../src/domain/result.ts';
import type { BranchRule } from '../../../src/github/branch-rules.ts';
import type { EnvironmentRules } from '../../../src/github/repository.ts';
import { read } from '../../project/code.ts';
import { EXAMPLES, readExample } from '../../project/examples.ts';
import { expression, JOB, look, ON, on, QUICK, type Repository, STEP } from './look.ts';
import { gitHubError, requires, requiresFrom, workflow } from './sample-facts.ts';

const HEAD = 'cd'.repeat(20);
const job = (keys: string, step = STEP) => `${ON}jobs:\n  scangate:\n    runs-on: x\n${keys}${step}`;
const step = (keys: string) => `    steps:\n      - uses: scangate/scangate@v0\n${keys}`;
const NEEDING = `${ON}jobs:\n  build:\n    steps:\n      - run: make\n  scangate:\n    needs: build\n${STEP}`;
const PUBLIC = { id: 1, defaultBranch: 'main', isPublic: true };
const TARGET = `${on('pull_request_target')}jobs:\n${JOB}`;
const FORKS = `${on('pull_request_target')}jobs:\n  scangate:\n    environment: \${{ github.event.pull_request.head.repo.full_name != github.repository && 'scan-forks' || '' }}\n${STEP}        with:\n          scan-forks: all\n`;
const TRIAGE = (body: string) =>
  `on:\n  schedule:\n    - cron: '7 * * * *'\n  issue_comment:\n    types: [created]\njobs:\n  triage:\n${body}    steps:\n      - uses: scangate/scangate/triage@v0\n`;
const MAY_TRIAGE = '    permissions:\n      actions: write\n      checks: read\n      pull-requests: write\n';

const ENTERPRISE = { about: { serverUrl: 'https://github.acme.example' } };
/** A job whose check run comes from an app. */
const APP_JOB = job(
  '',
  step(`        with:\n          github-token: ${expression('steps.app.outputs.token')}\n`),
);

const WRONG: Readonly<Record<string, Repository>> = {
  'the job continues on error': { files: job('    continue-on-error: true\n') },
  'the step continues on error': { files: job('', step('        continue-on-error: true\n')) },
  'the step has a condition': { files: job('', step("        if: github.actor != 'bot'\n")) },
  'a second step of the gate continues on error': {
    files: job('', `${STEP}      - uses: scangate/scangate@v0\n        continue-on-error: true\n`),
  },
  'a second step of the gate has a condition': {
    files: job('', `${STEP}      - uses: scangate/scangate@v0\n        if: github.actor != 'bot'\n`),
  },
  'the job continues on error, and `uses` has capital letters': {
    files: job('    continue-on-error: true\n', '    steps:\n      - uses: Scangate/Scangate@v0\n'),
  },
  'the condition of the job compares a negated value': {
    files: job(`    if: ${expression("!github.event_name == 'push'")}\n`),
  },
  'the gate does not run for a push': {
    files: `on:\n  pull_request:\n    types: [opened, labeled]\njobs:\n${JOB}`,
  },
  'the required job also runs for reviews': {
    files: `${on('pull_request', 'pull_request_review')}jobs:\n${JOB}`,
  },
  'a matrix appends its values to the name of the required job': {
    files: `${ON}jobs:\n  gate:\n    name: scangate\n    strategy:\n      matrix:\n        part: [web]\n${STEP}`,
  },
  'the job needs a job that can fail': { files: NEEDING },
  'the job needs a second job of the gate, and no rule requires the second job': {
    files: `${ON}jobs:\n  all:\n${STEP}  scangate:\n    needs: all\n${STEP}`,
  },
  'the job never runs on pull requests': { files: job("    if: github.event_name == 'push'\n") },
  'the job runs in another repository': { files: job("    if: github.repository == 'acme/upstream'\n") },
  'the job runs only after a failure': { files: job('    if: failure()\n') },
  'the job has a condition': { files: job(`    if: ${expression('!github.event.pull_request.draft')}\n`) },
  'the calling job has a condition': {
    files: {
      'ci.yml': `${ON}jobs:\n  security:\n    if: github.actor != 'bot'\n    uses: ./.github/workflows/scangate.yml\n`,
      'scangate.yml': `on: workflow_call\njobs:\n${JOB}`,
    },
    rules: [requires('security / scangate')],
  },
  'the workflow runs only for some paths': {
    files: `${on('pull_request')}    paths: ['src/**']\njobs:\n${JOB}`,
  },
  'the workflow does not run for the default branch': {
    files: `${on('pull_request')}    branches: ['release/**']\njobs:\n${JOB}`,
  },
  'the workflow ignores the default branch': {
    files: `${on('pull_request')}    branches-ignore: [m*]\njobs:\n${JOB}`,
  },
  'the doctor does not understand the YAML of the gate': {
    files: `${ON}jobs:\n  scangate: !x\n    runs-on: x\n${STEP}`,
  },
  'the required job also runs for pushes': { files: `${on('push', 'pull_request')}jobs:\n${JOB}` },
  'a scheduled job has the name of the required job': {
    files: {
      'scangate.yml': QUICK,
      'night.yml': `on:\n  schedule:\n    - cron: '1 1 * * *'\njobs:\n  night:\n    name: scangate\n    steps:\n      - run: x\n`,
    },
  },
  'the required job can also be started by hand': {
    files: `${on('workflow_dispatch', 'pull_request')}jobs:\n${JOB}`,
  },
  'a second job on pull requests has the name of the required job': {
    files: {
      'scangate.yml': QUICK,
      'ci.yml': `${on('pull_request')}jobs:\n  scangate:\n    steps:\n      - run: x\n`,
    },
  },
  'no calling job has the required name': {
    files: {
      'ci.yml': `${ON}jobs:\n  security:\n    uses: ./.github/workflows/scangate.yml\n`,
      'scangate.yml': `on: workflow_call\njobs:\n${JOB}`,
    },
    rules: [requires('gate / scangate')],
  },
  'one job of the matrix is not required': {
    files: `${ON}jobs:\n  scangate:\n    strategy:\n      matrix:\n        part: [a, b]\n${STEP}`,
    rules: [requires('scangate (a)')],
  },
  'the required check may come from any source': {
    files: QUICK,
    rules: [requiresFrom(undefined, 'scangate')],
  },
  'the required check has to come from another app': { files: QUICK, rules: [requiresFrom(7, 'scangate')] },
  'the required check has to come from another app, by classic protection': {
    files: QUICK,
    rules: [],
    github: {
      branch: ok({ sha: HEAD, isProtected: true, requiredChecks: [{ name: 'scangate', appId: 7 }] }),
    },
  },
  'on Enterprise Server, the required check has to come from another app': {
    files: QUICK,
    rules: [requiresFrom(15_368, 'scangate')],
    given: { about: { serverUrl: 'https://github.acme.example' } },
    github: { jobApps: new Map([['scangate', ok(3)]]) },
  },
  'the required check run has to come from an app that does not own the token': {
    files: job('', step(`        with:\n          github-token: ${expression('steps.app.outputs.token')}\n`)),
    rules: [requiresFrom(9, 'Security scan')],
    github: { jobApps: new Map([['Security scan', ok(15_368)]]) },
  },
  'the gate does not run in the merge queue that classic protection requires': {
    files: QUICK,
    github: { queue: ok('HEADGREEN') },
  },
  'the gate runs only in the queue of another branch': {
    files: `${on('pull_request', 'merge_group')}    branches: [other]\njobs:\n${JOB}`,
    rules: [requires('scangate'), { type: 'merge_queue' }],
  },
  'one of two required jobs does not run in the merge queue': {
    files: {
      'a.yml': `${on('pull_request', 'merge_group')}jobs:\n  one:\n${STEP}`,
      'b.yml': `${on('pull_request')}jobs:\n  two:\n${STEP}`,
    },
    rules: [requires('one', 'two'), { type: 'merge_queue' }],
  },
  'the event policy of GitHub blocks `pull_request_target`': {
    files: TARGET,
    github: { repository: PUBLIC, targetRuns: ok(false) },
  },
  'the environment for forks has no reviewers': {
    files: FORKS,
    github: {
      environments: new Map([['scan-forks', ok({ hasReviewers: false, branches: 'all' as const })]]),
    },
  },
  'the environment for forks does not exist': {
    files: FORKS,
    github: { environments: new Map([['scan-forks', ok(undefined)]]) },
  },
  'a required workflow cancels its runs': {
    files: `${ON}concurrency:\n  group: x\n  cancel-in-progress: \${{ github.run_attempt == 1 }}\njobs:\n${JOB}`,
    rules: [
      {
        type: 'workflows',
        parameters: { workflows: [{ path: '.github/workflows/scangate.yml', repository_id: 1 }] },
      },
    ],
  },
  'the triage action may not re-run jobs': {
    files: { 'scangate.yml': QUICK, 'triage.yml': TRIAGE('    permissions:\n      checks: read\n') },
  },
  'the triage action needs `job-name`': {
    files: {
      'scangate.yml': `${QUICK}  other:\n    steps:\n      - run: x\n`,
      'triage.yml': TRIAGE(MAY_TRIAGE),
    },
  },
  'the triage action may not answer commands': {
    files: {
      'scangate.yml': QUICK,
      'triage.yml': TRIAGE(MAY_TRIAGE.replace('pull-requests: write', 'pull-requests: read')),
    },
  },
  'a gate with a sweep writes no comment': {
    files: {
      'scangate.yml': `${QUICK}        with:\n          comment: never\n`,
      'triage.yml': TRIAGE(MAY_TRIAGE),
    },
  },
  'the `job-name` of the triage action is not the job of the gate': {
    files: {
      'scangate.yml': QUICK,
      'triage.yml': `${TRIAGE(MAY_TRIAGE)}        with:\n          job-name: gate\n`,
    },
  },
  'a pull request from another branch keeps its result': {
    files: `on:\n  pull_request:\njobs:\n${JOB}`,
    given: ENTERPRISE,
  },
  'a pull request of one of two branches keeps its result': {
    files: `on:\n  pull_request_target:\n    branches: [main, next]\njobs:\n${JOB}`,
    given: ENTERPRISE,
  },
  'a pull request of a calling workflow keeps its result': {
    files: {
      'ci.yml': `on: pull_request\njobs:\n  security:\n    uses: ./.github/workflows/scangate.yml\n`,
      'scangate.yml': `on: workflow_call\njobs:\n${JOB}`,
    },
    rules: [requires('security / scangate')],
  },
  'a layer of a stack keeps its result': {
    files: `on:\n  pull_request:\n    branches: [main]\njobs:\n${JOB}`,
  },
  'the gate writes a check run with the name of its job': {
    files: job('', step('        with:\n          check-name: scangate\n')),
  },
  'the gate on `push` writes a check run with the name of the required job': {
    files: {
      'scangate.yml': QUICK,
      'push.yml': `on: push\njobs:\n  pushed:\n${STEP}        with:\n          check-name: scangate\n`,
    },
  },
  'the gate on `push` writes the required check run of an app': {
    files: { 'scangate.yml': APP_JOB, 'push.yml': `on: push\njobs:\n  pushed:\n${STEP}` },
    rules: [requiresFrom(9, 'Security scan')],
    github: { jobApps: new Map([['Security scan', ok(9)]]) },
  },
  'the runs of the merge queue cancel each other': {
    files: `${on('pull_request', 'merge_group')}concurrency:\n  group: gate-${expression('github.event.pull_request.number')}\n  cancel-in-progress: true\njobs:\n${JOB}`,
    rules: [requires('scangate'), { type: 'merge_queue' }],
  },
  'a required job collects the results of the others': {
    files: `${QUICK}  all-green:\n    needs: [scangate]\n    if: always()\n    steps:\n      - run: exit 1\n        if: contains(needs.*.result, 'failure')\n`,
    rules: [requires('all-green')],
  },
  'a required job waits for the gate, and does not read its result': {
    files: `${QUICK}  all-green:\n    needs: [scangate]\n    if: always()\n    steps:\n      - run: x\n`,
    rules: [requires('all-green')],
  },
  'a required job is skipped if the gate fails': {
    files: `${QUICK}  all-green:\n    needs: [scangate]\n    steps:\n      - run: echo ${expression('needs.scangate.result')}\n`,
    rules: [requires('all-green')],
  },
  'none of two steps of the gate runs on an event': {
    files: `${on('pull_request', 'pull_request_target')}jobs:\n  scangate:\n${STEP}        if: github.event_name == 'pull_request'\n      - uses: scangate/scangate@v0\n        if: github.event_name == 'pull_request' && github.actor == 'x'\n`,
  },
  'the runs on `pull_request_target` cannot be read': {
    files: TARGET,
    github: {
      repository: PUBLIC,
      targetRuns: { ok: false, error: { ...gitHubError('forbidden'), permission: 'actions: read' } },
    },
  },
  'the triage action never starts on a comment': {
    files: {
      'scangate.yml': QUICK,
      'triage.yml': TRIAGE(MAY_TRIAGE).replace(/ {2}issue_comment:\n.*\n/, ''),
    },
  },
  'the triage action starts on edited comments only': {
    files: { 'scangate.yml': QUICK, 'triage.yml': TRIAGE(MAY_TRIAGE).replace('created', 'edited') },
  },
  'the job of the triage action is skipped on a comment': {
    files: {
      'scangate.yml': QUICK,
      'triage.yml': TRIAGE(`    if: github.event_name == 'schedule'\n${MAY_TRIAGE}`),
    },
  },
};

describe('a repository with one fault has one problem', () => {
  test('the problem of each repository matches the golden file', async () => {
    const lines = Object.entries(WRONG).map(([what, repository]) => {
      const { problems, last } = look(repository);
      expect(problems, what).toHaveLength(1);
      expect(last.startsWith(problems[0]?.startsWith('error') ? 'Not ready: 1 error' : 'Ready'), what).toBe(
        true,
      );
      return `${what}:\n  ${problems[0]}`;
    });
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/honest-gate.txt');
  });

  test('the doctor reports both a condition of the gate and a job that the gate needs', () => {
    const files = `${ON}jobs:\n  build:\n    steps:\n      - run: x\n  scangate:\n    needs: build\n    if: github.actor != 'bot'\n${STEP}`;
    expect(look({ files }).problems).toEqual([
      expect.stringMatching(/^warning Gate job: The job `scangate` .* has the condition/),
      expect.stringMatching(/^error Gate job: The job `scangate` .* needs `build`/),
    ]);
  });

  test('the doctor says that it does not check the job names of a workflow with unknown YAML', () => {
    const files = { 'scangate.yml': QUICK, 'other.yml': 'on: push\njobs: !x\n  x: y\n' };
    expect(look({ files }).rows).toContain(
      'skipped Same name: Not checked: the doctor does not understand the YAML of `.github/workflows/other.yml`.',
    );
  });

  test('the doctor reports a required job that needs a job with a condition', () => {
    const files = `${ON}jobs:\n  all:\n    if: github.actor != 'bot'\n${STEP}  scangate:\n    needs: all\n${STEP}`;
    expect(look({ files, rules: [requires('all', 'scangate')] }).problems).toEqual([
      expect.stringMatching(/^warning Gate job: The job `all` .* has the condition/),
      expect.stringMatching(/^error Gate job: The job `scangate` .* needs `all`/),
    ]);
  });

  test("the doctor's last line warns about skipped jobs if the gate's job can be skipped", () => {
    for (const repository of Object.values(WRONG)) {
      const { problems, last } = look(repository);
      if (!problems[0]?.startsWith('warning')) continue;
      const canBeSkipped = /the job is skipped|does not understand/.test(problems[0]);
      const [start, end] = canBeSkipped
        ? ['Ready only if the job of the gate always runs', ' GitHub counts a skipped job as passed.']
        : ['Ready', ''];
      expect(last).toBe(`${start}: 0 errors, 1 warning.${end}`);
    }
  });
});

const workflows = (path: string, repositoryId: number): BranchRule => ({
  type: 'workflows',
  parameters: { workflows: [{ path, repository_id: repositoryId, ref: 'refs/heads/main' }] },
});
const GOOD: Readonly<Record<string, Repository>> = {
  'Enterprise Server, without stacked pull requests, and one branch': {
    files: `on:\n  pull_request:\n    branches: [main]\njobs:\n${JOB}`,
    given: ENTERPRISE,
    github: { jobApps: new Map([['scangate', ok(15_368)]]) },
  },
  'check runs with names of their own on `push`': {
    files: {
      'scangate.yml': QUICK,
      'push.yml': `on: push\njobs:\n  pushed:\n${STEP}        with:\n          check-name: Push\n`,
    },
  },
  'two steps of the gate, one for each event': {
    files: `${on('pull_request', 'pull_request_target')}jobs:\n  scangate:\n${STEP}        if: github.event_name == 'pull_request'\n      - uses: scangate/scangate@v0\n        if: github.event_name != 'pull_request'\n`,
  },
  ...Object.fromEntries(
    [
      'github.event.pull_request.number || github.ref',
      'github.run_id',
      'github.event.merge_group.head_sha',
    ].map((value): [string, Repository] => [
      `a merge queue whose runs have groups of their own, by \`${value}\``,
      {
        files: `${on('pull_request', 'merge_group')}concurrency:\n  group: gate-${expression(value)}\n  cancel-in-progress: true\njobs:\n${JOB}`,
        rules: [requires('scangate'), { type: 'merge_queue' }],
      },
    ]),
  ),
  'a merge queue whose runs do not cancel each other': {
    files: `${on('pull_request', 'merge_group')}concurrency:\n  group: gate\n  cancel-in-progress: ${expression("github.event_name == 'pull_request'")}\njobs:\n${JOB}`,
    rules: [requires('scangate'), { type: 'merge_queue' }],
  },
  'a job that collects results, besides the required gate': {
    files: `${QUICK}  all-green:\n    needs: [scangate]\n    if: always()\n    steps:\n      - run: exit 1\n        if: contains(needs.*.result, 'failure')\n`,
    rules: [requires('scangate', 'all-green')],
  },
  'a triage action for sweeps, and one for comments': {
    files: {
      'scangate.yml': QUICK,
      'triage.yml': TRIAGE(MAY_TRIAGE).replace(/ {2}issue_comment:\n.*\n/, ''),
      'comments.yml': TRIAGE(MAY_TRIAGE).replace(/ {2}schedule:\n.*\n/, ''),
    },
  },
  'a reusable workflow': {
    files: {
      'ci.yml': `${ON}jobs:\n  security:\n    name: Security\n    uses: ./.github/workflows/scangate.yml\n    secrets: inherit\n`,
      'scangate.yml': `on:\n  workflow_call:\n    secrets:\n      token:\njobs:\n${JOB}`,
    },
    rules: [requires('Security / scangate')],
  },
  'a ruleset of the organization': {
    files: QUICK,
    rules: [{ type: 'deletion' }, requires('scangate'), requires('test')],
  },
  'a matrix': {
    files: `${ON}jobs:\n  scangate:\n    strategy:\n      fail-fast: false\n      matrix:\n        part: [web, api]\n${STEP}`,
    rules: [requires('scangate (web)', 'scangate (api)')],
  },
  'tests in a matrix beside the gate': {
    files: {
      'scangate.yml': QUICK,
      'test.yml':
        'on: [push, pull_request]\njobs:\n  test:\n    strategy:\n      matrix:\n        include:\n          - os: linux\n    steps:\n      - run: x\n',
    },
  },
  'a merge queue': {
    files: `${ON}  merge_group:\njobs:\n${JOB}`,
    rules: [requires('scangate'), { type: 'merge_queue' }],
  },
  'a gate that runs in the merge queue of the default branch only': {
    files: `${on('pull_request', 'merge_group')}    types: [checks_requested]\n    branches: [main]\njobs:\n${JOB}`,
    rules: [requires('scangate'), { type: 'merge_queue' }],
  },
  'a merge queue without a second scan': {
    files: `${on('pull_request', 'merge_group')}jobs:\n  scangate:\n    if: github.event_name != 'merge_group'\n${STEP}`,
    rules: [requires('scangate'), { type: 'merge_queue' }],
  },
  'a merge queue with a workflow of its own': {
    files: { 'a.yml': QUICK, 'b.yml': `on: merge_group\njobs:\n${JOB}` },
    github: { queue: ok('ALLGREEN') },
  },
  'classic protection': {
    files: QUICK,
    rules: [],
    github: {
      branch: ok({ sha: HEAD, isProtected: true, requiredChecks: [{ name: 'scangate', appId: 15_368 }] }),
    },
  },
  'Enterprise Server': {
    files: TARGET,
    rules: [requiresFrom(4, 'scangate')],
    given: { about: { serverUrl: 'https://github.acme.example' } },
    github: { repository: PUBLIC, jobApps: new Map([['scangate', ok(4)]]) },
  },
  'the token of an app': {
    files: job(
      '',
      `    steps:\n      - id: app\n        uses: actions/create-github-app-token@v2\n      - uses: scangate/scangate@v0\n        with:\n          github-token: ${expression('steps.app.outputs.token')}\n`,
    ),
  },
  'the check run of an app': {
    files: job('', step(`        with:\n          github-token: ${expression('steps.app.outputs.token')}\n`)),
    rules: [requiresFrom(9, 'Security scan')],
    github: { jobApps: new Map([['Security scan', ok(9)]]) },
  },
  'a required workflow': {
    files: `${on('pull_request')}jobs:\n${JOB}`,
    rules: [workflows('.github/workflows/scangate.yml', 1)],
  },
  'a required workflow of another repository': {
    files: {},
    rules: [workflows('.github/workflows/scangate.yml', 2)],
    github: {
      foreign: [
        {
          workflow: { path: '.github/workflows/scangate.yml', repositoryId: 2, ref: undefined },
          file: ok({
            path: '.github/workflows/scangate.yml',
            text: read('docs/examples/organization.yml'),
          }),
        },
      ],
    },
  },
  'several branches': {
    files: `on:\n  pull_request:\n    branches: [main, 'release/**']\n    types: [opened, synchronize, reopened, edited]\njobs:\n${JOB}`,
  },
  '`pull_request_target` that has run': {
    files: TARGET,
    github: { repository: PUBLIC, targetRuns: ok(true) },
  },
  'forks that wait for an approval': {
    files: FORKS,
    github: {
      repository: PUBLIC,
      targetRuns: ok(true),
      environments: new Map([['scan-forks', ok({ hasReviewers: true, branches: 'all' as const })]]),
    },
  },
  'a job that runs even if the job in its `needs` fails': {
    files: `${ON}jobs:\n  build:\n    steps:\n      - run: make\n  scangate:\n    needs: [build]\n    if: \${{ !cancelled() && github.repository_owner == 'acme' }}\n${STEP}`,
  },
  'a job that may fail after the gate': {
    files: `${QUICK}  report:\n    needs: scangate\n    if: failure()\n    continue-on-error: true\n    steps:\n      - run: x\n`,
  },
  'a second job of the gate that never fails the workflow': {
    files: `${QUICK}  strict:\n    continue-on-error: true\n${STEP}`,
  },
  '`continue-on-error` and `cancel-in-progress` that are off, in several spellings': {
    files: `${ON}concurrency:\n  group: x\n  cancel-in-progress: \${{ false }}\njobs:\n  scangate:\n    continue-on-error: False\n${STEP}        continue-on-error: \${{ false }}\n`,
    rules: [workflows('.github/workflows/scangate.yml', 1)],
  },
  'a second step of the gate that runs only on a schedule': {
    files: job(
      '',
      `${STEP}      - uses: scangate/scangate@v0\n        if: github.event_name == 'schedule'\n`,
    ),
  },
  'a triage action': { files: { 'scangate.yml': QUICK, 'triage.yml': TRIAGE(MAY_TRIAGE) } },
  'a triage action without sweeps, of a gate without comments': {
    files: {
      'scangate.yml': `${QUICK}        with:\n          comment: never\n`,
      'triage.yml': TRIAGE(MAY_TRIAGE).replace(/ {2}schedule:\n.*\n/, ''),
    },
  },
  'a triage action with the token of the gate': {
    files: {
      'scangate.yml': `${QUICK}        with:\n          github-token: x\n`,
      'triage.yml': `${TRIAGE('')}        with:\n          github-token: x\n`,
    },
  },
};

describe('a correct repository has no problem', () => {
  test.each(Object.entries(GOOD))(
    'the doctor finds no problem in a correct repository: %s',
    (_what, repository) => {
      const { problems, last } = look(repository);
      expect(problems).toEqual([]);
      expect(last).toBe('Ready: 0 errors, 0 warnings.');
    },
  );
});

/** Each example is the only workflow of the repository. All its jobs are required, or the workflow itself. */
describe('a documented workflow has no problem', () => {
  const pages = EXAMPLES.map((file) => [file, read(file)] as const);
  const gates = pages.filter(
    ([, text]) => /scangate\/scangate@/.test(text) && /^\s+(?:pull_request|merge_group)/m.test(text),
  );

  test('more than eight documented examples run the gate', () => expect(gates.length).toBeGreaterThan(8));

  test.each(gates)('the doctor finds no problem in the documented workflow %s', (file, text) => {
    const isRequiredWorkflow = file.endsWith('organization.yml');
    const names = Object.keys(readExample(file).jobs);
    const rules = isRequiredWorkflow
      ? [workflows('.github/workflows/scangate.yml', 1)]
      : [requires(...names)];
    const environments = new Map([['scan-forks', ok({ hasReviewers: true, branches: 'all' as const })]]);
    const { problems } = look({ files: text, rules, github: { environments } });
    expect(problems).toEqual(file.endsWith('quick-start.yml') ? QUICK_START : []);
  });
});

/** The quick start only reports at first, and its comments say so. */
const QUICK_START = [
  expect.stringMatching(/^warning Policy: .* reports only/),
  expect.stringMatching(/^warning Policy: .* allows `missing-token`\. Any fork/),
];

test('the doctor finds no problem in the quick start with the documented ruleset', () => {
  const ruleset = v.parse(
    v.object({ rules: v.array(v.object({ type: v.string(), parameters: v.unknown() })) }),
    JSON.parse(read('docs/examples/ruleset.json')),
  );
  const { rows, problems } = look({ files: read('docs/examples/quick-start.yml'), rules: ruleset.rules });
  expect(problems).toEqual(QUICK_START);
  expect(rows).toContain('ok Required check: `main` requires the job `scangate`.');
  expect(rows).toContain('ok Expected source: `scangate` has to come from GitHub Actions.');
});

describe('the token of the triage action', () => {
  const withToken = (keys: string) => ({
    'scangate.yml': QUICK,
    'triage.yml': `${TRIAGE(MAY_TRIAGE + keys)}        with:\n          triage-token: x\n`,
  });
  const rowsOf = (keys: string, environments: GitHubFacts['environments'] = new Map()) =>
    look({ files: withToken(keys), github: { environments } }).rows.filter((row) =>
      row.includes(' Triage: '),
    );
  const rules = (branches: EnvironmentRules['branches']) =>
    new Map([['triage', ok({ hasReviewers: false, branches })]]);

  test('the doctor requires an environment for `triage-token` that only the default branch may use', () => {
    expect(rowsOf('')).toEqual([
      expect.stringMatching(/^error Triage: .* passes `triage-token` without an environment/),
    ]);
    const IN = '    environment: triage\n';
    expect(rowsOf(IN, rules('all'))).toEqual([
      expect.stringMatching(/^warning Triage: .* which any branch may use/),
    ]);
    for (const branches of ['protected', ['main']] as const) {
      expect(rowsOf(IN, rules(branches))).toEqual([expect.stringMatching(/^ok Triage: /)]);
    }
    for (const pattern of ['*', '**', 'release/*']) {
      expect(rowsOf(IN, rules(['main', pattern]))).toEqual([
        `warning Triage: \`.github/workflows/triage.yml\` passes \`triage-token\` from the environment \`triage\`, which any branch that matches \`${pattern}\` may use.`,
      ]);
    }
    expect(rowsOf(IN, new Map([['triage', { ok: false, error: gitHubError('forbidden') }]]))).toEqual([
      expect.stringMatching(/^skipped Triage: Not checked: grant /),
    ]);
  });
});

describe('the doctor does not call a row ok if it did not check it', () => {
  const rowsOf = (check: Check, repository: Repository) =>
    look(repository).rows.filter((row) => row.includes(` ${check}: `));
  const other = (text: string) => ({ files: { 'scangate.yml': QUICK, 'other.yml': text } });
  const MATRIX = '    strategy:\n      matrix:\n        include: [{ a: b }]\n    steps: []\n';

  test.each<[what: string, repository: Repository, row: RegExp]>([
    [
      'more workflow files than it reads',
      { files: QUICK, github: { workflows: ok({ files: [workflow()], complete: false }) } },
      /more workflow files than the doctor reads\.$/,
    ],
    [
      'a name that a matrix makes',
      other(`on: push\njobs:\n  other:\n    name: ${expression('matrix.a')}\n${MATRIX}`),
      /the files do not show the names of the job `other` \(`.github\/workflows\/other.yml`\)\.$/,
    ],
    [
      'a name that begins like the required one',
      other(`on: push\njobs:\n  other:\n    name: scan${expression('matrix.a')}\n${MATRIX}`),
      /the files do not show the names of the job `other`/,
    ],
    ...['deployment', 'deployment_status', 'release'].map((event): [string, Repository, RegExp] => [
      `a job of that name on \`${event}\``,
      other(`on: ${event}\njobs:\n  scangate:\n    steps: []\n`),
      new RegExp(`the job \`scangate\` .* also runs on \`${event}\`\\.$`),
    ]),
    [
      'a check run whose name is an expression',
      other(
        `on: push\njobs:\n  pushed:\n${STEP}        with:\n          check-name: ${expression('vars.NAME')}\n`,
      ),
      /`check-name` in the job `pushed` .* is an expression\.$/,
    ],
  ])('the doctor does not check the name of the required job with %s', (_what, repository, row) => {
    expect(rowsOf('Same name', repository)).toEqual([
      expect.stringMatching(new RegExp(`^skipped Same name: Not checked: .*${row.source}`)),
    ]);
  });

  test('a matrix whose names begin otherwise does not matter', () => {
    const text = `on: push\njobs:\n  other:\n    name: test ${expression('matrix.a')}\n${MATRIX}`;
    expect(rowsOf('Same name', other(text))).toEqual([expect.stringMatching(/^ok /)]);
  });

  test.each(['acme/shop/.github/workflows/scan.yml@v1', 'acme/other/.github/workflows/scan.yml@main'])(
    'the doctor does not know the job of the called workflow %s',
    (uses) => {
      const files = {
        'ci.yml': `${ON}jobs:\n  security:\n    uses: ${uses}\n`,
        'scan.yml': `on: workflow_call\njobs:\n  scan:\n${STEP}`,
      };
      expect(rowsOf('Required check', { files, rules: [requires('security / scan')] })).toEqual([
        `warning Required check: Not checked: \`main\` requires \`security / scan\`, and the doctor did not read \`${uses}\`.`,
      ]);
    },
  );

  test('the doctor looks at a required workflow at its own ref', () => {
    const path = '.github/workflows/scangate.yml';
    const rules = [
      { type: 'workflows', parameters: { workflows: [{ path, repository_id: 1, ref: 'refs/tags/v1' }] } },
    ];
    const pinned = { path, repositoryId: 1, ref: 'refs/tags/v1' };
    const text = QUICK.replace('runs-on: x', 'continue-on-error: true');
    const foreign = [{ workflow: pinned, file: ok({ path, text }) }];
    expect(look({ files: QUICK, rules, github: { foreign } }).problems).toEqual([
      expect.stringMatching(/^error Gate job: .* has `continue-on-error`/),
    ]);
    const unread = [{ workflow: pinned, file: { ok: false, error: gitHubError('not-found') } as const }];
    const { rows } = look({ files: QUICK, rules, github: { foreign: unread } });
    expect(rows).toContainEqual(expect.stringMatching(/^warning Required check: It is unknown whether/));
  });
});

describe('GitHub does not answer a question of the doctor', () => {
  const rowsOf = (check: Check, github: Partial<GitHubFacts>, files = QUICK) =>
    look({ files, github }).rows.filter((row) => row.includes(` ${check}: `));
  const forbidden = {
    ok: false,
    error: { ...gitHubError('forbidden'), permission: 'actions: read' },
  } as const;

  test.each<[Check, Partial<GitHubFacts>, string]>([
    ['Environment', { environments: new Map([['scan-forks', forbidden]]) }, FORKS],
  ])(
    'the doctor names the missing permission in the row `%s` if GitHub refuses to answer',
    (check, github, files) => {
      expect(rowsOf(check, github, files)).toEqual([
        `skipped ${check}: Not checked: grant \`actions: read\`.`,
      ]);
    },
  );

  test('the doctor skips the row `Merge queue` only if a permission is missing', () => {
    expect(rowsOf('Merge queue', { queue: forbidden })).toEqual([
      expect.stringMatching(/^skipped Merge queue: No ruleset has one\. Not checked: /),
    ]);
    expect(rowsOf('Merge queue', { queue: { ok: false, error: gitHubError('unreachable') } })).toEqual([
      expect.stringMatching(/^warning Merge queue: Could not read it/),
    ]);
  });

  test('the doctor checks the expected source only if a run shows the app', () => {
    const given = { about: { serverUrl: 'https://github.acme.example' } };
    const about = (jobApps: GitHubFacts['jobApps']) =>
      look({ files: QUICK, given, github: { jobApps } }).rows.filter((row) =>
        row.includes('Expected source'),
      );
    expect(about(new Map([['scangate', forbidden]]))).toEqual([
      'skipped Expected source: Not checked: grant `actions: read`.',
    ]);
    expect(about(new Map([['scangate', ok(undefined)]]))).toEqual([
      expect.stringContaining('no run has shown which app'),
    ]);
  });

  test('the doctor warns if it cannot read a required workflow of another repository', () => {
    const workflow = { path: 'w.yml', repositoryId: 2, ref: undefined };
    const { problems } = look({
      files: {},
      rules: [workflows('w.yml', 2)],
      github: { foreign: [{ workflow, file: forbidden }] },
    });
    expect(problems).toEqual([
      expect.stringMatching(/^warning Required check: It is unknown whether a workflow runs the gate/),
    ]);
  });
});
