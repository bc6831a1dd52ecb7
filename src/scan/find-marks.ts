import { splitState } from '../domain/comment-state.ts';
import { type FreeRerun, readFreeRerun } from '../domain/free-rerun.ts';
import type { NotScanned } from '../domain/not-scanned.ts';
import type { PullRequestCost } from '../domain/pull-request-cost.ts';
import { ok, type Result } from '../domain/result.ts';
import type { Seal } from '../domain/seal.ts';
import type { ScanTarget } from '../domain/target.ts';
import { listCheckRuns } from '../github/check-run-list.ts';
import { readComments } from '../github/comment-list.ts';
import { readHeadsMergedBy } from '../github/commit-pull-requests.ts';
import { causeOf, explainGitHubError, type GitHubError } from '../github/github-error.ts';
import type { GitHubClient } from '../github/octokit.ts';
import { ownComments, statesOfAllChecks } from '../github/own-comment.ts';
import { type PullRequestState, readPullRequestState } from '../github/pull-request-state.ts';
import type { DeliveryInputs, Inputs } from '../runner/inputs.ts';
import type { Log } from '../runner/log.ts';
import { costSoFar, followsChain, type Listed } from './pull-request-cost.ts';
import { inLaunchOrder, readMark, type ScanMark } from './scan-mark.ts';

/** A check run that carries a mark. */
export interface MarkedCheckRun {
  readonly id: number;
  readonly name: string;
  readonly url: string | undefined;
  readonly completed: boolean;
}

/** A proven mark, and where it was found. */
export type FoundMark = ScanMark & { readonly checkRun: MarkedCheckRun | undefined };

export interface MarkDeps {
  readonly github: GitHubClient;
  readonly inputs: Pick<DeliveryInputs, 'checkName' | 'comment'> & Pick<Inputs, 'reuseScan'>;
  readonly seal: Seal;
  readonly runId: number;
  readonly runAttempt: number;
  readonly signal: AbortSignal;
  readonly log: Pick<Log, 'info'>;
  /** The pull request as it was just read, with its comments; it is read where undefined. */
  readonly state?: PullRequestState | undefined;
}

/** Chosen: longer than GitHub takes to show the check run with which another job claims its scan. */
export const MARKS_SHOWN_MS = 5_000;
/** Chosen: where marks cannot be read, they are read this often in all. */
export const MOST_MARK_READS = 4;

/** Chosen: a push to a branch mostly merges one pull request. */
const MOST_MERGED = 2;
type Found = Listed<FoundMark>;

/** What earlier runs left on GitHub for a change. */
export interface EarlierMarks {
  /** The newest launch first. */
  readonly marks: readonly FoundMark[];
  /** Check runs or comments that can name a scan of the head, which an earlier run can have paid for, were not shown. */
  readonly unlisted?: GitHubError | undefined;
  /** Why nothing may be launched, whatever the marks lead to. */
  readonly noLaunch?: NotScanned | undefined;
  /** What the pull request has cost before this run; undefined for other events. */
  readonly cost?: PullRequestCost | undefined;
}

/**
 * The marks that earlier runs left for this head and older ones, whatever their check runs are called. The comment counts
 * where it is known already; else it is read, mostly by one request, where an earlier run can have seen the head, and
 * where its check runs cannot be read; on a re-run always. What cannot be read is one line in the log. For a merge group
 * the marks of its newest entry count too, and for a push those of the pull requests that it merged: their heads can have
 * the same files.
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
    ...ofOlder.flatMap(marksIn),
    ...ofOthers,
    ...marksIn(comment?.marks),
  ]);
  const noLaunch = runAttempt > 1 && comment !== undefined ? refuseLaunch(deps, comment) : undefined;
  const isWhole = followsChain(runAttempt, target.pullRequest, ofHead, ofOlder);
  const cost = number === undefined ? undefined : costSoFar(marks, number, isWhole);
  const found = { marks, noLaunch, cost };
  if (!inputs.reuseScan || marksIn(ofHead).length > 0) return found;

  if (!ofHead.ok && (isRepeat || comment?.marks.ok !== true)) {
    log.info(
      `Could not look up earlier scans in check runs. ${explainGitHubError(ofHead.error)} ${PAID_AGAIN}`,
    );
  }
  const errors = [ofHead, comment?.marks].flatMap((found) => (found?.ok === false ? [found.error] : []));
  return { ...found, unlisted: bringsNothing(runAttempt, target) ? errors.find(isPassing) : undefined };
}

/** A re-run cannot be given an input: the sweep, which must not use credits, leaves a signed entry in our comment. */
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

/** Why nothing is launched. */
export function marksUnlisted(error: GitHubError): NotScanned {
  return {
    reason: 'service-error',
    cause: `${causeOf(error)} An earlier run may have paid for a scan of this change, so no scan was launched.`,
    nextStep: 'Re-run this job. If it fails again, push a commit to have it scanned.',
  };
}

/** Another time it may be answered; a missing permission stays. */
function isPassing({ kind }: GitHubError): boolean {
  return kind === 'unreachable' || kind === 'rate-limited' || kind === 'invalid';
}

