import { confirmEmptyDiff } from '../change/changed-files.ts';
import { explainStop, stopCause } from '../domain/result.ts';
import type { LaunchedScan, PendingLaunch } from '../domain/scan.ts';
import type { ScanOutcome } from '../domain/verdict.ts';
import { describeCancellation } from '../scan/cancel.ts';
import { NO_TRIES, sendLaunch, waitAfterRefusal } from '../scan/launch.ts';
import { cancelFound, describeLost, findLost, launchUnknown } from '../scan/lost-launch.ts';
import type { Found, NoMatch } from '../scan/new-scans.ts';
import type { ScanResult } from '../scan/result.ts';
import type { DatedScan } from '../scan/scan-mark.ts';
import { type Job, lookBeforeLaunch } from './known-scans.ts';
import { notScanned } from './plan.ts';

export type LaunchedChange =
  /** The service accepted the launch. It is not proven yet that `scan` comes from it. */
  | { readonly kind: 'launched'; readonly scan: LaunchedScan; readonly pending: PendingLaunch }
  /** Another job launched `scan`. */
  | { readonly kind: 'running'; readonly scan: DatedScan }
  | { readonly kind: 'ended'; readonly result: ScanResult };

/**
 * Launches a scan of the change. Looks again before each request. Repeats a request that certainly launched nothing. If
 * the answer was lost, finds and cancels the scan, and launches once more: once for each job.
 *
 * Saves the launch before it is sent, and then the id of the scan. If the job is killed, `post` can find the scan.
 * Deletes this state if the service certainly refused the launch.
 */
export async function launchChange(job: Job): Promise<LaunchedChange> {
  const { api, clock, deadlines, github, log, signal, state, stopwatch, change, known } = job;
  const { target, diffBase, preflight, plan } = change;
  const { projectId, repository, preset, token } = preflight;
  const { body, creditBudget, subject } = plan;
  const request = { projectId, repositoryId: repository.id, body, creditBudget, token };
  for (let tries = NO_TRIES; ; ) {
    const looked = await lookBeforeLaunch(job);
    const stopped = stopCause(signal);
    if (stopped !== undefined) return ended(notScanned(explainStop(stopped, 'it launched a scan')).outcome);
    if (looked.kind === 'running') return looked;
    if (looked.kind === 'not-scanned') return ended(looked);
    const pending: PendingLaunch = {
      projectId,
      headSha: target.headSha,
      pullRequest: target.pullRequest?.number,
      before: looked.before,
      subject,
    };
    state.saveScan(pending);
    const sent = await sendLaunch(api, request, deadlines.launch);
    if (sent.kind === 'launched') {
      const { scanId } = sent.scan;
      state.saveScan({ projectId, scanId, launch: pending });
      log.info(`Launched scan \`${scanId}\` with preset \`${preset.ref}\`.`);
      return { ...sent, pending };
    }
    known.isOutdated = true;
    if (sent.kind === 'lost') {
      const { error } = sent;
      const bySignal = error.kind === 'stopped' && error.by === 'signal';
      const found = await searchLost(job, pending);
      const lost = await settleLost(job, pending, found, describeLost(error), bySignal);
      // An answer without an id would come again.
      const namesNone = error.kind === 'invalid' && error.status === 202 && error.problem === 'wrong-shape';
      if (!lost.isCancelled || namesNone || known.hasRelaunched || signal.aborted)
        return { kind: 'ended', result: lost.result };
      known.hasRelaunched = true;
      continue;
    }
    state.clearScan();
    const start = clock.now();
    const after = await waitAfterRefusal(job, request, sent, tries);
    if (sent.error.kind === 'refused' && sent.error.code === 'repository_initializing')
      stopwatch.waitedForReadiness(clock.now() - start);
    if (after.kind === 'empty-diff') return ended(await confirmEmptyDiff(github, diffBase, signal));
    if (after.kind === 'not-scanned') return ended(after);
    tries = after.tries;
  }
}

function ended(outcome: ScanOutcome): LaunchedChange {
  return { kind: 'ended', result: { outcome } };
}

/**
 * Looks for the scan of a lost launch.
 * @param named the id that the launch answer named, if the service does not know it
 */
export function searchLost(job: Job, pending: PendingLaunch, named?: string): Promise<Found | NoMatch> {
  // The scan of a lost full scan is not looked for.
  if (pending.subject?.baseSha !== undefined)
    job.log.info("Could not confirm the launch of the scan. Looking for it in the service's scan list.");
  return findLost({ ...job, signal: job.deadlines.startSearch() }, pending, named);
}

/**
 * Cancels the scan of a lost launch, if it was found. Unless it is cancelled, `post` looks for it again.
 * @param cause one sentence that says why the scan is unknown
 * @param bySignal true if a signal ended the launch
 */
export async function settleLost(
  job: Job,
  pending: PendingLaunch,
  found: Found | NoMatch,
  cause: string,
  bySignal = false,
): Promise<{ readonly isCancelled: boolean; readonly result: ScanResult }> {
  const { deadlines, log, state, known, change } = job;
  const lost = await cancelFound({ ...job, signal: deadlines.cancelling }, pending, found);
  if (lost.kind === 'found') {
    known.tried.add(lost.scanId);
    known.credits += change.plan.creditBudget ?? 0;
  }
  const isCancelled = lost.kind === 'found' && lost.cancellation.kind === 'cancelled';
  if (isCancelled) {
    state.clearScan();
    log.info(describeCancellation(lost.scanId, lost.cancellation));
  }
  const failure = launchUnknown(cause, pending, lost, bySignal || deadlines.signalled.aborted);
  const mayStillBeRunning = lost.kind === 'no-match' || lost.cancellation.kind === 'failed';
  return { isCancelled, result: { ...notScanned(failure), mayStillBeRunning } };
}
