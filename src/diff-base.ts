import type { Clock } from './clock.ts';
import type { NotScanned } from './domain/not-scanned.ts';
import { err, ok, type Result } from './domain/result.ts';
import { explainStop, stopCause } from './domain/stop.ts';
import type { DiffBase, ScanTarget } from './domain/target.ts';
import { mergeBaseByGit } from './git/merge-base.ts';
import { mergeBaseByCompare, NO_COMMON_ANCESTOR } from './github/compare.ts';
import type { GitHubEnvironment } from './github/environment.ts';
import { explainGitHubError } from './github/github-error.ts';
import type { GitHubClient } from './github/octokit.ts';

export interface DiffBaseWorld {
  readonly github: GitHubClient;
  readonly githubToken: string;
  readonly environment: GitHubEnvironment;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * The commit from which the target's change is measured: the input if given, else the true merge base, by GitHub's
 * comparison, else by git on the full commit graph. Never a guess: what cannot be known is a stop.
 * @param given the input `base-commit`
 */
export async function findDiffBase(
  world: DiffBaseWorld,
  target: ScanTarget,
  given: string | undefined,
): Promise<Result<DiffBase, NotScanned>> {
  const headCommit = target.headSha;
  if (given !== undefined) return ok({ baseCommit: given, headCommit, how: 'input' });

  const compared = await mergeBaseByCompare(world.github, target);
  if (compared.ok) return ok({ baseCommit: compared.value.mergeBase, headCommit, how: 'compare' });
  if (compared.error.kind === 'not-scanned') return err(compared.error.stop);
  if (compared.error.kind === 'stopped') return err(nothingLaunched(world.signal));

  const fetched = await mergeBaseByGit({
    serverUrl: world.environment.serverUrl,
    owner: world.environment.owner,
    repo: world.environment.repo,
    token: world.githubToken,
    base: target.base,
    head: headCommit,
    pullRequest: target.pullRequest?.number,
    runnerTemp: world.environment.runnerTemp,
    clock: world.clock,
    signal: world.signal,
  });
  if (fetched.ok) return ok({ baseCommit: fetched.value, headCommit, how: 'git' });
  switch (fetched.error.kind) {
    case 'no-common-ancestor':
      return err(NO_COMMON_ANCESTOR);
    case 'several':
      return err({
        reason: 'configuration',
        cause:
          'Base and head have several merge bases, and GitHub, whose choice counts, could not be asked for it.',
        nextStep:
          'Run again, merge the base branch into the pull request, or name the commit in `base-commit`.',
      });
    case 'unavailable':
      if (world.signal.aborted) return err(nothingLaunched(world.signal));
      return err({
        reason: 'service-error',
        cause: `The merge base could not be computed. ${explainGitHubError(compared.error.error)} Git did not help either: ${fetched.error.detail}`,
        nextStep:
          'Run again later; if it stays so, grant `contents: read`, or name the commit in `base-commit`.',
      });
  }
}

function nothingLaunched(signal: AbortSignal): NotScanned {
  return explainStop(stopCause(signal) ?? 'signal', 'nothing was launched');
}
