import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { EnvironmentRunOptions } from '../../sandbox/environment.ts';
import { workflowDispatchEvent } from '../../sandbox/events.ts';
import type { FixtureDescription } from '../../sandbox/git-fixture.ts';
import type { ActionRun } from '../../sandbox/runner/action-run.ts';
import {
  openEnvironment,
  type TestEnvironment,
  type TestEnvironmentOptions,
} from '../support/driver/environment.ts';
import { sharedRepository } from '../support/shared-repository.ts';

/** The gate's workflow, as in the quick start. */
const GATE_WORKFLOW = `name: Scangate
on:
  pull_request:
    branches: [main]
jobs:
  scangate:
    runs-on: ubuntu-latest
    steps:
      - uses: scangate/scangate@v0 # the gate
`;
const OTHER_WORKFLOW =
  'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: npm test\n';

/** `main` has the workflow of the gate, and the pull request adds a vulnerability. */
const REPOSITORY: FixtureDescription = {
  commits: [
    {
      name: 'gate',
      files: {
        '.github/workflows/scangate.yml': GATE_WORKFLOW,
        '.github/workflows/test.yml': OTHER_WORKFLOW,
        '.github/guidance.md': 'Look at the login.\n',
      },
    },
    {
      name: 'topic',
      files: { 'src/run.js': 'export const run = (request) => eval(request.body.code);\n' },
    },
  ],
  branches: { main: 'gate' },
};

export interface DoctorOptions extends Partial<Omit<TestEnvironmentOptions, 'directory' | 'headSha'>> {
  readonly inputs?: Readonly<Record<string, string>>;
  readonly run?: EnvironmentRunOptions;
  readonly before?: (environment: TestEnvironment) => Promise<void> | void;
  /** Who closes the environment. By default it is closed after the test. */
  readonly closing?: 'by the caller';
}

/** The permissions that the workflow of `docs/doctor.md` grants. */
const PERMISSIONS = { contents: 'read', checks: 'read' } as const;
/** The required checks of a healthy setup: a ruleset requires the job of the gate. */
const REQUIRED = { main: { byRuleset: ['scangate'] } };

export interface DoctorResult {
  readonly environment: TestEnvironment;
  readonly run: ActionRun;
}

/** Opens an environment with a healthy setup, which the options change. */
export async function openDoctorEnvironment({
  github,
  inputs: _,
  run: __,
  before,
  closing,
  ...options
}: DoctorOptions): Promise<TestEnvironment> {
  const repository = await sharedRepository(REPOSITORY);
  const environment = await openEnvironment({
    ...options,
    github: { permissions: PERMISSIONS, requiredChecks: REQUIRED, ...github },
    directory: repository.dir,
    headSha: repository.id('topic'),
  });
  if (closing === undefined) onTestFinished(() => environment.close());
  await before?.(environment);
  return environment;
}

/**
 * Runs the gate once. The run gets the permission `pull-requests: read`, which the workflow of the doctor does not
 * grant.
 */
export async function runGateIn(environment: TestEnvironment): Promise<void> {
  const { permissions } = environment.github;
  permissions['pull-requests'] = 'read';
  const { outputs, log } = await environment.run();
  expect(outputs['outcome'], log).toBe('blocked');
  permissions['pull-requests'] = 'none';
}

/** Runs the doctor, and checks what holds for every run of the doctor. */
export async function runDoctorScenario(options: DoctorOptions = {}): Promise<DoctorResult> {
  const environment = await openDoctorEnvironment(options);
  const before = stateOf(environment);
  const workspace = await mkdtemp(path.join(tmpdir(), 'scangate-doctor-'));
  onTestFinished(() => rm(workspace, { recursive: true, force: true }));
  const { visibility, inputs = {} } = options;
  const run = await runDoctorIn(environment, { workspace, visibility, ...options.run, inputs });
  expectHarmless(environment, before, run);
  expect(await readdir(workspace), 'files in the workspace').toEqual([]);
  return { environment, run };
}

/** Runs the doctor once, on `workflow_dispatch` on the default branch. Does not call `expectHarmless`. */
export async function runDoctorIn(
  environment: TestEnvironment,
  {
    visibility,
    ...options
  }: EnvironmentRunOptions & { readonly visibility?: 'public' | 'private' | undefined } = {},
): Promise<ActionRun> {
  return environment.run({
    action: 'doctor',
    event: { name: 'workflow_dispatch', payload: dispatchPayload(environment, visibility) },
    sha: (await sharedRepository(REPOSITORY)).id('gate'),
    ...options,
  });
}

/** The payload of `workflow_dispatch` on the default branch. */
function dispatchPayload(
  { repository, github }: TestEnvironment,
  visibility: 'public' | 'private' = 'private',
) {
  return workflowDispatchEvent({
    repository,
    visibility,
    serverUrl: github.serverUrl,
    ref: 'refs/heads/main',
  });
}

interface State {
  readonly requests: { readonly service: number; readonly github: number };
  readonly kept: string;
}

export function stateOf({ service, github }: TestEnvironment): State {
  return {
    requests: { service: service.requests.length, github: github.requests.length },
    kept: JSON.stringify([service.ledger(), service.scans(), github.checkRuns, github.comments]),
  };
}

/** Checks what holds for every run of the doctor: it only reads, spends no credits and writes nothing. */
export function expectHarmless(environment: TestEnvironment, before: State, run: ActionRun): void {
  const { service, github } = environment;
  const sent = [
    ...service.requests.slice(before.requests.service),
    ...github.requests.slice(before.requests.github),
  ];
  const writes = sent.filter(({ method, point }) => method !== 'GET' && point !== 'graphql');
  expect(writes.map(({ method, point }) => `${method} ${point}`)).toEqual([]);
  expect(stateOf(environment).kept).toBe(before.kept);
  expect(run.state).toEqual({});
  const problems = Number(run.outputs['problems']);
  expect(run.outputs, run.log).toEqual({ ready: String(problems === 0), problems: String(problems) });
  expect(run.exitCode, run.log).toBe(problems === 0 ? 0 : 1);
  expect(run.summary).toContain(problems === 0 ? '## ✅ Ready' : '## ❌ Not ready');
}

const MARKS: ReadonlyMap<string, string> = new Map([
  ['✓', 'ok'],
  ['⚠️&nbsp;warning', 'warning'],
  ['❌&nbsp;error', 'error'],
  ['–', 'skipped'],
]);

/** The rows of the summary's table, as `level check: result`, without Markdown. */
export function rowsOf(run: ActionRun): readonly string[] {
  return run.summary
    .split('\n')
    .filter((line) => /^\| [^|C-]/.test(line) && !line.startsWith('| |') && !line.startsWith('| ---'))
    .map((line) => {
      const [mark = '', check = '', result = '', who = ''] = line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.trim());
      return `${MARKS.get(mark) ?? mark} ${check}: ${plain(result)}${who === '' ? '' : ` [${plain(who)}]`}`;
    });
}

function plain(markdown: string): string {
  return markdown
    .replace(/<\/?code>/g, '`')
    .replaceAll('<br>', ': ')
    .replaceAll('**', '')
    .replace(/&#8203;/g, '')
    .replace(/&#(\d+);/g, (_, digits: string) => String.fromCodePoint(Number(digits)));
}
