import { splitState } from '../domain/comment-state.ts';
import { type FreeRerun, readFreeRerun } from '../domain/free-rerun.ts';
import type { NotScanned } from '../domain/not-scanned.ts';
import type { PullRequestCost } from '../domain/pull-request-cost.ts';
import { ok, type Result } from '../domain/result.ts';
import type { Seal } from '../domain/seal.ts';
import type { ScanTarget } from '../domain/target.ts';
import type { SealedAccess } from '../github/access.ts';
import { listCheckRuns } from '../github/check-run-list.ts';
import { readComments } from '../github/comment-list.ts';
import { readHeadsMergedBy } from '../github/commit-pull-requests.ts';
import { causeOf, explainGitHubError, type GitHubError } from '../github/github-error.ts';
import { ownComments, statesOfAllChecks } from '../github/own-comment.ts';
import { type PullRequestState, readPullRequestState } from '../github/pull-request-state.ts';
import type { DeliveryInputs, Inputs } from '../runner/inputs.ts';
import type { Log } from '../runner/log.ts';
import { costSoFar, followsChain, type Listed } from './pull-request-cost.ts';
import { inLaunchOrder, readMark, type ScanMark } from './scan-mark.ts';

/** A check run with a mark. */
export interface MarkedCheckRun {
  readonly id: number;
  readonly name: string;
  readonly url: string | undefined;
  readonly completed: boolean;
}

/** A proven mark, and where it was found. */
export type FoundMark = ScanMark & { readonly checkRun: MarkedCheckRun | undefined };

export interface MarkDeps extends SealedAccess {
  readonly inputs: Pick<DeliveryInputs, 'checkName' | 'comment'> & Pick<Inputs, 'reuseScan'>;
  readonly runId: number;
  readonly runAttempt: number;
  readonly log: Pick<Log, 'info'>;
  /** The pull request as it was just read, with its comments. Undefined: it is read when needed. */
  readonly state?: PullRequestState | undefined;
}

/** Our choice: GitHub needs less time to show the check run by which another job claims its scan. */
export const MARKS_SHOWN_MS = 5_000;
/** Our choice: the number of attempts to read marks. */
export const MOST_MARK_READS = 4;

/** Our choice: a push usually merges one pull request. */
const MOST_MERGED = 2;
type Found = Listed<FoundMark>;

/** What earlier runs left on GitHub for a change. */
export interface EarlierMarks {
  /** The most recent launch first. */
  readonly marks: readonly FoundMark[];
  /** Check runs or comments that may name a paid scan of this head could not be read. */
  readonly unlisted?: GitHubError | undefined;
  /** Why nothing may be launched, whatever the marks show. */
  readonly noLaunch?: NotScanned | undefined;
  /** The cost of the pull request before this run; undefined for other events. */
  readonly cost?: PullRequestCost | undefined;
  /** The pull request, if it was read here together with its comments. */
  readonly pullRequest?: PullRequestState | undefined;
}

/**
 * Reads the marks of earlier runs for this head and older ones, in check runs of any name. Also uses our comment. If it
 * is not known yet, it is read on a re-run, if an earlier run can have seen this head, and if the check runs of the
 * head cannot be read. Logs one line for what it cannot read. For a merge group it adds the marks of its newest entry,
 * for a push those of the merged pull requests: their heads can have the same files.
 */
export async function findEarlierMarks(deps: MarkDeps, target: ScanTarget): Promise<EarlierMarks> {
  const { inputs, log, runAttempt, state } = deps;
  const number = target.pullRequest?.number;
  const isRepeat = runAttempt > 1 || target.pullRequest?.headIsNew === false;
  const reading =
    state?.comments !== undefined || runAttempt > 1 || (inputs.reuseScan && isRepeat)
      ? readComment(deps, number)
      : undefined;
  const [ofHead, ofOlder, ofOthers] = await Promise.all([
    inputs.reuseScan || runAttempt > 1 ? marksOfHead(deps, target.headSha) : NONE,
    marksOfOlderHead(deps, target, reading),
    inputs.reuseScan ? marksOfPullRequests(deps, target) : [],
  ]);
  const comment = await (reading ?? (inputs.reuseScan && !ofHead.ok ? readComment(deps, number) : undefined));
  const marks = inLaunchOrder([
    ...marksIn(ofHead),
    ...marksIn(ofOlder),
    ...ofOthers,
    ...marksIn(comment?.marks),
  ]);
  const noLaunch = runAttempt > 1 && comment !== undefined ? refuseLaunch(deps, comment) : undefined;
  const isWhole = followsChain(runAttempt, target.pullRequest, ofHead, ofOlder);
  const cost = number === undefined ? undefined : costSoFar(marks, number, isWhole);
  const found = { marks, noLaunch, cost, pullRequest: comment?.pullRequest };
  if (!inputs.reuseScan || marksIn(ofHead).length > 0) return found;

  if (!ofHead.ok && (isRepeat || comment?.marks.ok !== true)) {
    log.info(
      `Could not look up earlier scans in check runs. ${explainGitHubError(ofHead.error)} ${PAID_AGAIN}`,
    );
  }
  const errors = [ofHead, comment?.marks].flatMap((found) => (found?.ok === false ? [found.error] : []));
  return { ...found, unlisted: bringsNothing(runAttempt, target) ? errors.find(isPassing) : undefined };
}

