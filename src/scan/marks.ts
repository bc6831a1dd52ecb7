import { splitState } from '../domain/comment-state.ts';
import { type NotScanned, ok, type Result } from '../domain/result.ts';
import type { Seal } from '../domain/seal.ts';
import type { ScanTarget } from '../domain/target.ts';
import { type CheckRun, listCheckRuns } from '../github/check-run.ts';
import { readComments } from '../github/comment-list.ts';
import { ownComments } from '../github/comment-marker.ts';
import { readHeadsMergedBy } from '../github/compare.ts';
import type { GitHubEnvironment } from '../github/environment.ts';
import { causeOf, explainGitHubError, type GitHubError } from '../github/errors.ts';
import type { SealedAccess } from '../github/octokit.ts';
import { type PullRequestState, readPullRequestState } from '../github/pull-request-state.ts';
import type { Inputs } from '../runner/inputs.ts';
import type { Log } from '../runner/log.ts';
import { inLaunchOrder, readMark, type ScanMark } from './scan-mark.ts';

/** Returns the proven marks in our comments on a pull request. The marks of the newest comment come first. Pure. */
export function marksInComments(
  { comments = [], viewer }: PullRequestState,
  checkName: string,
  seal: Seal,
): readonly (ScanMark & { readonly checkRun: undefined })[] {
  return ownComments(comments, checkName, viewer)
    .toReversed()
    .flatMap(({ state }) => {
      const mark = readMark(splitState(state).mark, seal);
      return mark === undefined ? [] : [{ ...mark, checkRun: undefined }];
    });
}

/** A check run that holds a mark. */
export interface MarkedCheckRun {
  readonly id: number;
  readonly name: string;
  readonly url: string | undefined;
  readonly completed: boolean;
}

/** A proven mark. `checkRun` is undefined if the mark does not come from a list of check runs. */
export type FoundMark = ScanMark & { readonly checkRun: MarkedCheckRun | undefined };

/** What the search for marks needs. */
interface MarkSearch extends SealedAccess {
  readonly inputs: Inputs;
  readonly runAttempt: number;
  readonly log: Log;
  /** The pull request with its comments, if the run has just read it. Otherwise undefined. */
  readonly state?: PullRequestState | undefined;
}

/** Our choice: the time within which GitHub shows a new mark to other jobs. */
export const MARKS_SHOWN_MS = 5_000;
/** Our choice: how many times a run tries to read the marks. */
export const MOST_MARK_READS = 4;

/** Our choice: the most merged pull requests whose marks a run reads. A push usually merges one pull request. */
const MOST_MERGED = 2;
type Found = Result<readonly FoundMark[], GitHubError>;

/** What earlier runs of a change left on GitHub. */
export interface EarlierMarks {
  /** All marks, the most recent launch first. */
  readonly marks: readonly FoundMark[];
  /** Set if check runs or comments cannot be read for now, and may name a scan of this change. */
  readonly unlisted?: GitHubError | undefined;
  /** The pull request, if it was read here to find its comments. */
  readonly pullRequest?: PullRequestState | undefined;
}

/**
 * Reads the marks that earlier runs left for this head and for one older head, in check runs of any name and in our
 * comments. Logs one line if an unread check run may name a paid scan.
 *
 * To save a request, the comments are read only in three cases: the run has them already, an earlier run may have seen
 * this head, or the check runs of this head cannot be read. With `reuse-scan: false`, only the first case counts. With
 * `comment: never`, none does.
 *
 * The head of a merged pull request can have the same files as a merge group or a push. So if scans may be reused, this
 * function also reads the marks of the newest pull request of a merge group, and of the pull requests that a push
 * merged.
 */
export async function findEarlierMarks(deps: MarkSearch, target: ScanTarget): Promise<EarlierMarks> {
  const { inputs, log, runAttempt, state } = deps;
  const number = target.pullRequest?.number;
  const isRepeat = runAttempt > 1 || (target.pullRequest?.brings ?? 'head') !== 'head';
  const reading =
    state?.comments !== undefined || (inputs.reuseScan && isRepeat) ? readComment(deps, number) : undefined;
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
  const found = { marks, pullRequest: comment?.pullRequest };
  if (!inputs.reuseScan || marksIn(ofHead).length > 0) return found;

  if (!ofHead.ok && (isRepeat || comment?.marks.ok !== true)) {
    log.info(
      `Could not look up earlier scans in check runs. ${explainGitHubError(ofHead.error)} ${PAID_AGAIN}`,
    );
  }
  const errors = [ofHead, comment?.marks].flatMap((found) => (found?.ok === false ? [found.error] : []));
  return { ...found, unlisted: errors.find((error) => mustBeListed(error, runAttempt, target)) };
}

