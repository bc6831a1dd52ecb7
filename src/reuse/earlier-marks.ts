import { splitState } from '../domain/comment-state.ts';
import type { Result } from '../domain/result.ts';
import type { ScanTarget } from '../domain/target.ts';
import { listCheckRuns } from '../github/check-run-list.ts';
import { readOwnComments } from '../github/comment-list.ts';
import { readCommentSituation } from '../github/comment-situation.ts';
import { explainGitHubError, type GitHubError } from '../github/github-error.ts';
import type { GitHubClient } from '../github/octokit.ts';
import type { Inputs } from '../inputs.ts';
import type { Log } from '../log.ts';
import { readMark, type ScanMark } from '../scan/scan-mark.ts';

/** A scan that a run with this API token launched, and the head commit where its mark was found. */
export interface EarlierMark extends ScanMark {
  readonly headSha: string;
}

export interface MarkWorld {
  readonly github: GitHubClient;
  readonly inputs: Pick<Inputs, 'apiToken' | 'checkName' | 'comment' | 'reuseScan'>;
  readonly runAttempt: number;
  readonly log: Pick<Log, 'info'>;
}

type Found = Result<readonly EarlierMark[], GitHubError>;

/**
 * The marks that earlier runs left on GitHub, the newest first; whether a scan is of this change is not judged here.
 * One request for the check runs of the head, one more after a push for those of the head before it. The comment,
 * mostly one request, is read only where those of the head show none, and a run before this one can have seen the head.
 * What cannot be read is one line in the log. Never rejects for what GitHub says.
 */
export async function findEarlierMarks(
  world: MarkWorld,
  target: ScanTarget,
): Promise<readonly EarlierMark[]> {
  const { inputs, log } = world;
  const previousHead = target.pullRequest?.previousHead;
  const [ofHead, ofPrevious] = await Promise.all([
    inputs.reuseScan ? marksOfCheckRuns(world, target.headSha) : NONE,
    previousHead === undefined ? NONE : marksOfCheckRuns(world, previousHead),
  ]);
  const found = [...marksIn(ofHead), ...marksIn(ofPrevious)];
  const repeats = isRepeat(world.runAttempt, target);
  if (marksIn(ofHead).length > 0 || !inputs.reuseScan || (ofHead.ok && !repeats)) return found;

  const ofComment = await marksOfComment(world, target);
  const unread = !ofHead.ok && ofComment?.ok !== true ? ofHead.error : undefined;
  if (unread !== undefined)
    log.info(
      `Whether an earlier run already paid for a scan of this change is not known. ${explainGitHubError(unread)}`,
    );
  return [...found, ...marksIn(ofComment)];
}

/** A run before this one can have seen the head. */
function isRepeat(runAttempt: number, { pullRequest }: ScanTarget): boolean {
  return runAttempt > 1 || pullRequest?.headIsNew === false;
}

const NONE: Found = { ok: true, value: [] };

function marksIn(found: Found | undefined): readonly EarlierMark[] {
  return found?.ok ? found.value : [];
}

/** Those of one commit, the newest first. */
export async function marksOfCheckRuns(
  { github, inputs }: Pick<MarkWorld, 'github' | 'inputs'>,
  headSha: string,
): Promise<Found> {
  const listed = await listCheckRuns(github, headSha, inputs.checkName);
  if (!listed.ok) return listed;
  return {
    ok: true,
    value: listed.value.flatMap(({ externalId }) => proven(externalId, inputs.apiToken, headSha)),
  };
}

/** Undefined where there is no comment to look for. */
async function marksOfComment(
  { github, inputs }: MarkWorld,
  { pullRequest }: ScanTarget,
): Promise<Found | undefined> {
  if (pullRequest === undefined || inputs.comment === 'never') return undefined;
  const situation = await readCommentSituation(github, pullRequest.number);
  if (!situation.ok) return situation;
  const listed = await readOwnComments(github, pullRequest.number, inputs.checkName, situation.value);
  if (!listed.ok) return listed;
  return {
    ok: true,
    value: listed.value
      .toReversed()
      .flatMap(({ state, marker }) => proven(splitState(state).mark ?? '', inputs.apiToken, marker.headSha)),
  };
}

function proven(text: string, apiToken: string, headSha: string): readonly EarlierMark[] {
  const mark = readMark(text, apiToken);
  return mark === undefined ? [] : [{ ...mark, headSha }];
}
