import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import type { ActionRun } from '../../sandbox/runner/action-run.ts';
import { type Example, type ExampleStep, evaluate, evaluateExpression } from '../project/examples.ts';
import { fullScan, push } from './branch-events.ts';
import { runPrepared, type Scenario, type ScenarioOptions } from './scenario.ts';

export type Run = ReturnType<NonNullable<ScenarioOptions['run']>>;
export type Outputs = Readonly<Record<string, string>>;
type Contexts = Readonly<Record<string, unknown>>;

/** Changes to the payload of a pull request's event. */
type Changes = Parameters<Scenario['environment']['pullRequestPayload']>[0];

export const pullRequest = (): Run => ({});
export const pullRequestWith =
  (changes: Changes, name = 'pull_request') =>
  ({ environment }: Scenario): Run => ({
    event: { name, payload: environment.pullRequestPayload(changes) },
  });
/** The event of a label that a user adds to a pull request. It is the only label. */
export const labeled =
  (name: string) =>
  ({ environment }: Scenario): Run => {
    const payload = environment.pullRequestPayload({ action: 'labeled' });
    const pullRequest = { ...Object(payload['pull_request']), labels: [{ name }] };
    return { event: { name: 'pull_request', payload: { ...payload, pull_request: pullRequest } } };
  };
/** The event of a pull request that was moved to another base branch. */
export const rebased = pullRequestWith({
  action: 'edited',
  changes: { base: { ref: { from: 'develop' } } },
});
const PULL_REQUEST_TARGET = 'pull_request_target';
export const fromFork = pullRequestWith(
  { headRepository: 'mona/octo-repo', author: 'mona' },
  PULL_REQUEST_TARGET,
);
export const fromStranger = pullRequestWith(
  { headRepository: 'mallory/octo-repo', author: 'mallory' },
  PULL_REQUEST_TARGET,
);
export const pushed = (scenario: Scenario): Run =>
  push(scenario, { before: scenario.repository.id('start') });
export const scheduled = (scenario: Scenario): Run => fullScan(scenario, 'schedule');
export const byHand = (scenario: Scenario): Run => fullScan(scenario, 'workflow_dispatch');

export const fileOf = (name: string) => `docs/examples/${name}.yml`;

const SUB_ACTIONS = ['doctor', 'triage'] as const;
const isOurs = ({ uses }: ExampleStep) => uses?.startsWith('scangate/scangate') === true;

export interface JobRun {
  /** The job's name as GitHub shows it. */
  readonly name: string;
  readonly conclusion: 'success' | 'failure' | 'skipped';
  /** The run of the gate or of a sub-action. Undefined if the job was skipped, or if an earlier step failed. */
  readonly run: ActionRun | undefined;
  /** What the steps before the gate printed. */
  readonly before: string;
  /** The steps that run after the gate, with their inputs. */
  readonly after: readonly { readonly env: Outputs; readonly with: Outputs }[];
}

/** Runs the jobs of an example in order. Each job has only the permissions that the example grants to it. */
export async function runJobs(
  example: Example,
  scenario: Scenario,
  options: Run,
): Promise<readonly JobRun[]> {
  const { environment } = scenario;
  const event = options.event ?? { name: 'pull_request', payload: environment.pullRequestPayload() };
  const run_attempt = options.runAttempt ?? 1;
  const github = { event_name: event.name, event: event.payload, ref: 'refs/heads/main', run_attempt };
  const repositorySecrets = {
    SCANGATE_API_TOKEN: environment.service.token,
    SECURITY_CHAT_WEBHOOK: 'https://chat',
  };
  const triageToken = environment.service.tokens[1]?.token ?? '';
  const ended: JobRun[] = [];
  for (const [name, { needs, permissions, steps, ...job }] of Object.entries(example.jobs)) {
    const isTriage = job.environment === 'scangate-triage';
    const secrets = { ...repositorySecrets, ...(isTriage ? { SCANGATE_TRIAGE_TOKEN: triageToken } : {}) };
    const contexts = { github, secrets };
    if (needs !== undefined) expect(ended.find((one) => one.name === needs)?.conclusion).toBe('success');
    if (!holds(job.if, contexts)) {
      ended.push({ name, conclusion: 'skipped', run: undefined, before: '', after: [] });
      continue;
    }
    grant(scenario, permissions);
    const at = steps.findIndex(isOurs);
    const { succeeded, printed: before } = await runScripts(steps.slice(0, at), contexts);
    if (!succeeded) {
      ended.push({ name, conclusion: 'failure', run: undefined, before, after: [] });
      continue;
    }
    const [gate, ...others] = steps.slice(at);
    const inputs = evaluateAll(gate?.with ?? {}, contexts);
    expect(inputs['base-url']).toBe('https://scanner.example.com/api/v1');
    const given = { ...inputs, 'base-url': environment.service.baseUrl };
    const action = SUB_ACTIONS.find((one) => gate?.uses === `scangate/scangate/${one}@v0`);
    const run =
      action !== undefined
        ? await environment.run({ ...options, action, inputs: given })
        : (await runPrepared(scenario, { inputs: given, run: () => ({ ...options, event }) })).run;
    const known = { ...contexts, steps: { [gate?.id ?? '']: { outputs: run.outputs } } };
    const after = others
      .filter((step) => holds(step.if, known))
      .map((step) => ({ env: evaluateAll(step.env, known), with: evaluateAll(step.with, known) }));
    ended.push({ name, conclusion: run.exitCode === 0 ? 'success' : 'failure', run, before, after });
  }
  return ended;
}

/**
 * True if a required check passes. `newest` is the newest job with the name of the check. GitHub counts a skipped job
 * as passed.
 */
export function mayMerge(newest: JobRun | undefined): boolean {
  return newest?.conclusion === 'success' || newest?.conclusion === 'skipped';
}

function holds(condition: string | undefined, contexts: Contexts): boolean {
  return Boolean(evaluateExpression(condition ?? 'true', contexts));
}

/** Runs the scripts of the steps as a runner does. `sleep` does not wait, but prints the number of seconds. */
async function runScripts(steps: readonly ExampleStep[], contexts: Contexts) {
  let printed = '';
  for (const step of steps.filter((one) => holds(one.if, contexts))) {
    const script = `sleep() { echo "slept for $1 s"; }\n${step.run ?? 'exit 1'}`;
    const env = { PATH: process.env['PATH'] ?? '', ...evaluateAll(step.env, contexts) };
    try {
      printed += (await promisify(execFile)('bash', ['-e', '-c', script], { env })).stdout;
    } catch (failure) {
      if (failure instanceof Error && 'stdout' in failure) printed += String(failure.stdout);
      return { succeeded: false, printed };
    }
  }
  return { succeeded: true, printed };
}

function grant({ environment }: Scenario, permissions: Readonly<Record<string, 'read' | 'write'>>): void {
  const all = {
    actions: 'none',
    checks: 'none',
    'pull-requests': 'none',
    contents: 'none',
    issues: 'none',
  } as const;
  Object.assign(environment.github.permissions, all, permissions);
}

function evaluateAll(values: Outputs, contexts: Readonly<Record<string, unknown>>): Outputs {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, evaluate(value, contexts)]));
}
