import { expect, test } from 'vitest';
import { err, ok, type Result } from '../../../src/domain/result.ts';
import type { GitHubError } from '../../../src/github/errors.ts';
import type { EnvironmentRules } from '../../../src/github/repository.ts';
import { read } from '../../project/code.ts';
import { gitHubError } from '../github/samples.ts';
import { expression, GATE, type GateWorkflow, gate, on, workflowFile } from './gate-workflow.ts';
import { pageOf, type Repository } from './look.ts';
import { requires, requiresFrom, requiresWorkflow } from './sample-facts.ts';

type Answer<T> = Result<T, GitHubError>;
const HEAD = 'cd'.repeat(20);
const FORBIDDEN = err(gitHubError('forbidden', { permission: 'actions: read' }));
const UNREACHABLE = err(gitHubError('unreachable'));
const PUBLIC = { id: 1, defaultBranch: 'main', isPublic: true };
const ACTOR = "github.actor != 'bot'";
const ONE_BRANCH = { pull_request: { branches: ['main'] } };
const TARGETS = on('pull_request', 'pull_request_target');
const IS_CHANGE = "github.event_name == 'pull_request'";
const RUN = { steps: [{ run: 'x' }] };

const withInputs = (inputs: object): GateWorkflow => ({ step: { with: inputs } });
const filtered = (filters: object): Repository => ({
  gate: { on: { pull_request: { ...Object(on('pull_request')['pull_request']), ...filters } } },
});
const withJob = (job: object): Repository => ({ gate: { job: { ...job } } });
/** A job with several steps of the gate. */
const withSteps = (...steps: readonly object[]) => ({ steps: steps.map((keys) => ({ ...GATE, ...keys })) });
/** A server without stacked pull requests. Its app that reports the job is unknown. */
const onServer = (workflow: GateWorkflow, jobApp: Answer<number | undefined> = ok(15_368)): Repository => ({
  gate: workflow,
  given: { about: { serverUrl: 'https://github.acme.example' } },
  github: { jobApps: new Map([['scangate', jobApp]]) },
});
const APP_TOKEN = { 'github-token': expression('steps.app.outputs.token') };
/** A workflow beside the one of the gate. */
const beside = (other: object | string): Repository => ({ files: { 'other.yml': { ...Object(other) } } });
const onPush = (inputs: object) =>
  beside({ on: 'push', jobs: { pushed: { steps: [{ ...GATE, with: inputs }] } } });

const matrixNames = (beginning: string) => {
  const strategy = { matrix: { include: [{ a: 'b' }] } };
  return beside({ on: 'push', jobs: { other: { name: `${beginning}${expression('matrix.a')}`, strategy } } });
};

/** A calling workflow, and the called workflow of the gate. */
const called = (name: string, { events = on('pull_request') as object, keys = {} } = {}): Repository => ({
  gate: { on: 'workflow_call' },
  files: {
    'ci.yml': { on: events, jobs: { security: { ...keys, uses: './.github/workflows/scangate.yml' } } },
  },
  rules: [requires(name)],
});

const QUEUE = { type: 'merge_queue' };
const BOTH = on('pull_request', 'merge_group');
const queued = (workflow: GateWorkflow): Repository => ({
  gate: { on: BOTH, ...workflow },
  rules: [requires('scangate'), QUEUE],
});
const cancelling = (group: string, cancel: unknown = true): Repository =>
  queued({ concurrency: { group, 'cancel-in-progress': cancel } });

const OWN_PATH = '.github/workflows/scangate.yml';
const file = (path: string) => ok({ path: OWN_PATH, text: read(path) });
/** A required workflow that is not the one on the default branch, which is healthy if the repository is the same. */
const foreign = (
  repositoryId: 1 | 2,
  ref: string,
  answer: Answer<{ path: string; text: string }>,
): Repository => ({
  files: repositoryId === 1 ? {} : { 'scangate.yml': undefined },
  rules: [requiresWorkflow(OWN_PATH, repositoryId, ref)],
  github: { foreign: [{ workflow: { path: OWN_PATH, repositoryId, ref }, file: answer }] },
});
const required = (workflow: GateWorkflow): Repository => ({
  gate: workflow,
  rules: [requiresWorkflow(OWN_PATH, 1)],
});
const classic = (appId: number): Repository => ({
  rules: [],
  github: { branch: ok({ sha: HEAD, isProtected: true, requiredChecks: [{ name: 'scangate', appId }] }) },
});
const fromApp = (jobApp: number | undefined): Repository => ({
  gate: withInputs(APP_TOKEN),
  rules: [requiresFrom(9, 'Security scan')],
  github: { jobApps: new Map([['Security scan', ok(jobApp)]]) },
});
const target = (targetRuns: Answer<boolean>): Repository => ({
  gate: { on: on('pull_request_target') },
  github: { repository: PUBLIC, targetRuns },
});