/** The sweep must not use credits, but cannot set an input of the re-run. So it signs an entry in our comment. */
function refuseLaunch({ inputs, runId, runAttempt }: MarkDeps, comment: OwnComments): NotScanned | undefined {
  const isFree = comment.freeReruns.some((free) => free.runId === runId && free.runAttempt === runAttempt);
  if (isFree) return NEEDS_SCAN;
  if (comment.marks.ok || !inputs.reuseScan || isRefusal(comment.marks.error)) return undefined;
  return {
    reason: 'service-error',
    cause: `${causeOf(comment.marks.error)} The comments can say that this re-run must not use credits, so no scan was launched.`,
    nextStep: 'Re-run this job. If it fails again, push a commit to have it scanned.',
  };
}

const NEEDS_SCAN: NotScanned = {
  reason: 'configuration',
  cause:
    'The sweep asked for this re-run after triage, and the change has to be scanned again, which uses credits.',
  nextStep: 'Re-run this job by hand.',
};

/** Head and base are those of an earlier event, for which a scan can have been launched. */
function bringsNothing(runAttempt: number, { pullRequest }: ScanTarget): boolean {
  return runAttempt > 1 || pullRequest?.editedOnly === true || pullRequest?.bringsNothing === true;
}

const PAID_AGAIN = 'A scan that only a check run names is not reused, and may be paid for again.';

/** Explains why nothing is launched. */
export function marksUnlisted(error: GitHubError): NotScanned {
  return {
    reason: 'service-error',
    cause: `${causeOf(error)} An earlier run may have paid for a scan of this change, so no scan was launched.`,
    nextStep: 'Re-run this job. If it fails again, push a commit to have it scanned.',
  };
}

/** True if a later request may succeed. A missing permission is permanent. */
function isPassing({ kind }: GitHubError): boolean {
  return kind === 'unreachable' || kind === 'rate-limited' || kind === 'invalid';
}

/** True if the token may not read it. A later request would fail too. */
function isRefusal({ kind }: GitHubError): boolean {
  return kind === 'forbidden' || kind === 'unauthorized';
}

const NONE: Found = { ok: true, value: [] };

function marksIn(found: Found | undefined): readonly FoundMark[] {
  return found?.ok ? found.value : [];
}

/** Asks again after a 404, because GitHub can answer 404 once by mistake. */
async function twiceIfUnknown<T>(
  ask: () => Promise<Result<T, GitHubError>>,
): Promise<Result<T, GitHubError>> {
  const first = await ask();
  return !first.ok && first.error.kind === 'not-found' ? ask() : first;
}

/** If all check runs cannot be listed, reads only those of this name, because that list is shorter. */
async function marksOfHead(deps: MarkDeps, headSha: string): Promise<Found> {
  const all = await twiceIfUnknown(() => marksOfCheckRuns(deps, headSha));
  if (all.ok || !isPassing(all.error)) return all;
  const named = await marksOfCheckRuns(deps, headSha, deps.inputs.checkName);
  return named.ok ? ok(named.value) : all;
}

/** Reads the marks of the head before the push. For other events, our comment names the newest other head. */
async function marksOfOlderHead(
  deps: MarkDeps,
  { pullRequest, headSha }: ScanTarget,
  comment: Promise<OwnComments> | undefined,
): Promise<Found | undefined> {
  const older = pullRequest?.previousHead ?? (await comment)?.heads.find((head) => head !== headSha);
  if (older === undefined || older === headSha) return undefined;
  const shown = deps.state?.previousChecks;
  if (shown?.headSha !== older) return marksOfCheckRuns(deps, older);
  const { externalIds } = shown;
  const marks = externalIds
    .flatMap((externalId) => proven(externalId, deps.seal, undefined))
    .filter((mark) => mark.headSha === older);
  return { ...ok(inLaunchOrder(marks)), externalIds };
}

