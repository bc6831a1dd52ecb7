import {
  isTerminal,
  matchBase,
  matchCommit,
  type Scan,
  type ScanList,
  shownInFull,
  type TerminalStatus,
} from '../domain/scan.ts';
import type { CommitRange } from '../domain/target.ts';
import { explainGitHubError } from '../github/errors.ts';
import type { SealedAccess } from '../github/octokit.ts';
import { type PullRequestState, readPullRequestState } from '../github/pull-request-state.ts';
import type { Log, Warn } from '../runner/log.ts';
import { isNotFound } from '../scan-api/api-error.ts';
import type { ScanApi } from '../scan-api/client.ts';
import { explainApiError } from '../scan-api/explain-error.ts';
import { type FoundMark, marksOfCheckRuns } from './marks.ts';
import type { ScanResult } from './result.ts';

export type Cancellation =
  | { readonly kind: 'cancelled' }
  /** The scan had ended before the cancellation. `status` is undefined if the scan cannot be read. */
  | { readonly kind: 'already-terminal'; readonly status: TerminalStatus | undefined }
  /**
   * The scan may still be running and use credits. `cause` is a sentence. `unknown` means that the service does not
   * know the scan (404).
   */
  | { readonly kind: 'failed'; readonly cause: string; readonly unknown: boolean };

/**
 * Cancels a scan that this run or an earlier run launched. The service releases the reserved credits, but charges
 * completed work. If the service refuses, or its answer is lost, reads the status of the scan.
 */
export async function cancelScan(
  api: Pick<ScanApi, 'cancel' | 'readScan'>,
  projectId: string,
  scanId: string,
  signal: AbortSignal,
): Promise<Cancellation> {
  const answer = await api.cancel(projectId, scanId, { signal });
  if (answer.ok) return { kind: 'cancelled' };
  const read = await api.readScan(projectId, scanId, { signal });
  if (read.ok && isTerminal(read.value.status)) {
    const { status } = read.value;
    const refused = answer.error.kind === 'refused';
    return status === 'CANCELLED' && !refused ? { kind: 'cancelled' } : { kind: 'already-terminal', status };
  }
  // The service answers 400 only if the scan has ended already.
  if (!read.ok && answer.error.kind === 'refused' && answer.error.status === 400) {
    return { kind: 'already-terminal', status: undefined };
  }
  const unknown = isNotFound(answer.error) && !read.ok && isNotFound(read.error);
  return { kind: 'failed', cause: explainApiError(answer.error).cause, unknown };
}

/**
 * Cancels a scan that we launched, but that no run needs. Writes a warning that says whether the scan was cancelled.
 * @returns what is known about the scan afterwards
 */
export async function abandonScan(
  { api, warn }: { readonly api: Pick<ScanApi, 'cancel' | 'readScan'>; readonly warn: Warn },
  projectId: string,
  scanId: string,
  signal: AbortSignal,
): Promise<Pick<ScanResult, 'scanStatus' | 'mayStillBeRunning'>> {
  const cancellation = await cancelScan(api, projectId, scanId, signal);
  warn(describeCancellation(scanId, cancellation));
  switch (cancellation.kind) {
    case 'cancelled':
      return { scanStatus: 'CANCELLED' };
    case 'already-terminal':
      return { scanStatus: cancellation.status };
    case 'failed':
      return { mayStillBeRunning: true };
  }
}

/** Describes the result of a cancellation in sentences. Adds the cause of a failure. */
export function describeCancellation(scanId: string, cancellation: Cancellation): string {
  switch (cancellation.kind) {
    case 'cancelled':
      return `Cancelled scan \`${scanId}\`. The service releases its reserved credits, but charges completed work.`;
    case 'already-terminal':
      return `Scan \`${scanId}\` had already ended${cancellation.status === undefined ? '' : ` as ${cancellation.status}`}.`;
    case 'failed':
      return `Could not cancel scan \`${scanId}\`. It may still be running and using credits: cancel it in the service. ${cancellation.cause}`;
  }
}

/**
 * Our choice: the maximum number of scans, and of heads, that a run looks at. A pull request rarely has running scans
 * of more than one older head.
 */
const MOST_TRIED = 3;

export interface SupersededDeps extends SealedAccess {
  readonly api: Pick<ScanApi, 'readScan' | 'cancel'>;
  readonly log: Pick<Log, 'info'>;
  readonly warn: Warn;
  /** Receives the pull request each time it is read. */
  readonly onPullRequestRead?: ((state: PullRequestState) => void) | undefined;
}

export interface SupersededBy {
  readonly projectId: string;
  readonly repositoryId: string;
  readonly pullRequest: number;
  /** The head of this run. */
  readonly headSha: string;
  readonly runId: number;
}

export type RunningFor = Omit<SupersededBy, 'projectId'> & Pick<CommitRange, 'baseSha'>;

