import type { Clock } from '../clock.ts';
import { err, type NotScanned, ok, type Result } from '../domain/result.ts';
import type { ScanTarget } from '../domain/target.ts';
import { type MergeBaseFault, type MergeBaseQuestion, mergeBaseByGit } from '../git/merge-base.ts';
import { type CompareFault, mergeBaseByCompare } from '../github/compare.ts';
import type { GitHubEnvironment } from '../github/environment.ts';
import { causeOf, explainGitHubError, type GitHubError } from '../github/errors.ts';
import type { GitHubAccess } from '../github/octokit.ts';
import { readBranchTip } from '../github/pull-request-state.ts';
import type { Warn } from '../runner/log.ts';
import { readPastLag } from './freshness.ts';
import { accessRefused } from './superseded.ts';

/** @param why one or more sentences, which may hold foreign text */
export function noMergeBase(why: string): string {
  return `Could not compute the merge base. ${why}`;
}

/**
 * GitHub's 404 can mean that the commit does not exist, or that the token may not read the repository. So this advice
 * begins with a condition.
 */
export const IF_COMMIT_EXISTS =
  "If the commit exists, add `contents: read` to the job's `permissions` and push, or check `github-token`.";

/**
 * Explains that neither GitHub nor git could compare the commits.
 * @param error the error of GitHub's comparison; undefined if GitHub was not asked
 */
export function baseUnavailable(cause: string, error: GitHubError | undefined): NotScanned {
  const refused = error && accessRefused(error, cause);
  return (
    refused ?? {
      reason: 'service-error',
      cause,
      nextStep:
        'Re-run this job later. If it fails again, add `contents: read` to its `permissions` and push.',
    }
  );
}

export interface MergeBaseDeps extends GitHubAccess {
  readonly githubToken: string;
  readonly environment: Pick<GitHubEnvironment, 'serverUrl' | 'owner' | 'repo' | 'runnerTemp'>;
  readonly clock: Clock;
  readonly warn: Warn;
}

export interface MergeBase {
  readonly sha: string;
  /** The SHA of the commit's tree. Undefined if GitHub does not show it. */
  readonly tree?: string | undefined;
  readonly how: 'compare' | 'git';
}

export type NoMergeBase =
  | Exclude<CompareFault, { readonly kind: 'unavailable' }>
  /**
   * GitHub's comparison is not available, and git finds several merge bases. It is not known which one GitHub would
   * choose.
   */
  | { readonly kind: 'several' }
  /**
   * Neither GitHub nor git answered. `detail` is one line of foreign text. `error` is undefined if GitHub was not
   * asked.
   */
  | { readonly kind: 'unavailable'; readonly detail: string; readonly error: GitHubError | undefined };

/** What the head is compared with: a commit, or a branch whose tip is not known. */
export type Side = MergeBaseQuestion['base'];

/**
 * Finds the merge base of `base` and the target's head. Asks GitHub's comparison first, then git, which fetches the
 * full commit graph. A branch name is given only to git, because GitHub could resolve it to a tag of the same name.
 */
export async function findMergeBase(
  deps: MergeBaseDeps,
  base: Side,
  { headSha, pullRequest }: ScanTarget,
): Promise<Result<MergeBase, NoMergeBase>> {
  const { github, githubToken, environment, clock, signal } = deps;
  let error: GitHubError | undefined;
  if (base.kind === 'commit') {
    const compared = await readPastLag(
      { clock, signal },
      () => mergeBaseByCompare(github.until(signal), { base: base.sha, head: headSha }),
      // Right after a push, GitHub may not know the head or the tip of the base branch yet.
      (answer) => !answer.ok && answer.error.kind === 'unknown-commit',
    );
    if (compared.ok) return ok({ ...compared.value, how: 'compare' });
    if (compared.error.kind !== 'unavailable') return err(compared.error);
    error = compared.error.error;
  }
  const fetched = await mergeBaseByGit({
    serverUrl: environment.serverUrl,
    owner: environment.owner,
    repo: environment.repo,
    token: githubToken,
    base,
    head: headSha,
    pullRequest: pullRequest?.number,
    runnerTemp: environment.runnerTemp,
    clock,
    signal,
  });
  if (fetched.ok) return ok({ sha: fetched.value, how: 'git' });
  if (fetched.error.kind !== 'unavailable') return err({ kind: fetched.error.kind });
  if (signal.aborted) return err({ kind: 'stopped' });
  return err({ kind: 'unavailable', detail: explain(error, fetched.error), error });
}

function explain(error: GitHubError | undefined, { detail }: MergeBaseFault): string {
  const why = error === undefined ? 'Could not read the tip of the base branch.' : explainGitHubError(error);
  return `${why} Git failed, too: ${detail}.`;
}

/** The commit or branch with which the head is compared. */
export interface MeasuredFrom {
  readonly side: Side;
  /** Set if GitHub refuses to show the tip of the branch. */
  readonly refused?: NotScanned | undefined;
  /** Shown if the merge base is found. */
  readonly warning?: string;
}

/** Identifies a branch by its newest commit, or by its name if that commit is not known. */
export function branchSide(name: string, tip: string | undefined): Side {
  return tip === undefined ? { kind: 'branch', name } : { kind: 'commit', sha: tip };
}

/** Reads the newest commit of a branch, and identifies the branch as `branchSide` does. */
export async function readBranchSide(
  { github, signal }: GitHubAccess,
  branch: string,
): Promise<Result<MeasuredFrom, NotScanned>> {
  const tip = await readBranchTip(github.until(signal), branch);
  if (!tip.ok) {
    const refused = accessRefused(tip.error, noMergeBase(causeOf(tip.error)));
    return ok({ side: branchSide(branch, undefined), refused });
  }
  if (tip.value.kind === 'gone') return err(branchGone(branch));
  return ok({ side: branchSide(branch, tip.value.sha) });
}

function branchGone(branch: string): NotScanned {
  return {
    reason: 'configuration',
    cause: `The base branch ${JSON.stringify(branch)} was not found: it was deleted or renamed, or the token has no access.`,
    nextStep:
      "If the branch exists, add `contents: read` to the job's `permissions` and push. If not, choose another base branch and push.",
  };
}
