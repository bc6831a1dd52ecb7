import { splitState } from '../domain/comment-state.ts';
import { err, type NotScanned, ok, type Result } from '../domain/result.ts';
import type { PendingLaunch, SavedLaunch, Scan, ScanList, ScansBefore } from '../domain/scan.ts';
import type { Seal } from '../domain/seal.ts';
import { readComments } from '../github/comment-list.ts';
import { type PostedComment, readState } from '../github/comment-marker.ts';
import type { GitHub, SealedAccess } from '../github/octokit.ts';
import { readPullRequestState } from '../github/pull-request-state.ts';
import { inPool } from '../http/pool.ts';
import type { ApiError } from '../scan-api/api-error.ts';
import { explainApiError } from '../scan-api/explain-error.ts';
import { waitAfterFailure } from '../scan-api/retry.ts';
import type { ServiceStep } from '../start/step.ts';
import { foreignLine, listed } from '../text/visible-text.ts';
import { type Cancellation, cancelScan, describeCancellation } from './cancel.ts';
import { MARKS_SHOWN_MS, marksOfCheckRuns } from './marks.ts';
import {
  type Found,
  idsOf,
  isNew,
  matchNewScans,
  type NoMatch,
  newCandidates,
  noMatch,
  standsAbove,
} from './new-scans.ts';
import { readMark } from './scan-mark.ts';
import { explainUnanswered, untilAnswered } from './wait.ts';

/** Our choice: for this time after a launch, the scan list may not show the scan yet. */
const LIST_LAG_MS = 60_000;

/**
 * True if the scan that a launch answer named comes from that launch. Reads the scan list if nothing else proves it. An
 * error means that the list could not be read.
 * @param createdAt the time that the scan shows
 */
export async function isOfLaunch(
  step: ServiceStep,
  { projectId, before }: PendingLaunch,
  { scanId, createdAt }: { readonly scanId: string; readonly createdAt: string | undefined },
): Promise<Result<boolean, NotScanned>> {
  if (before === undefined) return ok(false);
  const known = isNew(before, scanId, createdAt);
  if (known !== undefined) return ok(known);
  const { api, clock, signal } = step;
  // The list can lag behind the launch.
  for (const start = clock.now(); ; ) {
    const list = await untilAnswered(step, () => api.scans(projectId, { signal }));
    if (!list.ok) return err(explainUnanswered(list.error, 'it could confirm the scan', true));
    const isAbove = standsAbove(list.value, scanId, before);
    if (isAbove !== undefined || clock.now() - start >= LIST_LAG_MS) return ok(isAbove === true);
    await clock.sleep(MARKS_SHOWN_MS, signal);
  }
}

/** The first wait is short, because the service usually lists an accepted scan at once. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 10_000;
/** Our choice: the most scans whose details are read. Each detail takes a request. */
const MOST_DETAILS = 20;
const WIDTH = 4;

/** What the search for a lost launch needs. Its signal aborts the search. */
export interface LostSearch extends ServiceStep {
  /** Undefined if GitHub cannot be asked. No scan is then proven to have no mark. */
  readonly github: GitHub | undefined;
  readonly seal: Seal;
}

/** The scan of a lost launch and what its cancellation did, or why no scan was found. */
export type LostLaunch = (Found & { readonly cancellation: Cancellation }) | NoMatch;

/** Cancels the scan of a lost launch, if it was found. No run uses its result. */
export async function cancelFound(
  step: ServiceStep,
  { projectId }: PendingLaunch,
  found: Found | NoMatch,
): Promise<LostLaunch> {
  if (found.kind === 'no-match') return found;
  const made = await cancelScan(step, projectId, found.scanId);
  const isCancelled = made.kind === 'already-terminal' && made.status === 'CANCELLED';
  return { ...found, cancellation: isCancelled ? { kind: 'cancelled' } : made };
}

/**
 * Looks for the scan of a launch whose answer was lost. Repeats the search until a scan is proven to come from the
 * launch, or the signal aborts. The proof needs two reads of the scan list and the marks, 5 s apart. Both times, exactly
 * one new scan must match, and no mark may name it. Looks only for a diff scan.
 * @param named the id that the launch answer named, if the service did not know it; if the list shows this id, it is
 * found
 */
