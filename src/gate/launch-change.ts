import { confirmEmptyDiff } from '../change/empty-diff.ts';
import type { Clock } from '../clock.ts';
import type { PendingLaunch } from '../domain/pending-launch.ts';
import type { LaunchedScan } from '../domain/scan.ts';
import { stopCause } from '../domain/stop.ts';
import type { ScanOutcome } from '../domain/verdict.ts';
import type { GitHubClient } from '../github/octokit.ts';
import type { Inputs } from '../runner/inputs.ts';
import type { Limits } from '../runner/limits.ts';
import type { Log } from '../runner/log.ts';
import type { WritableState } from '../runner/state.ts';
import { launchScan } from '../scan/launch.ts';
import { findLaunchTime } from '../scan/launch-time.ts';
import { launchUnknown } from '../scan/launch-unknown.ts';
import { chooseLaunchedId } from '../scan/launched-id.ts';
import { type RecoveryDeps, recoverLaunch } from '../scan/recover-launch.ts';
import type { ScanResult } from '../scan/result.ts';
import type { DatedScan } from '../scan/scan-mark.ts';
import type { ApiError } from '../scan-api/api-error.ts';
import type { ScanApi } from '../scan-api/scan-api.ts';
import type { LaunchableChange, LaunchPlan } from './launch-plan.ts';

export interface ChangeDeps {
  readonly api: ScanApi;
  readonly github: GitHubClient;
  readonly inputs: Inputs;
  readonly clock: Clock;
  readonly random: () => number;
  readonly limits: Limits;
  /** That of the work. */
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly state: WritableState;
}

/** What is known of the other scans when a launch begins. */
export interface Surroundings {
  /** The ids of the newest scans, as last listed; undefined where they could not be. */
  readonly knownScanIds: () => readonly string[] | undefined;
  /** Looks again after a long wait. @returns a scan of this very change that another run launched meanwhile */
  readonly afterLongWait: () => Promise<DatedScan | undefined>;
  readonly readClaimedScans: (signal: AbortSignal) => ReturnType<RecoveryDeps['readClaimedScans']>;
}

export type LaunchedChange =
  | { readonly kind: 'launched'; readonly scan: DatedScan }
  /** Another run launched it during a long wait: nothing was launched here. */
  | { readonly kind: 'running'; readonly scan: DatedScan }
  | EndedLaunch;

/** `leftRunning`: there may be a scan, and looking again later may find it. */
interface EndedLaunch {
  readonly kind: 'ended';
  readonly result: ScanResult;
}

/**
 * Launches the scan of the change exactly once. The launch is saved before it is sent, the scan's id as soon as it is
 * known, and both are cleared when the service surely refused: a job that is killed leaves no scan unknown.
 */
export async function launchChange(
  deps: Omit<ChangeDeps, 'inputs'>,
  { target, diffBase, preflight }: LaunchableChange,
  { body, creditBudget, subject }: LaunchPlan,
  surroundings: Surroundings,
): Promise<LaunchedChange> {
  const { api, clock, random, limits, signal, log, state } = deps;
  const { projectId, repository, preset, token } = preflight;
  const { headSha } = target;
  const pending = (): PendingLaunch => {
    return { projectId, headSha, knownScanIds: surroundings.knownScanIds(), subject };
  };
  const launch = await launchScan(
    {
      api,
      clock,
      random,
      signal,
      launchSignal: limits.launch,
      onWaiting: log.info,
      onSend: () => state.saveScan(pending()),
      onNothingLaunched: state.clearScan,
      afterLongWait: surroundings.afterLongWait,
    },
    { projectId, repositoryId: repository.id, body, creditBudget, token },
  );
  const launched = async (scan: LaunchedScan, how: string): Promise<LaunchedChange> => {
    const { scanId } = scan;
    state.saveScan({ projectId, ...savedIds(scan) });
    log.info(`${how} scan \`${scanId}\` with preset \`${preset.ref}\`.`);
    const launchedAt = await findLaunchTime({ api, clock, signal }, projectId, scan);
    return { kind: 'launched', scan: { scanId, launchedAt } };
  };
  switch (launch.kind) {
    case 'launched': {
      // Saved before anything else is done with the answer.
      state.saveScan({ projectId, ...savedIds(launch.scan) });
      const signals = { signal, cancelSignal: limits.cancelling };
      const { acceptedAt } = launch.scan;
      const chosen = await chooseLaunchedId(api, projectId, launch.scan, signals);
      return launched({ ...chosen, acceptedAt }, 'Launched');
    }
    case 'running':
      return launch;
    case 'empty-diff':
      return ended(await confirmEmptyDiff(deps.github, diffBase, signal));
    case 'not-scanned':
      return ended(launch);
    case 'lost': {
      const found = await findLostLaunch(deps, pending(), launch.error, surroundings);
      return found.kind === 'found'
        ? launched({ scanId: found.scanId, otherIds: [] }, 'Recovered the launch of')
        : found;
    }
  }
}

/** The other ids too, as long as it is not known which one is the scan's: `post` may have to cancel it. */
function savedIds({ scanId, otherIds }: LaunchedScan) {
  return otherIds.length === 0 ? { scanId } : { scanId, otherIds: [...otherIds] };
}

async function findLostLaunch(
  { api, clock, random, log, limits }: Pick<ChangeDeps, 'api' | 'clock' | 'random' | 'log' | 'limits'>,
  pending: PendingLaunch,
  error: ApiError,
  { readClaimedScans }: Surroundings,
): Promise<{ readonly kind: 'found'; readonly scanId: string } | EndedLaunch> {
  log.info("Could not confirm the launch of the scan. Looking for it in the service's scan list.");
  const signal = limits.startSearch();
  const looked = await recoverLaunch(
    { api, clock, random, signal, readClaimedScans: () => readClaimedScans(signal) },
    pending,
  );
  if (looked.kind === 'found') return looked;
  const bySignal = stopCause(signal) === 'signal' || (error.kind === 'stopped' && error.by === 'signal');
  const stop = launchUnknown(error, pending, looked, bySignal);
  return ended({ kind: 'not-scanned', stop }, !looked.settled);
}

function ended(outcome: ScanOutcome, leftRunning = false): EndedLaunch {
  return { kind: 'ended', result: { outcome, leftRunning, notices: [] } };
}
