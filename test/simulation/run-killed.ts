import type { EnvironmentRunOptions } from '../../sandbox/environment.ts';
import type { Interception } from '../../sandbox/faults/interception.ts';
import type { CheckRunRecord } from '../../sandbox/github/check-runs.ts';
import { isObject } from '../../sandbox/json.ts';
import type { ActionRun } from '../../sandbox/runner/action-run.ts';
import type { StepControls } from '../../sandbox/runner/step-process.ts';
import type { ScanSnapshot } from '../../sandbox/scan-service/scan-snapshots.ts';
import { openEnvironment, type TestEnvironment } from '../support/driver/environment.ts';
import type { SharedRepository } from '../support/shared-repository.ts';
import type { KillCell, KillStage, Sequel } from './kill-stages.ts';
import { HIDDEN_SCOPE } from './run-cell.ts';

/** The observed result of one cell. The fake servers are read after all runs have ended. */
export interface Killed {
  readonly main: ActionRun;
  readonly sequel: ActionRun;
  /** The cell kills the job at a certain request. True if that request has arrived. */
  readonly reached: boolean;
  /** The scan when `main` had ended. `checkRunsLeft` has the check runs of that moment. */
  readonly scanLeft: ScanSnapshot | undefined;
  readonly checkRunsLeft: readonly CheckRunRecord[];
  readonly scans: readonly ScanSnapshot[];
  readonly checkRuns: readonly CheckRunRecord[];
  readonly reserved: number;
  /** The number of launches for a commit that already had a running or completed scan. */
  readonly doubleLaunches: number;
}

/** How many times faster than real time the timers of the bundle run while the bundle only waits. */
const SCALE = 5;
const HANGS = { unprocessed: 'hang-before', unanswered: 'hang-after' } as const;
const INPUTS = { 'timeout-minutes': '10', publish: 'always' };
/** The head has one finding, and the finding does not block. So the job can pass, and has a comment to write. */
const HEAD = 'medium';
const NEXT_HEAD = 'low';

export async function runKilled(
  fixture: SharedRepository,
  { stage: at, killing, sequel }: KillCell,
): Promise<Killed> {
  const trap = setTrap(at, (ms) => environment.pause(ms));
  let doubleLaunches = 0;
  const headSha = fixture.id(HEAD);
  const environment = await openEnvironment({
    timeScale: SCALE,
    directory: fixture.dir,
    headSha,
    service: {
      pace: { phasesPerPoll: 2 },
      hideFields: at.scopeHidden ? HIDDEN_SCOPE : {},
      intercept: (request) => {
        if (request.point === 'scans.launch' && isPaidFor(environment, request.body)) doubleLaunches += 1;
        return trap.intercept('service', request);
      },
    },
    github: { intercept: (request) => trap.intercept('github', request) },
  });
  try {
    const { promise: started, resolve: start } = Promise.withResolvers<StepControls>();
    const kill = async () => {
      await trap.reached;
      const controls = await started;
      if (killing === 'cancelled') controls.cancel();
      else controls.kill(killing);
    };
    void kill();
    const main = await environment.run({
      inputs: INPUTS,
      // The first line masks the token. The line comes before any request, so the controls are there in time.
      onLine: (_line, controls) => start(controls),
    });
    const reached = trap.isReached();
    trap.lift();
    const [scanLeft] = environment.service.scans();
    const checkRunsLeft = [...environment.github.checkRuns];
    const after = await environment.run(sequelOf(sequel, environment, main, fixture.id(NEXT_HEAD)));
    return {
      main,
      sequel: after,
      reached,
      scanLeft,
      checkRunsLeft,
      scans: environment.service.scans(),
      checkRuns: [...environment.github.checkRuns],
      reserved: environment.service.ledger().reserved,
      doubleLaunches,
    };
  } finally {
    await environment.close();
  }
}

function sequelOf(
  sequel: Sequel,
  environment: TestEnvironment,
  { state }: ActionRun,
  nextHead: string,
): EnvironmentRunOptions {
  const inputs = INPUTS;
  if (sequel === 'post') return { inputs, step: 'post', state };
  if (sequel === 'attempt 2') return { inputs, runAttempt: 2 };
  const { github, pullRequest, pullRequestPayload } = environment;
  const before = github.pullRequests.get(pullRequest)?.headSha;
  github.setHead(pullRequest, nextHead);
  const payload = { ...pullRequestPayload({ action: 'synchronize', headSha: nextHead }), before };
  return { inputs, runId: 9_000_000_002, event: { name: 'pull_request', payload } };
}

/** True if the commit has a scan that runs or completed. A failed or cancelled scan may be launched again. */
function isPaidFor(environment: TestEnvironment, body: unknown): boolean {
  const commit = isObject(body) ? body['commit'] : undefined;
  return environment.service
    .scans()
    .some((scan) => scan.commit === commit && scan.status !== 'CANCELLED' && scan.status !== 'FAILED');
}

/**
 * Waits for the request of the stage, and then resolves `reached`. `at.moment` decides whether the request is processed
 * and answered.
 */
function setTrap(at: KillStage, pause: (ms: number) => Promise<void>) {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  let isReached = false;
  let isLifted = false;
  const reach = () => {
    isReached = true;
    resolve();
  };
  return {
    reached,
    isReached: () => isReached,
    lift: () => {
      isLifted = true;
    },
    intercept: (
      side: KillStage['side'],
      { point, count }: { readonly point: string; readonly count: number },
    ): Interception | undefined => {
      if (isLifted || side !== at.side || point !== at.at || count < at.count) return undefined;
      if (at.moment === 'answered') {
        // The request is processed and answered as usual, while the signal is sent.
        if (count === at.count) setImmediate(reach);
        return undefined;
      }
      // For `unanswered`, waits until the request has been processed.
      if (count === at.count) void pause(at.moment === 'unanswered' ? 250 : 0).then(reach);
      return { fault: HANGS[at.moment] };
    },
  };
}