export async function findLost(
  search: LostSearch,
  pending: PendingLaunch,
  named?: string,
): Promise<Found | NoMatch> {
  const { clock, random, signal } = search;
  const { before, subject } = pending;
  if (before === undefined || subject?.baseSha === undefined) return noMatch('not-sought');
  const launch = { ...pending, before, subject };
  // A job that launches a second scan replaces the first scan in its mark. The first scan is still not ours.
  const claimed = new Set<string>();
  let last = noMatch('unreadable');
  let failures = 0;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    const first = await look(search, launch, claimed, named);
    let again = first;
    if (first.ok && first.value.kind === 'found') {
      if (first.value.scanId === named) return first.value;
      // Another job may have launched the same change at the same time, and the mark of that job can appear late.
      await clock.sleep(MARKS_SHOWN_MS, signal);
      if (signal.aborted) return noMatch('cannot-tell', [first.value.scanId]);
      again = await look(search, launch, claimed, named);
      if (again.ok && again.value.kind === 'found' && again.value.scanId === first.value.scanId)
        return again.value;
    }
    if (again.ok) {
      failures = 0;
      last = again.value.kind === 'found' ? noMatch('cannot-tell', [again.value.scanId]) : again.value;
    } else if (again.error.kind !== 'stopped') {
      failures += 1;
      last = noMatch('unreadable', last.ids);
    }
    await clock.sleep(again.ok ? wait : waitAfterFailure(again.error, failures, random), signal);
    if (signal.aborted) return last;
  }
}

/** Reads the list, the details of new scans and the marks once. Reads the marks only if there is a new scan. */
async function look(
  { api, github, seal, signal }: LostSearch,
  launch: SavedLaunch,
  claimed: Set<string>,
  named: string | undefined,
) {
  const { projectId, before } = launch;
  const list = await api.scans(projectId, { signal });
  if (!list.ok) return list;
  if (named !== undefined && isListedAsNew(list.value, named, before))
    return { ok: true, value: { kind: 'found', scanId: named } } as const;
  const ids = idsOf(newCandidates(list.value, launch));
  const details = new Map<string, Scan>();
  await inPool(ids.slice(0, MOST_DETAILS), WIDTH, async (id) => {
    const read = await api.scan(projectId, id, { signal });
    if (read.ok) details.set(id, read.value.scan);
  });
  if (details.size > 0) {
    const marked = github && (await markedScans({ github, seal, signal }, launch));
    if (marked === undefined) return { ok: true, value: noMatch('marks-unreadable', ids) } as const;
    for (const id of marked) claimed.add(id);
  }
  return { ok: true, value: matchNewScans(list.value, details, claimed, launch) } as const;
}

function isListedAsNew(list: ScanList, scanId: string, before: ScansBefore): boolean {
  const listed = list.scans.find(({ id }) => id === scanId);
  if (listed === undefined) return false;
  return (isNew(before, scanId, listed.createdAt) ?? standsAbove(list, scanId, before)) === true;
}

/**
 * Reads the ids of the scans that proven marks name, in the check runs of the head and in the comments of the pull
 * request. Any user can write a comment, but only a holder of the token can make a mark.
 * @returns undefined if the marks cannot be read
 */
async function markedScans(
  access: SealedAccess,
  { headSha, pullRequest }: PendingLaunch,
): Promise<readonly string[] | undefined> {
  const [ofCheckRuns, comments] = await Promise.all([
    marksOfCheckRuns(access, headSha),
    commentsOf(access, pullRequest),
  ]);
  if (!ofCheckRuns.ok || comments === undefined) return undefined;
  const ofComments = comments.flatMap(
    ({ body }) => readMark(splitState(readState(body)).mark, access.seal) ?? [],
  );
  return [...ofCheckRuns.value, ...ofComments].map(({ scanId }) => scanId);
}

