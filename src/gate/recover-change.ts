import type { PendingLaunch } from '../domain/pending-launch.ts';
import { stopCause } from '../domain/stop.ts';
import type { ScanOutcome } from '../domain/verdict.ts';
import type { Deadlines } from '../runner/deadlines.ts';
import type { WritableState } from '../runner/state.ts';
import type { Step } from '../runner/step.ts';
import { cancelScan } from '../scan/cancel.ts';
import { launchCancelled, launchUnknown } from '../scan/launch-unknown.ts';
import type { Found } from '../scan/match-new-scans.ts';
import { type RecoveryDeps, recoverLaunch } from '../scan/recover-launch.ts';
import type { ScanResult } from '../scan/result.ts';
import type { ScanApi } from '../scan-api/scan-api.ts';

/** A launch that may have created a scan. The run does not know which scan. */
export interface LostLaunch {
  readonly pending: PendingLaunch;
  /** One sentence that says why the run does not know the scan. */
  readonly cause: string;
  /** True if a signal interrupted the launch. */
  readonly bySignal?: boolean;
  /** Ids that the launch answer named, but that the service does not know. */
  readonly unknownIds: readonly string[];
}

export interface EndedLaunch {
  readonly kind: 'ended';
  readonly result: ScanResult;
  /** The id of the scan of a lost launch. The run found it, and does not use its result. */
  readonly foundId?: string | undefined;
}

export interface RecoverDeps extends Step {
  readonly api: ScanApi;
  readonly deadlines: Deadlines;
  readonly state: WritableState;
}

/**
 * Looks for the scan of a launch that the service may have accepted. A scan that hides its scope may cover less than
 * the launch requested. Its result would prove nothing, so this function cancels the scan, unless the launch answer
 * named it.
 */
export async function recoverChange(
  deps: RecoverDeps,
  lost: LostLaunch,
  readClaimed: (signal: AbortSignal) => ReturnType<RecoveryDeps['readClaimedScans']>,
): Promise<Omit<Found, 'scopeShown'> | EndedLaunch> {
  const { api, clock, random, log, deadlines, state } = deps;
  const { pending, cause, unknownIds } = lost;
  const { projectId } = pending;
  log.info("Could not confirm the launch of the scan. Looking for it in the service's scan list.");
  const signal = deadlines.startSearch();
  const readClaimedScans = async () => {
    const claimed = await readClaimed(signal);
    // The marks that name these ids may be by this run itself. So they do not show that another run has the scans.
    return claimed && new Set([...claimed].filter((id) => !unknownIds.includes(id)));
  };
  const looked = await recoverLaunch({ api, clock, random, signal, readClaimedScans }, pending);
  const bySignal = lost.bySignal === true || stopCause(signal) === 'signal';
  if (looked.kind === 'found') {
    const { scanId, createdAt } = looked;
    state.saveScan({ projectId, scanId });
    if (looked.scopeShown || unknownIds.includes(scanId)) return { kind: 'found', scanId, createdAt };
    const cancellation = await cancelScan(api, projectId, scanId, deadlines.cancelling);
    const failure = launchCancelled(cause, scanId, cancellation, bySignal);
    return { ...ended({ kind: 'not-scanned', failure }, cancellation.kind === 'failed'), foundId: scanId };
  }
  const [scanId, ...otherIds] = unknownIds;
  // The search found no scan. The service may know the ids by the time `post` runs, so they are saved.
  if (looked.settled && scanId !== undefined) state.saveScan({ projectId, scanId, otherIds });
  const failure = launchUnknown(cause, pending, looked, { bySignal, isNamed: scanId !== undefined });
  return ended({ kind: 'not-scanned', failure }, !looked.settled || scanId !== undefined);
}

/** @param mayStillBeRunning true if the launch may have created a scan that this run has not cancelled */
export function ended(outcome: ScanOutcome, mayStillBeRunning = false): EndedLaunch {
  return { kind: 'ended', result: { outcome, mayStillBeRunning } };
}