const reviewed = (hasReviewers: boolean) => ok({ hasReviewers, branches: 'all' as const });
const forks = (environment: Answer<EnvironmentRules | undefined>) => ({
  gate: {
    on: on('pull_request_target'),
    job: {
      environment: expression(
        "github.event.pull_request.head.repo.full_name != github.repository && 'scan-forks' || ''",
      ),
    },
    ...withInputs({ 'scan-forks': 'all' }),
  },
  github: { environments: new Map([['scan-forks', environment]]) },
});

/** A required job `all-green` that needs the gate. */
const collecting = (job: object, ...names: readonly string[]): Repository => ({
  gate: { jobs: { 'all-green': { needs: ['scangate'], ...job } } },
  rules: [requires(...names, 'all-green')],
});
const FAILS = { steps: [{ run: 'exit 1', if: "contains(needs.*.result, 'failure')" }] };
/** A job `build` that the gate needs. */
const needing = (job: object): Repository => ({
  gate: { job: { needs: ['build'], ...job }, jobs: { build: RUN } },
});

const policy = (inputs: object, languages = ok(['Python', 'HTML']) as Answer<readonly string[]>) => ({
  gate: withInputs(inputs),
  github: { languages },
});

/** Repositories that differ from a healthy one, by the check of the doctor that they concern. */
const REPOSITORIES: Readonly<Record<string, Readonly<Record<string, Repository>>>> = {
  'Gate job': {
    'the job continues on error': withJob({ 'continue-on-error': true }),
    'the step continues on error': { gate: { step: { 'continue-on-error': true } } },
    'the step has a condition': { gate: { step: { if: ACTOR } } },
    'a second step continues on error': withJob(withSteps({}, { 'continue-on-error': true })),
    'a second step has a condition': withJob(withSteps({}, { if: ACTOR })),
    'a second step runs only on a schedule': withJob(
      withSteps({}, { if: "github.event_name == 'schedule'" }),
    ),
    'each of two steps runs on one event': {
      gate: { on: TARGETS, job: withSteps({ if: IS_CHANGE }, { if: "github.event_name != 'pull_request'" }) },
    },
    'none of two steps runs on an event': {
      gate: { on: TARGETS, job: withSteps({ if: IS_CHANGE }, { if: `${IS_CHANGE} && github.actor == 'x'` }) },
    },
    'the job needs a job that can fail': needing({}),
    'the job needs a second job of the gate, which no rule requires': {
      gate: { job: { needs: 'all' }, jobs: { all: { steps: [GATE] } } },
    },
    'the job needs a required job that has a condition': {
      gate: { job: { needs: 'all' }, jobs: { all: { if: ACTOR, steps: [GATE] } } },
      rules: [requires('all', 'scangate')],
    },
    'the job runs even if the job that it needs fails': needing({
      if: expression("!cancelled() && github.repository_owner == 'acme'"),
    }),
    'the job has a condition, and needs a job that can fail': needing({ if: ACTOR }),
    'the job never runs on pull requests': withJob({ if: "github.event_name == 'push'" }),
    'the job has a condition': withJob({ if: expression('!github.event.pull_request.draft') }),
    'the calling job has a condition': called('security / scangate', { keys: { if: ACTOR } }),
    'a later job may fail': {
      gate: { jobs: { report: { needs: 'scangate', if: 'failure()', 'continue-on-error': true, ...RUN } } },
    },
    'a second job of the gate, which is not required, continues on error': {
      gate: { jobs: { strict: { 'continue-on-error': true, steps: [GATE] } } },
    },
    '`continue-on-error` and `cancel-in-progress` are off': required({
      concurrency: { group: 'x', 'cancel-in-progress': expression('false') },
      job: { 'continue-on-error': 'False' },
      step: { 'continue-on-error': expression('false') },
    }),
    'the workflow does not run for a push': {
      gate: { on: { pull_request: { types: ['opened', 'labeled'] } } },
    },
    'the workflow runs only for some paths': filtered({ paths: ['src/**'] }),
    'the workflow does not run for the default branch': filtered({ branches: ['release/**'] }),
    'the workflow ignores the default branch': filtered({ 'branches-ignore': ['m*'] }),
    'the workflow runs for several branches': filtered({ branches: ['main', 'release/**'] }),
    'the doctor does not understand the YAML': {
      files: {
        'scangate.yml': 'on: push\njobs:\n  scangate: !x\n    steps:\n      - uses: scangate/scangate@v0',
      },
    },
    'the workflow does not run on `edited` for any branch': onServer({ on: 'pull_request' }),
    'the workflow does not run on `edited` for two branches': onServer({
      on: { pull_request_target: { branches: ['main', 'next'] } },
    }),
    'the workflow does not run on `edited` for one branch': { gate: { on: ONE_BRANCH } },
    'the workflow does not run on `edited` for one branch, on a server without stacks': onServer({
      on: ONE_BRANCH,
    }),
    'the calling workflow does not run on `edited`': called('security / scangate', {
      events: { pull_request: {} },
    }),
  },
  Policy: {
    'reports only': policy({ 'fail-on': 'none' }),
    'has an input in capital letters': policy({ 'Fail-On': 'none' }),
    'allows reasons of authors and forks': policy({
      'allow-unscanned':
        'missing-token, untrusted-fork, scan-failed, timeout, service-error, insufficient-credits, rate-limited, superseded',
    }),
    'allows reasons of forks, on `pull_request_target`': {
      gate: {
        on: on('pull_request_target'),
        ...withInputs({ 'allow-unscanned': 'missing-token, untrusted-fork' }),
      },
    },
    'allows reasons that no author can cause': policy({
      'allow-unscanned': 'initializing, launch-unknown, unsupported-event',
    }),
    'exempts all paths': policy({ 'fail-on': 'none', 'paths-exempt': '**' }),
    'scans no path': policy({ 'paths-unscanned': '**' }),
    'exempts a language': policy({ 'paths-exempt': '**/*.py' }),
    'does not scan a language': policy({ 'paths-unscanned': 'docs/**\n**.py' }),
    'exempts a language, and the languages cannot be read': policy(
      { 'paths-exempt': '**/*.py' },
      err(gitHubError('forbidden', { permission: 'metadata: read' })),
    ),
    'exempts paths in a folder': policy({ 'paths-exempt': 'test/**/*.py', 'paths-unscanned': 'docs/**' }),
    'exempts a language without the files of a folder': policy({ 'paths-exempt': '**/*.py\n!src/**' }),
    'exempts markup, and a language of other repositories': policy({ 'paths-exempt': '**/*.html\n**/*.go' }),
    'blocks by a list': policy({ 'fail-on': 'critical, high:confirmed' }),
    'has an expression': policy({ 'fail-on': expression('vars.FAIL_ON') }),
    'reports only in one of two required jobs': {
      gate: { ...withInputs({ 'fail-on': 'none' }), jobs: { strict: { steps: [GATE] } } },
      rules: [requires('scangate', 'strict')],
    },
    'reports only on other events': withJob({
      steps: [GATE, { ...GATE, if: "github.event_name == 'schedule'", with: { 'fail-on': 'none' } }],
    }),
  },
  'Same name': {
    'the job also runs for reviews': { gate: { on: on('pull_request', 'pull_request_review') } },
    'the job also runs for pushes': { gate: { on: on('push', 'pull_request') } },
    'the job can also be started by hand': { gate: { on: on('workflow_dispatch', 'pull_request') } },
    'a scheduled job has the same name': beside({
      on: { schedule: [{ cron: '7 * * * *' }] },
      jobs: { night: { name: 'scangate', ...RUN } },
    }),
    'a second job on pull requests has the same name': beside({
      on: on('pull_request'),
      jobs: { scangate: RUN },
    }),
    'a step writes a check run of that name': { gate: withInputs({ 'check-name': 'scangate' }) },
    'a step on `push` writes a check run of that name': onPush({ 'check-name': 'scangate' }),
    'a step on `push` writes a check run of another name': onPush({ 'check-name': 'Push' }),
    'a step on `push` writes a check run whose name is an expression': onPush({
      'check-name': expression('vars.NAME'),
    }),
    'a step on `push` writes the required check run of an app': { ...onPush({}), ...fromApp(9) },
    'the doctor does not understand the YAML of another file': {
      files: { 'other.yml': 'on: push\njobs: !x\n  x: y\n' },
    },
    'there are more files than the doctor reads': {
      github: { workflows: ok({ files: [workflowFile('scangate.yml', gate())], complete: false }) },
    },
    'a matrix makes any names': matrixNames(''),
    'a matrix makes names that begin like it': matrixNames('scan'),
    'a matrix makes names that begin otherwise': matrixNames('test '),
    'a job of that name runs on `release`': beside({ on: 'release', jobs: { scangate: RUN } }),
  },
  'Required check': {
    'no calling job has the required name': called('gate / scangate'),
    'a calling job has the required name': called('Security / scangate', { keys: { name: 'Security' } }),
    'a call at another ref is required': {
      files: {
        'scangate.yml': undefined,
        'ci.yml': {
          on: on('pull_request'),
          jobs: { security: { uses: 'acme/shop/.github/workflows/scan.yml@v1' } },
        },
        'scan.yml': gate({ on: 'workflow_call' }),
      },
      rules: [requires('security / scangate')],
    },
    'one job of a matrix is not required': {
      gate: { job: { strategy: { matrix: { part: ['a', 'b'] } } } },
      rules: [requires('scangate (a)')],
    },
    'all jobs of a matrix are required': {
      gate: { job: { strategy: { 'fail-fast': false, matrix: { part: ['a', 'b'] } } } },
      rules: [requires('scangate (a)', 'scangate (b)')],
    },
    'the check run of an app that owns the token': fromApp(9),
    'the check run of another app': fromApp(15_368),
    'the check run of an app that no run has shown': fromApp(undefined),
    'a job that collects results': collecting({ if: 'always()', ...FAILS }),
    'a job that collects results, and the gate': collecting({ if: 'always()', ...FAILS }, 'scangate'),
    'a job that waits for the gate, and does not read its result': collecting({ if: 'always()', ...RUN }),
    'a job that is skipped if the gate fails': collecting({
      steps: [{ run: `echo ${expression('needs.scangate.result')}` }],
    }),
    'a workflow': required({ on: on('pull_request') }),
    'a workflow of another repository': foreign(2, 'refs/heads/main', file('docs/examples/organization.yml')),
    'a workflow of another repository that cannot be read': foreign(2, 'refs/heads/main', FORBIDDEN),
    'a workflow at its own ref, where the job continues on error': foreign(
      1,
      'refs/tags/v1',
      ok({ path: OWN_PATH, text: JSON.stringify(gate({ job: { 'continue-on-error': true } })) }),
    ),
    'a workflow at a ref that does not exist': foreign(1, 'refs/tags/v1', err(gitHubError('not-found'))),
    'a workflow that cancels its runs': required({
      concurrency: { group: 'x', 'cancel-in-progress': expression('github.run_attempt == 1') },
    }),
  },
  'Expected source': {
    'any source': { rules: [requiresFrom(undefined, 'scangate')] },
    'another app': { rules: [requiresFrom(7, 'scangate')] },
    'another app, by classic protection': classic(7),
    'GitHub Actions, by classic protection': classic(15_368),
    'on Enterprise Server, another app': onServer({}, ok(3)),
    'on Enterprise Server, the app of the job': {
      ...onServer({}, ok(4)),
      rules: [requiresFrom(4, 'scangate')],
    },
    'on Enterprise Server, an app that may not be read': onServer({}, FORBIDDEN),
    'on Enterprise Server, an app that no run has shown': onServer({}, ok(undefined)),
  },
  'Merge queue': {
    'by classic protection': { github: { queue: ok('HEADGREEN') } },
    'a gate on `merge_group`': queued({}),
    'a gate on `merge_group` of this branch': queued({
      on: { ...BOTH, merge_group: { types: ['checks_requested'], branches: ['main'] } },
    }),
    'a gate on `merge_group` of another branch': queued({
      on: { ...BOTH, merge_group: { branches: ['other'] } },
    }),
    'a gate that is skipped on `merge_group`': queued({ job: { if: "github.event_name != 'merge_group'" } }),
    'a gate on `merge_group` in a workflow of its own': {
      files: { 'b.yml': gate({ on: 'merge_group' }) },
      github: { queue: ok('ALLGREEN') },
    },
    'one of two required jobs on `merge_group`': {
      gate: { on: BOTH },
      files: { 'b.yml': { on: on('pull_request'), jobs: { two: { steps: [GATE] } } } },
      rules: [requires('scangate', 'two'), QUEUE],
    },
    'runs that cancel each other': cancelling(`gate-${expression('github.event.pull_request.number')}`),
    'runs that do not cancel each other': cancelling('gate', expression(IS_CHANGE)),
    'runs with groups of their own, by the ref': cancelling(
      `gate-${expression('github.event.pull_request.number || github.ref')}`,
    ),
    'runs with groups of their own, by the run': cancelling(`gate-${expression('github.run_id')}`),
    'runs with groups of their own, by the head': cancelling(
      `gate-${expression('github.event.merge_group.head_sha')}`,
    ),
    'a queue that may not be read': { github: { queue: FORBIDDEN } },
    'a queue that cannot be read': { github: { queue: UNREACHABLE } },
  },
  Forks: {
    'GitHub blocks `pull_request_target`': target(ok(false)),
    '`pull_request_target` has run': target(ok(true)),
    'the runs on `pull_request_target` cannot be read': target(FORBIDDEN),
    'the environment has reviewers': forks(reviewed(true)),
    'the environment has no reviewers': forks(reviewed(false)),
    'the environment does not exist': forks(ok(undefined)),
    'the environment may not be read': forks(FORBIDDEN),
  },
};

test.each(Object.entries(REPOSITORIES))(
  "the doctor's table for each repository equals the golden file: %s",
  async (check, repositories) => {
    const name = check.toLowerCase().replaceAll(' ', '-');
    await expect(pageOf(repositories)).toMatchFileSnapshot(`golden/repositories-${name}.txt`);
  },
);