/** GitHub says that the token may not read it: another time it says the same. */
function isRefusal({ kind }: GitHubError): boolean {
  return kind === 'forbidden' || kind === 'unauthorized';
}

const NONE: Found = { ok: true, value: [] };

function marksIn(found: Found | undefined): readonly FoundMark[] {
  return found?.ok ? found.value : [];
}

/** GitHub can answer 404 once for what is there. */
async function twiceIfUnknown<T>(
  ask: () => Promise<Result<T, GitHubError>>,
): Promise<Result<T, GitHubError>> {
  const first = await ask();
  return !first.ok && first.error.kind === 'not-found' ? ask() : first;
}

/** Where all check runs cannot be listed, those of this name: the list is shorter. */
async function marksOfHead(deps: MarkDeps, headSha: string): Promise<Found> {
  const all = await twiceIfUnknown(() => marksOfCheckRuns(deps, headSha));
  if (all.ok || !isPassing(all.error)) return all;
  const named = await marksOfCheckRuns(deps, headSha, deps.inputs.checkName);
  return named.ok ? ok(named.value) : all;
}

/** Of the head before the push. Another event names none: then of the newest other head that our comment names. */
async function marksOfOlderHead(
  deps: MarkDeps,
  { pullRequest, headSha }: ScanTarget,
  comment: Promise<OwnComments> | undefined,
): Promise<readonly Found[]> {
  const older = pullRequest?.previousHead ?? (await comment)?.heads.find((head) => head !== headSha);
  if (older === undefined || older === headSha) return [];
  const shown = deps.state?.previousChecks;
  if (shown?.headSha !== older) return [await marksOfCheckRuns(deps, older)];
  const { externalIds } = shown;
  const marks = externalIds
    .flatMap((externalId) => proven(externalId, deps.seal, undefined))
    .filter((mark) => mark.headSha === older);
  return [{ ...ok(inLaunchOrder(marks)), externalIds }];
}

/**
 * The marks of one commit's check runs, the newest launch first. A mark counts only on the commit that it names.
 * @param checkName left out: those of every name
 */
export async function marksOfCheckRuns(
  { github, seal, signal }: Pick<MarkDeps, 'github' | 'seal' | 'signal'>,
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

/** Of other commits than the head. What cannot be read is as good as no mark. */
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

/** Two requests at most. */
async function marksOfEntry(deps: MarkDeps, number: number): Promise<readonly FoundMark[]> {
  const { github, signal } = deps;
  const state = await readPullRequestState(github, number, signal);
  if (!state.ok) return [];
  const ofHead = await marksOfCheckRuns(deps, state.value.headSha);
  const { comments } = state.value;
  const ofComment = comments && (await readComment({ ...deps, state: state.value }, number));
  return [...marksIn(ofHead), ...marksIn(ofComment?.marks)];
}

/** What our comments on the pull request name. */
interface OwnComments {
  readonly marks: Found;
  /** The heads that they are about, the newest comment's first. */
  readonly heads: readonly string[];
  /** Of every check. They are signed, so it does not matter who wrote the comment. */
  readonly freeReruns: readonly FreeRerun[];
}

const NO_COMMENTS: OwnComments = { marks: NONE, heads: [], freeReruns: [] };

async function readComment(
  { github, inputs, seal, runAttempt, signal, state: known }: MarkDeps,
  number: number | undefined,
): Promise<OwnComments> {
  const writesNone = inputs.comment === 'never';
  if (number === undefined || (writesNone && runAttempt === 1 && known?.comments === undefined))
    return NO_COMMENTS;
  // An entry can be there from before; that a workflow without a comment cannot read any is nothing to refuse.
  const unread = (marks: Found): OwnComments => (writesNone ? NO_COMMENTS : { ...NO_COMMENTS, marks });
  const read = known ? ok(known) : await readPullRequestState(github, number, signal);
  if (!read.ok) return unread(read);
  const posted = await twiceIfUnknown(() => readComments(github, number, read.value, signal));
  if (!posted.ok) return unread(posted);
  const freeReruns = statesOfAllChecks(posted.value).flatMap(
    (state) => readFreeRerun(splitState(state).freeRerun ?? '', { pullRequest: number }, seal) ?? [],
  );
  if (writesNone) return { ...NO_COMMENTS, freeReruns };
  const newestFirst = ownComments(posted.value, inputs.checkName, read.value.viewer).toReversed();
  const marks = newestFirst.flatMap(({ state }) => proven(splitState(state).mark ?? '', seal, undefined));
  const heads = [...newestFirst.map(({ marker }) => marker.headSha), ...marks.map(({ headSha }) => headSha)];
  return { marks: ok(marks), heads: [...new Set(heads)], freeReruns };
}

function proven(text: string, seal: Seal, checkRun: MarkedCheckRun | undefined): readonly FoundMark[] {
  const mark = readMark(text, seal);
  return mark === undefined ? [] : [{ ...mark, checkRun }];
}
