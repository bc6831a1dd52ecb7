import type { Clock } from '../clock.ts';
import { err, ok, type Result } from '../domain/result.ts';
import type { ScanTarget } from '../domain/target.ts';
import { type MergeBaseFault, type MergeBaseQuestion, mergeBaseByGit } from '../git/merge-base.ts';
import type { GitHubAccess } from '../github/access.ts';
import { type CompareFault, mergeBaseByCompare } from '../github/compare.ts';
import type { GitHubEnvironment } from '../github/environment.ts';
import { explainGitHubError, type GitHubError } from '../github/github-error.ts';
import { readPastLag } from './read-lag.ts';

export interface MergeBaseDeps extends GitHubAccess {
  readonly githubToken: string;
  readonly environment: Pick<GitHubEnvironment, 'serverUrl' | 'owner' | 'repo' | 'runnerTemp'>;
  readonly clock: Clock;
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
      () => mergeBaseByCompare(github, { base: base.sha, head: headSha }, signal),
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
