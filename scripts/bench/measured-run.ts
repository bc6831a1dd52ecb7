import { createEnvironment, type EnvironmentRunOptions } from '../../sandbox/environment.ts';
import { createGitFixture } from '../../sandbox/git-fixture.ts';
import type { JsonObject } from '../../sandbox/json.ts';
import type { ActionRun } from '../../sandbox/runner/action-run.ts';
import { runAction } from '../../sandbox/runner/run-action.ts';
import { createSlowAnswers } from './slow-answers.ts';
import { vulnerableRepository } from './vulnerable-repository.ts';

export interface MeasuredRun {
  readonly run: ActionRun;
  /** From the start of the process to its end, in milliseconds. */
  readonly wallMs: number;
  /** The time in which one or more answers were outstanding, in milliseconds. */
  readonly waitingMs: number;
  /** The length of the longest chain of requests. Each request in it begins after the answer to the previous one. */
  readonly roundTrips: number;
  readonly gitHubRequests: number;
  readonly serviceRequests: number;
  /** How many requests to the service came after the poll that showed the end of the scan. */
  readonly serviceRequestsAfterEnd: number;
  /** 1 means that the scan had ended at the first poll, so the run did not wait. */
  readonly polls: number;
}

/**
 * `opened`: the pull request is new. `synchronize`: it has a new head. `reopened`: it was reopened after a push that no
 * run scanned.
 */
export const PULL_REQUEST_ACTIONS = ['opened', 'synchronize', 'reopened'] as const;
export type PullRequestAction = (typeof PULL_REQUEST_ACTIONS)[number];

export interface MeasuredRunOptions {
  /** True if each file has many vulnerabilities instead of one. */
  readonly crowded?: boolean;
  /** Default: `opened`. */
  readonly event?: PullRequestAction;
  /** The folder of the action to measure. Default: that of this repository. */
  readonly actionDirectory?: string | undefined;
  readonly runOptions?: Pick<EnvironmentRunOptions, 'execArgv' | 'env' | 'inputs'>;
}

/**
 * Runs the bundled action on a pull request with this many vulnerabilities. Each answer of the fake servers takes
 * `latencyMs`, and the scan has ended at the first poll. Throws if the action does not find all vulnerabilities,
 * because the measurement would then be wrong.
 */
export async function measureRun(
  vulnerabilities: number,
  latencyMs: number,
  { crowded = false, event = 'opened', actionDirectory, runOptions = {} }: MeasuredRunOptions = {},
): Promise<MeasuredRun> {
  const repository = await createGitFixture(vulnerableRepository(vulnerabilities, crowded));
  const headSha = repository.id('change');
  let slow = createSlowAnswers(latencyMs);
  const intercept: typeof slow.intercept = (...request) => slow.intercept(...request);
  const environment = await createEnvironment({
    directory: repository.dir,
    headSha,
    service: { pace: { phasesPerPoll: Number.POSITIVE_INFINITY }, intercept },
    github: { intercept },
  });
  try {
    const before = repository.id('earlier');
    const runOn = (payload: JsonObject) => {
      const described = environment.describeRun({ ...runOptions, event: { name: 'pull_request', payload } });
      return runAction({ ...described, ...(actionDirectory && { actionDirectory }) });
    };
    const { github, pullRequest } = environment;
    if (event === 'reopened') {
      github.setHead(pullRequest, before);
      await runOn(environment.pullRequestPayload({ headSha: before }));
      github.setHead(pullRequest, headSha);
      slow = createSlowAnswers(latencyMs);
    }
    const earlier = { github: github.requests.length, service: environment.service.requests.length };
    const payload = environment.pullRequestPayload({ action: event });
    const run = await runOn(event === 'synchronize' ? { ...payload, before } : payload);
    const { outcome, 'findings-reported': reported } = run.outputs;
    if (outcome !== (vulnerabilities === 0 ? 'passed' : 'blocked') || reported !== String(vulnerabilities)) {
      throw new Error(
        `the action ended as ${outcome} with ${reported} of ${vulnerabilities} findings:\n${run.log}`,
      );
    }
    const asked = environment.service.requests.slice(earlier.service).map(({ point }) => point);
    return {
      run,
      wallMs: run.durationMs,
      waitingMs: slow.waitingMs(),
      roundTrips: slow.roundTrips(),
      gitHubRequests: github.requests.length - earlier.github,
      serviceRequests: asked.length,
      serviceRequestsAfterEnd: asked.length - 1 - asked.lastIndexOf('scans.read'),
      polls: asked.filter((point) => point === 'scans.read').length,
    };
  } finally {
    await environment.close();
    await repository.remove();
  }
}
