import { confirmEmptyDiff } from '../change/changed-files.ts';
import { findChange, readAgain } from '../change/pull-request.ts';
import { explainStop, type NotScanned, stopCause } from '../domain/result.ts';
import type { LaunchedScan, PendingLaunch, ScansBefore } from '../domain/scan.ts';
import type { ScanOutcome } from '../domain/verdict.ts';
import { describeCancellation } from '../scan/cancel.ts';
import { NO_TRIES, sendLaunch, waitAfterRefusal } from '../scan/launch.ts';
import { cancelFound, describeLost, launchUnknown } from '../scan/lost-launch.ts';
import { marksInComments, marksUnlisted, mustBeListed } from '../scan/marks.ts';
import { type Found, type NoMatch, scansBefore } from '../scan/new-scans.ts';
import type { ScanResult } from '../scan/result.ts';
import type { DatedScan } from '../scan/scan-mark.ts';
import type { ApiError } from '../scan-api/api-error.ts';
import { explainApiError } from '../scan-api/explain-error.ts';
import { isMarked, type Job, notScanned, readMarks, remember, searchLost, untried } from './gate.ts';

/**
 * Our choice: before a launch, a run looks again if it last read the pull request and the marks this long ago. They
 * rarely change in less time.
 */
const LOOK_AGAIN_AFTER_MS = 30_000;

type Look =
  | { readonly kind: 'clear'; readonly before: ScansBefore }
  /** Another job has launched a scan of this change meanwhile. */
  | { readonly kind: 'running'; readonly scan: DatedScan }
  | { readonly kind: 'not-scanned'; readonly failure: NotScanned };

/**
 * Looks before a launch is sent whether the pull request has changed, whether another job has launched a scan of this
 * change, and which scans exist. Reads the scan list, the pull request and the marks again if what the run knows may be
 * out of date.
 */
async function lookBeforeLaunch(job: Job): Promise<Look> {
  const { api, clock, signal, environment, inputs, seal, watch, known, change } = job;
  const asks = known.isOutdated || clock.now() - known.lookedAt >= LOOK_AGAIN_AFTER_MS;
  // The scan list is read before the pull request, because the service can ask for a long wait.
  if (asks) known.list = await api.scans(change.preflight.projectId, { signal });
  if (asks && watch) await readAgain(watch, signal);
  const failure = watch && findChange(watch);
  if (failure !== undefined) return { kind: 'not-scanned', failure };
  if (asks) {
    const shown = watch?.newest?.state;
    const ofComments = shown ? marksInComments(shown, inputs.delivery.checkName, seal) : [];
    remember(job, ofComments);
    if (inputs.reuseScan) {
      // One read is enough: after the launch, the run looks for scans of other jobs again.
      const marks = await readMarks(job, signal);
      const [newest] = untried(job, [...(marks.ok ? marks.value : []), ...ofComments]);
      if (newest !== undefined) return { kind: 'running', scan: newest };
      const mayLaunch = marks.ok || isMarked(change);
      if (!mayLaunch && mustBeListed(marks.error, environment.runAttempt, change.target))
        return { kind: 'not-scanned', failure: marksUnlisted(marks.error) };
    }
    known.lookedAt = clock.now();
    known.isOutdated = false;
  }
  const { list } = known;
  return list.ok
    ? { kind: 'clear', before: scansBefore(list.value, [...known.marked, ...known.tried]) }
    : { kind: 'not-scanned', failure: listUnread(list.error) };
}

function listUnread(error: ApiError): NotScanned {
  if (error.kind === 'stopped') return explainStop(error.by, 'it launched a scan');
  const failure = explainApiError(error);
  return {
    ...failure,
    cause: `${failure.cause} Without this list, a new scan could not be recognized, so no scan was launched.`,
  };
}

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
  const { api, clock, deadlines, github, log, signal, state, spent, change, known } = job;
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
      spent.waitedForReadinessMs += clock.now() - start;
    if (after.kind === 'empty-diff') return ended(await confirmEmptyDiff(github, diffBase, signal));
    if (after.kind === 'not-scanned') return ended(after);
    tries = after.tries;
  }
}

function ended(outcome: ScanOutcome): LaunchedChange {
  return { kind: 'ended', result: { outcome } };
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
