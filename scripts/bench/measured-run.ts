import { createEnvironment, type EnvironmentRunOptions } from '../../sandbox/environment.ts';
import { createGitFixture } from '../../sandbox/git-fixture.ts';
import type { ActionRun } from '../../sandbox/runner/action-run.ts';
import { runAction } from '../../sandbox/runner/run-action.ts';
import { createSlowAnswers } from './slow-answers.ts';
import { vulnerableRepository } from './vulnerable-repository.ts';

export interface MeasuredRun {
  readonly run: ActionRun;
  /** From the start of the process to its end, in milliseconds. */
  readonly wallMs: number;
  /** The part of it in which at least one answer was being waited for. */
  readonly waitingMs: number;
  /** Requests that had to wait for the answer of another one before them, the first included. */
  readonly roundTrips: number;
  readonly gitHubRequests: number;
  readonly serviceRequests: number;
  /** Of these, the ones after the poll that showed the end. */
  readonly serviceRequestsAfterEnd: number;
  /** 1: the scan had ended by the first poll, so that nothing was slept. */
  readonly polls: number;
}

export interface MeasuredRunOptions {
  /** Many vulnerabilities a file, instead of one. */
  readonly crowded?: boolean;
  /** The event is a push to the pull request, instead of its opening. */
  readonly pushed?: boolean;
  /** Default: that of this repository. */
  readonly actionDirectory?: string | undefined;
  readonly runOptions?: Pick<EnvironmentRunOptions, 'execArgv' | 'env' | 'inputs'>;
}

/**
 * Runs the bundled action on a pull request with so many vulnerabilities, against fake servers of which every answer takes
 * `latencyMs`, with a scan that has ended by the first poll. Throws where the action did not find those vulnerabilities,
 * since then nothing was measured.
 */
export async function measureRun(
  vulnerabilities: number,
  latencyMs: number,
  { crowded = false, pushed = false, actionDirectory, runOptions = {} }: MeasuredRunOptions = {},
): Promise<MeasuredRun> {
  const repository = await createGitFixture(vulnerableRepository(vulnerabilities, crowded));
  const slow = createSlowAnswers(latencyMs);
  const environment = await createEnvironment({
    directory: repository.dir,
    headSha: repository.id('change'),
    service: { pace: { phasesPerPoll: Number.POSITIVE_INFINITY }, intercept: slow.intercept },
    github: { intercept: slow.intercept },
  });
  try {
    const before = repository.id('earlier');
    const payload = pushed
      ? { ...environment.pullRequestPayload({ action: 'synchronize' }), before }
      : environment.pullRequestPayload();
    const described = environment.describeRun({ ...runOptions, event: { name: 'pull_request', payload } });
    const run = await runAction({ ...described, ...(actionDirectory && { actionDirectory }) });
    const { outcome, 'findings-reported': reported } = run.outputs;
    if (outcome !== (vulnerabilities === 0 ? 'passed' : 'blocked') || reported !== String(vulnerabilities)) {
      throw new Error(
        `the action ended as ${outcome} with ${reported} of ${vulnerabilities} findings:\n${run.log}`,
      );
    }
    const asked = environment.service.requests.map(({ point }) => point);
    return {
      run,
      wallMs: run.durationMs,
      waitingMs: slow.waitingMs(),
      roundTrips: slow.roundTrips(),
      gitHubRequests: environment.github.requests.length,
      serviceRequests: asked.length,
      serviceRequestsAfterEnd: asked.length - 1 - asked.lastIndexOf('scans.read'),
      polls: asked.filter((point) => point === 'scans.read').length,
    };
  } finally {
    await environment.close();
    await repository.remove();
  }
}