/**
 * Cancels at most three running scans of older heads of this pull request. The mark of a scan must name this pull
 * request, another head and an earlier run. Warns if it cannot read or cancel such a scan, or cannot read the pull
 * request.
 *
 * Cancels a scan only if GitHub shows that the head of this run is the current head, because users can re-run an old
 * run after a force push.
 * @param list the scans of the project; undefined if it could not be read
 */
export async function cancelSupersededScans(
  { api, github, signal, log, warn, onPullRequestRead }: SupersededDeps,
  list: ScanList | undefined,
  marks: readonly FoundMark[],
  { projectId, repositoryId, ...own }: SupersededBy,
): Promise<void> {
  const { pullRequest, headSha } = own;
  // According to the list, these scans have ended.
  const ended = new Set(
    (list?.scans ?? [])
      .filter(({ status }) => status !== undefined && isTerminal(status))
      .map(({ id }) => id),
  );
  const older = marks.filter((mark) => isOfOlderHead(mark, own) && !ended.has(mark.scanId));
  const byScan = new Map(older.map((mark) => [mark.scanId, mark]));
  for (const mark of [...byScan.values()].slice(0, MOST_TRIED)) {
    const { scanId } = mark;
    const read = await api.readScan(projectId, scanId, { signal });
    if (!read.ok) {
      const gone = isNotFound(read.error);
      if (!gone) warn(mayRun(scanId, explainApiError(read.error).cause));
      continue;
    }
    if (isTerminal(read.value.status) || !isOf(mark, read.value, repositoryId)) continue;
    const situation = await readPullRequestState(github, pullRequest, signal);
    if (situation.ok) onPullRequestRead?.(situation.value);
    else warn(mayRun(scanId, explainGitHubError(situation.error)));
    if (!situation.ok || situation.value.headSha !== headSha) continue;
    const cancellation = await cancelScan(api, projectId, scanId, signal);
    if (cancellation.kind === 'failed') warn(mayRun(scanId, cancellation.cause));
    else if (cancellation.kind === 'cancelled')
      log.info(
        `Cancelled scan \`${scanId}\` of the older head commit \`${mark.headSha}\`. The service releases its reserved credits, but charges completed work.`,
      );
  }
}

/**
 * Reads the marks of running scans whose heads are older than the previous head. The event does not name these heads.
 * Such a scan can still be running if the run for the previous head never began.
 *
 * Reads the check runs of at most three commits. Stops at the first commit whose check runs cannot be read.
 */
export async function findMarksOfRunning(
  deps: SealedAccess,
  list: ScanList | undefined,
  known: readonly FoundMark[],
  { repositoryId, baseSha, ...own }: RunningFor,
): Promise<readonly FoundMark[]> {
  const read = new Set([own.headSha, ...known.map((mark) => mark.headSha)]);
  const running = (list?.scans ?? []).filter(
    (scan) =>
      (scan.repositoryId ?? repositoryId) === repositoryId &&
      scan.status !== undefined &&
      !isTerminal(scan.status),
  );
  // All heads of a pull request usually have the same base, so the scans with this base come first.
  const near = running.filter((scan) => matchBase(scan.baseSha, baseSha) === 'same');
  const heads = new Set(
    [...near, ...running]
      .map(({ headSha }) => shownInFull(headSha, own.headSha))
      .flatMap((shown) => (shown === undefined || read.has(shown) ? [] : [shown])),
  );
  const found: FoundMark[] = [];
  for (const headSha of [...heads].slice(0, MOST_TRIED)) {
    const marks = await marksOfCheckRuns(deps, headSha);
    if (!marks.ok) return found;
    found.push(...marks.value.filter((mark) => isOfOlderHead(mark, own)));
  }
  return found;
}

/**
 * True if the mark is of this pull request, of another head and of an earlier run. Run ids increase with time. The head
 * of a later run can be newer, even if GitHub does not show that head yet.
 */
function isOfOlderHead(
  mark: FoundMark,
  { pullRequest, headSha, runId }: Pick<SupersededBy, 'pullRequest' | 'headSha' | 'runId'>,
): boolean {
  return mark.pullRequest === pullRequest && mark.headSha !== headSha && mark.runId < runId;
}

/** False if the scan shows another repository than this one, or another commit than the mark. */
function isOf(mark: FoundMark, scan: Pick<Scan, 'repositoryId' | 'headSha'>, repositoryId: string): boolean {
  const sameRepository = scan.repositoryId === undefined || scan.repositoryId === repositoryId;
  return sameRepository && matchCommit(scan.headSha, mark.headSha) !== 'different';
}

function mayRun(scanId: string, cause: string): string {
  return `Scan \`${scanId}\` for an earlier commit may still be running and using credits. Check it in the service. ${cause}`;
}