/**
 * Reads the marks in one commit's check runs, the newest launch first. A mark has to name that commit.
 * @param checkName only check runs of this name; default: all
 */
export async function marksOfCheckRuns(
  { github, seal, signal }: SealedAccess,
  headSha: string,
  checkName?: string,
): Promise<Found> {
  const listed = await listCheckRuns(github, headSha, checkName, signal);
  if (!listed.ok) return listed;
  const marks = listed.value.flatMap(({ id, name, url, status, externalId }) => {
    const checkRun = { id, name, url, completed: status === 'completed' };
    return proven(externalId, seal, checkRun).filter((mark) => mark.headSha === headSha);
  });
  return { ...ok(inLaunchOrder(marks)), externalIds: listed.value.map(({ externalId }) => externalId) };
}

/** Reads marks on other commits than the head. What cannot be read counts as no mark. */
async function marksOfPullRequests(
  deps: MarkDeps,
  { base, headSha }: ScanTarget,
): Promise<readonly FoundMark[]> {
  switch (base.kind) {
    case 'branch':
    case 'none':
      return [];
    case 'merge-group':
      return base.pullRequest === undefined ? [] : marksOfEntry(deps, base.pullRequest);
    case 'push':
      return marksOfMerged(deps, headSha);
  }
}

async function marksOfMerged(deps: MarkDeps, headSha: string): Promise<readonly FoundMark[]> {
  const heads = await readHeadsMergedBy(deps.github, headSha, deps.signal);
  if (!heads.ok) return [];
  const others = heads.value.filter((head) => head !== headSha).slice(0, MOST_MERGED);
  const marks = await Promise.all(others.map((head) => marksOfCheckRuns(deps, head)));
  return marks.flatMap(marksIn);
}

/** Takes at most two requests. */
async function marksOfEntry(deps: MarkDeps, number: number): Promise<readonly FoundMark[]> {
  const { github, signal } = deps;
  const state = await readPullRequestState(github, number, signal);
  if (!state.ok) return [];
  const ofHead = await marksOfCheckRuns(deps, state.value.headSha);
  const { comments } = state.value;
  const ofComment = comments && (await readComment({ ...deps, state: state.value }, number));
  return [...marksIn(ofHead), ...marksIn(ofComment?.marks)];
}

/** What our comments on the pull request contain. */
interface OwnComments {
  readonly marks: Found;
  /** The heads of the comments, the newest comment first. */
  readonly heads: readonly string[];
  /** From all checks. The entries are signed, so the author of a comment does not matter. */
  readonly freeReruns: readonly FreeRerun[];
  /** The pull request, if it was read for its comments. */
  readonly pullRequest?: PullRequestState | undefined;
}

const NO_COMMENTS: OwnComments = { marks: NONE, heads: [], freeReruns: [] };

async function readComment(
  { github, inputs, seal, runAttempt, signal, state: known }: MarkDeps,
  number: number | undefined,
): Promise<OwnComments> {
  const writesNone = inputs.comment === 'never';
  if (number === undefined || (writesNone && runAttempt === 1 && known?.comments === undefined))
    return NO_COMMENTS;
  const read = known ? ok(known) : await readPullRequestState(github, number, signal);
  const pullRequest = known === undefined && read.ok ? read.value : undefined;
  const none = { ...NO_COMMENTS, pullRequest };
  // The comment may be from before `comment: never`. Without a comment, the token need not be able to read any.
  const unread = (marks: Found): OwnComments => (writesNone ? none : { ...none, marks });
  if (!read.ok) return unread(read);
  const posted = await twiceIfUnknown(() => readComments(github, number, read.value, signal));
  if (!posted.ok) return unread(posted);
  const freeReruns = statesOfAllChecks(posted.value).flatMap(
    (state) => readFreeRerun(splitState(state).freeRerun ?? '', { pullRequest: number }, seal) ?? [],
  );
  if (writesNone) return { ...none, freeReruns };
  const newestFirst = ownComments(posted.value, inputs.checkName, read.value.viewer).toReversed();
  const marks = newestFirst.flatMap(({ state }) => proven(splitState(state).mark ?? '', seal, undefined));
  const heads = [...newestFirst.map(({ marker }) => marker.headSha), ...marks.map(({ headSha }) => headSha)];
  return { marks: ok(marks), heads: [...new Set(heads)], freeReruns, pullRequest };
}

function proven(text: string, seal: Seal, checkRun: MarkedCheckRun | undefined): readonly FoundMark[] {
  const mark = readMark(text, seal);
  return mark === undefined ? [] : [{ ...mark, checkRun }];
}