/** Returns undefined if the comments cannot be read. */
async function commentsOf(
  { github, signal }: SealedAccess,
  pullRequest: number | undefined,
): Promise<readonly PostedComment[] | undefined> {
  if (pullRequest === undefined) return [];
  const state = await readPullRequestState(github.until(signal), pullRequest);
  const read = state.ok ? await readComments(github.until(signal), pullRequest, state.value) : state;
  return read.ok ? read.value : undefined;
}

/** Explains in one sentence why the scan of a launch is unknown after this error. */
export function describeLost(error: ApiError): string {
  return explainApiError({ ...error, operation: 'confirm the launch of the scan' }).cause;
}

/** Explains in one sentence that the service does not know the scan that its launch answer named. */
export function describeUnknown(scanId: string): string {
  return `Could not confirm the launch of the scan: the service answered with scan ${asCode([scanId])}, which it does not know.`;
}

/** Explains that the launch answer named a scan that may be older than the launch, so the run does not use it. */
export function notOfLaunch(scanId: string, pending: PendingLaunch): NotScanned {
  return {
    reason: 'launch-unknown',
    cause: `The service answered the launch with scan ${asCode([scanId])}, and nothing proves that this launch created it. Scangate neither uses nor cancels it.`,
    nextStep: `${recoveryHint(pending)} Then re-run this job.`,
  };
}

/**
 * Explains that the answer to a launch was lost, and what the run knows about the scan of this launch.
 * @param cause one sentence that says why the scan is unknown
 * @param bySignal true if a signal ended the launch or the search
 */
export function launchUnknown(
  cause: string,
  pending: PendingLaunch,
  lost: LostLaunch,
  bySignal: boolean,
): NotScanned {
  const failure = {
    reason: bySignal ? 'scan-cancelled' : 'launch-unknown',
    ...(bySignal && { bySignal }),
  } as const;
  if (lost.kind === 'found') {
    const { scanId, cancellation } = lost;
    const isRunning = cancellation.kind === 'failed';
    return {
      ...failure,
      cause: `${cause} ${describeCancellation(scanId, cancellation)}`,
      nextStep: `${isRunning ? `Cancel scan ${asCode([scanId])} in the scanning service. Then re-run` : 'Re-run'} this job.`,
    };
  }
  const later = lost.why === 'not-sought' ? '' : ' The post step will look for it again.';
  return {
    ...failure,
    cause: `${cause} ${describeCandidates(lost)} A scan may be running, so Scangate did not launch another one.${later}`,
    nextStep: `${recoveryHint(pending)} Then re-run this job.`,
  };
}

/** Says in one sentence what the scan list shows about a launch whose answer was lost. */
export function describeCandidates({ why, ids }: NoMatch): string {
  const scans = ids.length === 0 ? '' : ` (${asCode(ids)})`;
  switch (why) {
    case 'none':
      return 'The service lists no new scan of this commit.';
    case 'several':
      return `The service lists several new scans of this commit: ${asCode(ids)}.`;
    case 'cannot-tell':
      return `The service lists a new scan, but Scangate could not match it to this run${scans}.`;
    case 'claimed':
      return `The service lists a new scan of this commit, but another run launched it${scans}.`;
    case 'marks-unreadable':
      return `The service lists a new scan of this commit, but Scangate could not read the check runs that name its run${scans}.`;
    case 'unreadable':
      return `Scangate could not read the scan list of the service${scans}.`;
    case 'not-sought':
      return 'Scangate looks only for a diff scan whose launch was saved in full.';
  }
}

/** Says how the user can find the scan that the launch may have created. */
export function recoveryHint({ projectId, headSha, subject }: PendingLaunch): string {
  const credits =
    subject?.creditBudget === undefined ? 'the reserved credits' : `up to ${subject.creditBudget} credits`;
  return `Check project \`${foreignLine(projectId)}\` in the scanning service for a scan of \`${headSha.slice(0, 12)}\`. If it is running, cancel it: it can use ${credits}.`;
}

function asCode(ids: readonly string[]): string {
  return listed(ids.map((id) => `\`${id}\``));
}
