import { readNow } from '../change/pull-request.ts';
import { ok } from '../domain/result.ts';
import { isTerminal, matchCommit } from '../domain/scan.ts';
import { explainGitHubError } from '../github/errors.ts';
import { findProject } from '../preflight/preflight.ts';
import { cancelScan, describeCancellation } from '../scan/cancel.ts';
import { type FoundMark, findOpenCheckRuns } from '../scan/marks.ts';
import { isNotFound } from '../scan-api/api-error.ts';
import { explainApiError } from '../scan-api/explain-error.ts';
import type { EndPlan, Gate, LaunchableChange, RunResult } from './gate.ts';

/** Ends a run that scans nothing. Cancels the running scans of older heads, if the plan requires it. */
export async function endWithoutScan(gate: Gate, { result, superseding }: EndPlan): Promise<RunResult> {
  if (superseding !== undefined) await cancelForOlderHeads(gate, superseding, superseding.marks);
  return result;
}

/** Our choice: a pull request rarely has running scans of more than one older head. */
const MOST_OLDER = 3;

/**
 * Cancels at most three running scans of older heads of the target's pull request. The mark of a scan must name this
 * pull request, another head and an earlier run. Warns if it cannot read or cancel such a scan, or cannot read the pull
 * request.
 *
 * Cancels a scan only if GitHub shows that the head of this run is the current head, because users can re-run an old
 * run after a force push.
 * @param marks the marks of earlier scans, as they were at the start of the run
 */
export async function cancelForOlderHeads(
  gate: Gate,
  { target, preflight }: LaunchableChange,
  marks: readonly FoundMark[],
): Promise<void> {
  const { api, environment, signal, log, warn, watch } = gate;
  const { pullRequest, headSha } = target;
  const { projectId, repository, scans } = preflight;
  if (pullRequest === undefined || watch === undefined) return;
  // According to the list, these scans have ended.
  const listed = scans.ok ? scans.value.scans : [];
  const ended = new Set(listed.filter(({ status = '' }) => isTerminal(status)).map(({ id }) => id));
  // Run ids increase with time. The head of a later run can be newer, even if GitHub does not show that head yet.
  const older = marks.filter(
    (mark) =>
      mark.pullRequest === pullRequest.number &&
      mark.headSha !== headSha &&
      mark.runId < environment.runId &&
      !ended.has(mark.scanId),
  );
  const byScan = new Map(older.map((mark) => [mark.scanId, mark]));
  for (const mark of [...byScan.values()].slice(0, MOST_OLDER)) {
    const { scanId } = mark;
    const mayRun = (cause: string) =>
      warn(
        `Scan \`${scanId}\` for an earlier commit may still be running and using credits. Check it in the service. ${cause}`,
      );
    const read = await api.readScan(projectId, scanId, { signal });
    if (!read.ok) {
      if (!isNotFound(read.error)) mayRun(explainApiError(read.error).cause);
      continue;
    }
    const { status, repositoryId = repository.id } = read.value;
    const isOther =
      repositoryId !== repository.id || matchCommit(read.value.headSha, mark.headSha) === 'different';
    if (isTerminal(status) || isOther) continue;
    const { answer } = await readNow(watch, signal);
    if (!answer.ok) mayRun(explainGitHubError(answer.error));
    if (!answer.ok || answer.value.headSha !== headSha) continue;
    const cancellation = await cancelScan(gate, projectId, scanId);
    if (cancellation.kind === 'failed') mayRun(cancellation.cause);
    else if (cancellation.kind === 'cancelled')
      log.info(
        `Cancelled scan \`${scanId}\` of the older head commit \`${mark.headSha}\`. The service releases its reserved credits, but charges completed work.`,
      );
  }
}

/**
 * Takes over the check run that an earlier attempt of this run left in progress. `scanChange` may have done that
 * already.
 *
 * If the pull request is closed, also cancels the scans of the earlier attempt, because no run can use them. There can
 * be several scans, because several steps can use the same check name.
 */
export async function settleEarlierAttempt(gate: Gate, result: RunResult): Promise<RunResult> {
  const { github, environment, seal, deadlines, inputs } = gate;
  const { target, outcome, identity, checkRun } = result;
  if (target === undefined) return result;
  const isUnsupported = outcome.kind === 'not-scanned' && outcome.failure.reason === 'unsupported-event';
  const isClosed = isUnsupported && target.pullRequest?.state === 'closed';
  if (identity !== undefined && !isClosed) return result;
  const look = { github, seal, signal: deadlines.wrapUp };
  const open = await findOpenCheckRuns(look, environment, target.headSha, inputs.delivery.checkName);
  const [newest] = open;
  if (newest === undefined) return result;
  const taken = identity === undefined ? { ...result, checkRun: ok(newest) } : result;
  if (!isClosed) return taken;
  // If the run called `scanChange`, it knows the check run of its step. It then cancels only the scan of this check
  // run, because a second step may still follow its own scan.
  const ofStep =
    identity === undefined ? open : open.filter(({ id }) => checkRun?.ok && id === checkRun.value.id);
  const owned = ofStep.filter(({ ownsScan }) => ownsScan).map(({ scanId }) => scanId);
  const mayStillBeRunning = await cancelLeftScans(gate, owned);
  return mayStillBeRunning ? { ...taken, mayStillBeRunning } : taken;
}

/** @returns true if a cancellation failed; `post` then tries again */
async function cancelLeftScans(gate: Gate, scanIds: readonly string[]): Promise<boolean> {
  const { api, token, inputs, deadlines, log, warn, state } = gate;
  if (scanIds.length === 0) return false;
  const signal = deadlines.cancelling;
  const mayRun = (scanId: string, cause: string) =>
    warn(
      `Scan \`${scanId}\` of an earlier attempt may still be running and using credits: cancel it in the service. ${cause}`,
    );
  const askToken = async () => {
    const answer = await token();
    // A stop ends the request, but leaves time to cancel the scans.
    const isStopped = !answer.ok && answer.error.kind === 'stopped';
    return isStopped ? api.token({ signal }) : answer;
  };
  const project = await findProject(askToken, inputs.connection.projectId);
  if (!project.ok) {
    for (const scanId of scanIds) mayRun(scanId, project.error.cause);
    return false;
  }
  const projectId = project.value;
  const running: string[] = [];
  for (const scanId of scanIds) {
    const read = await api.readScan(projectId, scanId, { signal });
    const isGone = !read.ok && isNotFound(read.error);
    if (isGone || (read.ok && isTerminal(read.value.status))) continue;
    // If the job is killed before the scan is cancelled, `post` cancels it.
    state.saveScan({ projectId, scanId });
    const cancellation = await cancelScan({ ...gate, signal }, projectId, scanId);
    if (cancellation.kind !== 'failed') log.info(describeCancellation(scanId, cancellation));
    else {
      running.push(scanId);
      mayRun(scanId, cancellation.cause);
    }
  }
  const [first] = running;
  if (first === undefined) return false;
  state.saveScan({ projectId, scanId: first });
  return true;
}