/** True if nothing may be launched while the marks cannot be read because of this error. */
export function mustBeListed(error: GitHubError, runAttempt: number, target: ScanTarget): boolean {
  return bringsNothing(runAttempt, target) && isPassing(error);
}

/** True on a re-run, or if the event added no head and no base. An earlier run can then have scanned this change. */
function bringsNothing(runAttempt: number, { pullRequest }: ScanTarget): boolean {
  return runAttempt > 1 || pullRequest?.brings === 'text' || pullRequest?.brings === 'nothing';
}

const PAID_AGAIN = 'A scan that only a check run names is not reused, and may be paid for again.';

/** Explains that nothing is launched because the marks cannot be read. */
export function marksUnlisted(error: GitHubError): NotScanned {
  return {
    reason: 'service-error',
    cause: `${causeOf(error)} An earlier run may have paid for a scan of this change, so no scan was launched.`,
    nextStep: 'Re-run this job. If it fails again, push a commit to have it scanned.',
  };
}

/** True if a later request may succeed. A missing permission does not change by itself. */
function isPassing({ kind }: GitHubError): boolean {
  return ['unreachable', 'rate-limited', 'invalid', 'too-large'].includes(kind);
}

const NONE: Found = { ok: true, value: [] };

function marksIn(found: Found | undefined): readonly FoundMark[] {
  return found?.ok ? found.value : [];
}

/** Repeats a request after a 404, because GitHub can answer 404 by mistake. */
async function twiceIfUnknown<T>(
  ask: () => Promise<Result<T, GitHubError>>,
): Promise<Result<T, GitHubError>> {
  const first = await ask();
  return !first.ok && first.error.kind === 'not-found' ? ask() : first;
}

/**
 * Reads the marks of the head. If GitHub cannot list all check runs now, lists only those with this run's check name.
 */
async function marksOfHead(deps: MarkSearch, headSha: string): Promise<Found> {
  const all = await twiceIfUnknown(() => marksOfCheckRuns(deps, headSha));
  if (all.ok || !isPassing(all.error)) return all;
  const named = await marksOfCheckRuns(deps, headSha, deps.inputs.delivery.checkName);
  return named.ok ? ok(named.value) : all;
}

/**
 * Reads the marks of the previous head. If the event does not name that head, takes the newest head in our comment that
 * is not the current head.
 */
async function marksOfOlderHead(
  deps: MarkSearch,
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
  return ok(inLaunchOrder(marks));
}

/**
 * Reads the marks in the check runs of one commit, the newest launch first. Ignores marks that name another commit.
 * @param checkName reads only check runs of this name; default: all
 */
export async function marksOfCheckRuns(
  { github, seal, signal }: SealedAccess,
  headSha: string,
  checkName?: string,
): Promise<Found> {
  const listed = await listCheckRuns(github.until(signal), headSha, checkName);
  if (!listed.ok) return listed;
  const marks = listed.value.flatMap(({ id, name, url, status, externalId }) => {
    const checkRun = { id, name, url, completed: status === 'completed' };
    return proven(externalId, seal, checkRun).filter((mark) => mark.headSha === headSha);
  });
  return ok(inLaunchOrder(marks));
}

