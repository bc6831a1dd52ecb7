import * as v from 'valibot';
import type { NotScanned } from '../domain/not-scanned.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { isCommitId, type ScanTarget } from '../domain/target.ts';
import type { GitHubError } from './github-error.ts';
import type { GitHubClient } from './octokit.ts';

/** Why GitHub's comparison gave no merge base. */
export type CompareFault =
  /** GitHub could not say; git may still tell. */
  | { readonly kind: 'unavailable'; readonly error: GitHubError }
  /** Our own signal. */
  | { readonly kind: 'stopped' }
  /** GitHub said that there is none, or that base or head is not there: asking otherwise will not help. */
  | { readonly kind: 'not-scanned'; readonly stop: NotScanned };

const CommitId = v.pipe(v.string(), v.check(isCommitId, 'not a full commit id'));
const MergeBaseAnswer = v.object({ merge_base_commit: v.optional(v.object({ sha: CommitId })) });
const FilesAnswer = v.object({ files: v.array(v.unknown()) });
const COMPARE = 'GET /repos/{owner}/{repo}/compare/{basehead}';

/**
 * The merge base of the target's base and head, in one request. It asks for the second page, because the first
 * carries up to 300 files with their patches; where that page names no merge base, the first one does.
 */
export async function mergeBaseByCompare(
  github: GitHubClient,
  target: ScanTarget,
): Promise<Result<{ readonly mergeBase: string }, CompareFault>> {
  const base = target.base.kind === 'branch' ? target.base.name : target.base.sha;
  for (const page of [2, 1]) {
    const answer = await github.ask({
      operation: "read GitHub's comparison of base and head",
      permission: 'contents: read',
      route: COMPARE,
      parameters: { basehead: `${base}...${target.headSha}`, per_page: 1, page },
      answer: MergeBaseAnswer,
    });
    if (!answer.ok) return err(await compareFault(github, target, answer.error));
    const mergeBase = answer.value.data.merge_base_commit?.sha;
    if (mergeBase !== undefined) return ok({ mergeBase });
  }
  return err({
    kind: 'unavailable',
    error: {
      kind: 'nonsense',
      operation: "read GitHub's comparison of base and head",
      permission: 'contents: read',
      status: 200,
      message: 'merge_base_commit is missing',
      mayHaveHappened: true,
    },
  });
}

/** Does GitHub's comparison list no file? An answer that shows no list of files is an error, not "empty". */
export async function comparisonIsEmpty(
  github: GitHubClient,
  base: string,
  head: string,
): Promise<Result<boolean, GitHubError>> {
  const answer = await github.ask({
    operation: 'read the files that changed',
    permission: 'contents: read',
    route: COMPARE,
    parameters: { basehead: `${base}...${head}`, per_page: 1, page: 1 },
    answer: FilesAnswer,
  });
  return answer.ok ? ok(answer.value.data.files.length === 0) : answer;
}

async function compareFault(
  github: GitHubClient,
  target: ScanTarget,
  error: GitHubError,
): Promise<CompareFault> {
  if (error.kind === 'stopped') return { kind: 'stopped' };
  if (error.kind !== 'not-found') return { kind: 'unavailable', error };
  if (/^no common ancestor/i.test(error.message)) return notScanned(NO_COMMON_ANCESTOR);
  if (target.base.kind === 'branch') {
    const branch = target.base.name;
    const answer = await github.ask({
      operation: 'read the base branch',
      permission: 'contents: read',
      route: 'GET /repos/{owner}/{repo}/git/ref/{ref}',
      parameters: { ref: `heads/${branch}` },
      answer: v.object({ ref: v.literal(`refs/heads/${branch}`) }),
    });
    if (!answer.ok && answer.error.kind === 'stopped') return { kind: 'stopped' };
    if (!answer.ok && answer.error.kind === 'not-found') return notScanned(baseBranchGone(branch));
    if (!answer.ok) return { kind: 'unavailable', error: answer.error };
  }
  return notScanned(commitUnknown(target));
}

/** Also for the way without the API: the same state deserves the same words. */
export const NO_COMMON_ANCESTOR: NotScanned = {
  reason: 'configuration',
  cause: 'The head has no common ancestor with the base branch, so there is no change to measure.',
  nextStep:
    'Rebase the pull request onto its base branch, or name the commit to measure from in `base-commit`.',
};

function baseBranchGone(branch: string): NotScanned {
  return {
    reason: 'configuration',
    cause: `GitHub shows no base branch ${JSON.stringify(branch)}: it was deleted or renamed, or the token may not read the repository.`,
    nextStep:
      "Point the pull request at a branch that exists; if it does, add `contents: read` to the job's `permissions`.",
  };
}

function commitUnknown(target: ScanTarget): NotScanned {
  const commits = target.base.kind === 'commit' ? `${target.base.sha} or ${target.headSha}` : target.headSha;
  return {
    reason: 'configuration',
    cause: `GitHub does not know the commit ${commits} in this repository: it was probably replaced by a force push.`,
    nextStep: 'Look at the run of the newest commit, or push again.',
  };
}

function notScanned(stop: NotScanned): CompareFault {
  return { kind: 'not-scanned', stop };
}
