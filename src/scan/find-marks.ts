import { splitState } from '../domain/comment-state.ts';
import { ok, type Result } from '../domain/result.ts';
import type { ScanTarget } from '../domain/target.ts';
import { listCheckRuns } from '../github/check-run-list.ts';
import { readOwnComments } from '../github/comment-list.ts';
import { readHeadsMergedBy } from '../github/commit-pull-requests.ts';
import { explainGitHubError, type GitHubError } from '../github/github-error.ts';
import type { GitHubClient } from '../github/octokit.ts';
import { type PullRequestState, readPullRequestState } from '../github/pull-request-state.ts';
import type { Inputs } from '../runner/inputs.ts';
import type { Log } from '../runner/log.ts';
import { readMark, type ScanMark } from './scan-mark.ts';

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
  readonly inputs: Pick<Inputs, 'apiToken' | 'checkName' | 'comment' | 'reuseScan'>;
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

type Found = Result<readonly FoundMark[], GitHubError>;

/**
 * The marks that earlier runs left on GitHub for this head and the one before it, the newest first, whatever their
 * check runs are called. The comment counts where it is known already. Else it is read, mostly by one request, where
 * the head's check runs show no mark and an earlier run can have seen the head. What cannot be read is one line in the log.
 * For a merge group the marks of its newest entry count too, and for a push those of the pull requests that it merged:
 * their heads can have the same files.
 */
export async function findEarlierMarks(deps: MarkDeps, target: ScanTarget): Promise<readonly FoundMark[]> {
  const { inputs, log } = deps;
  const previousHead = target.pullRequest?.previousHead;
  const [ofHead, ofPrevious, ofOthers] = await Promise.all([
    inputs.reuseScan || deps.runAttempt > 1 ? marksOfCheckRuns(deps, target.headSha) : NONE,
    previousHead === undefined ? NONE : marksOfCheckRuns(deps, previousHead),
    inputs.reuseScan ? marksOfPullRequests(deps, target) : [],
  ]);
  const found = [...marksIn(ofHead), ...marksIn(ofPrevious), ...ofOthers];
  const known = deps.state?.comments !== undefined;
  const enough = marksIn(ofHead).length > 0 || (ofHead.ok && !isRepeat(deps.runAttempt, target));
  if (!inputs.reuseScan || (enough && !known)) return found;

  const ofComment = await marksOfComment(deps, target.pullRequest?.number);
  const unread = !ofHead.ok && ofComment?.ok !== true ? ofHead.error : undefined;
  if (unread !== undefined) log.info(`Could not look up earlier scans. ${explainGitHubError(unread)}`);
  return [...found, ...marksIn(ofComment)];
}

/**
 * The marks of results first, the newest first; then those of jobs that still run, the smallest check run id first:
 * the others yield to that one. Pure.
 */
export function followingOrder(marks: readonly FoundMark[]): readonly FoundMark[] {
  const running = marks
    .flatMap((mark) => (mark.checkRun?.completed === false ? { mark, rank: mark.checkRun.id } : []))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ mark }) => mark);
  return [...marks.filter((mark) => !running.includes(mark)), ...running];
}

/** An earlier run can have seen the head. */
function isRepeat(runAttempt: number, { pullRequest }: ScanTarget): boolean {
  return runAttempt > 1 || pullRequest?.headIsNew === false;
}

const NONE: Found = { ok: true, value: [] };

function marksIn(found: Found | undefined): readonly FoundMark[] {
  return found?.ok ? found.value : [];
}

/** The marks of one commit's check runs, the newest first. A mark counts only on the commit that it names. */
export async function marksOfCheckRuns(
  {
    github,
    inputs,
    signal,
  }: Pick<MarkDeps, 'github' | 'signal'> & { readonly inputs: Pick<Inputs, 'apiToken'> },
  headSha: string,
): Promise<Found> {
  const listed = await listCheckRuns(github, headSha, undefined, signal);
  if (!listed.ok) return listed;
  return ok(
    listed.value.flatMap(({ id, name, url, status, externalId }) => {
      const checkRun = { id, name, url, completed: status === 'completed' };
      return proven(externalId, inputs.apiToken, checkRun).filter((mark) => mark.headSha === headSha);
    }),
  );
}

/** The scans that proven marks on a head name; undefined: they cannot be read. */
export async function claimedScans(
  deps: Parameters<typeof marksOfCheckRuns>[0],
  headSha: string,
): Promise<ReadonlySet<string> | undefined> {
  const marks = await marksOfCheckRuns(deps, headSha);
  return marks.ok ? new Set(marks.value.map(({ scanId }) => scanId)) : undefined;
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
  const hasComments = state.value.comments !== undefined;
  const ofComment = hasComments ? await marksOfComment({ ...deps, state: state.value }, number) : undefined;
  return [...marksIn(ofHead), ...marksIn(ofComment)];
}

/** Undefined where there is no comment to look for. */
async function marksOfComment(
  { github, inputs, signal, state: known }: MarkDeps,
  number: number | undefined,
): Promise<Found | undefined> {
  if (number === undefined || inputs.comment === 'never') return undefined;
  const read = known ? ok(known) : await readPullRequestState(github, number, signal);
  if (!read.ok) return read;
  const listed = await readOwnComments(github, number, inputs.checkName, read.value, signal);
  if (!listed.ok) return listed;
  return ok(
    listed.value
      .toReversed()
      .flatMap(({ state }) => proven(splitState(state).mark ?? '', inputs.apiToken, undefined)),
  );
}

function proven(text: string, apiToken: string, checkRun: MarkedCheckRun | undefined): readonly FoundMark[] {
  const mark = readMark(text, apiToken);
  return mark === undefined ? [] : [{ ...mark, checkRun }];
}