/** Reads the marks of the pull requests that a merge group or a push merges. Leaves out marks that cannot be read. */
async function marksOfPullRequests(
  deps: MarkSearch,
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

async function marksOfMerged(deps: MarkSearch, headSha: string): Promise<readonly FoundMark[]> {
  const heads = await readHeadsMergedBy(deps.github.until(deps.signal), headSha);
  if (!heads.ok) return [];
  const others = heads.value.filter((head) => head !== headSha).slice(0, MOST_MERGED);
  const marks = await Promise.all(others.map((head) => marksOfCheckRuns(deps, head)));
  return marks.flatMap(marksIn);
}

/** Reads the marks of the pull request that a merge group adds. Leaves out comments that need another request. */
async function marksOfEntry(deps: MarkSearch, number: number): Promise<readonly FoundMark[]> {
  const { github, signal } = deps;
  const state = await readPullRequestState(github.until(signal), number);
  if (!state.ok) return [];
  const ofHead = await marksOfCheckRuns(deps, state.value.headSha);
  const { comments } = state.value;
  const ofComment = comments && (await readComment({ ...deps, state: state.value }, number));
  return [...marksIn(ofHead), ...marksIn(ofComment?.marks)];
}

interface OwnComments {
  readonly marks: Found;
  /** The heads that the comments name, the newest comment first. */
  readonly heads: readonly string[];
  /** The pull request, if it was read to find its comments. */
  readonly pullRequest?: PullRequestState | undefined;
}

const NO_COMMENTS: OwnComments = { marks: NONE, heads: [] };

async function readComment(
  { github, inputs, seal, signal, state: known }: MarkSearch,
  number: number | undefined,
): Promise<OwnComments> {
  // With `comment: never`, the token needs no permission to read comments.
  if (number === undefined || inputs.delivery.comment === 'never') return NO_COMMENTS;
  const read = known ? ok(known) : await readPullRequestState(github.until(signal), number);
  const pullRequest = known === undefined && read.ok ? read.value : undefined;
  const unread = (marks: Found): OwnComments => ({ ...NO_COMMENTS, marks, pullRequest });
  if (!read.ok) return unread(read);
  const posted = await twiceIfUnknown(() => readComments(github.until(signal), number, read.value));
  if (!posted.ok) return unread(posted);
  const newestFirst = ownComments(posted.value, inputs.delivery.checkName, read.value.viewer).toReversed();
  const marks = marksInComments({ ...read.value, comments: posted.value }, inputs.delivery.checkName, seal);
  const heads = [...newestFirst.map(({ marker }) => marker.headSha), ...marks.map(({ headSha }) => headSha)];
  return { marks: ok(marks), heads: [...new Set(heads)], pullRequest };
}

function proven(text: string, seal: Seal, checkRun: MarkedCheckRun | undefined): readonly FoundMark[] {
  const mark = readMark(text, seal);
  return mark === undefined ? [] : [{ ...mark, checkRun }];
}

/** A check run in progress. Its mark names a scan. */
export interface OpenCheckRun extends CheckRun {
  readonly scanId: string;
  /**
   * True if only the mark of this check run names the scan. If another proven mark also names the scan, the scan may
   * belong to another run.
   */
  readonly ownsScan: boolean;
}

type Attempt = Pick<GitHubEnvironment, 'runId' | 'runAttempt'>;

/**
 * Returns the check runs with the name `checkName` that earlier attempts of this run left in progress. The mark in the
 * check run has to name this run and an earlier attempt. The most recent launch comes first. Pure.
 */
function openCheckRunsOf(
  { runId, runAttempt }: Attempt,
  marks: readonly FoundMark[],
  checkName: string,
): readonly (OpenCheckRun & { readonly mark: ScanMark })[] {
  return marks.flatMap((mark) => {
    const { scanId, checkRun } = mark;
    if (mark.runId !== runId || mark.runAttempt >= runAttempt) return [];
    if (checkRun?.name !== checkName || checkRun.completed) return [];
    const { id, url } = checkRun;
    const ownsScan = !marks.some((other) => other.scanId === scanId && other.checkRun?.id !== id);
    return [{ id, url, scanId, ownsScan, mark }];
  });
}

/**
 * Returns the newest check run that earlier attempts of this step left in progress. Pure.
 * @param isOfStep says whether this step wrote a mark; another job of the run can use the same check name
 */
export function openCheckRunOf(
  attempt: Attempt,
  marks: readonly FoundMark[],
  checkName: string,
  isOfStep: (mark: ScanMark) => boolean,
): OpenCheckRun | undefined {
  return openCheckRunsOf(attempt, marks, checkName).find(({ mark }) => isOfStep(mark));
}

/**
 * Reads the check runs with the name `checkName` that earlier attempts of this run left in progress. They can be from
 * any step of the run. Returns none on the first attempt. An attempt calls this if it ends before it reads the marks.
 */
export async function findOpenCheckRuns(
  deps: SealedAccess,
  attempt: Attempt,
  headSha: string,
  checkName: string,
): Promise<readonly OpenCheckRun[]> {
  // No mark can be proven without the token.
  if (attempt.runAttempt === 1 || deps.seal.isEmpty) return [];
  const marks = await marksOfCheckRuns(deps, headSha);
  return marks.ok ? openCheckRunsOf(attempt, marks.value, checkName) : [];
}
