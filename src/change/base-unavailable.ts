import type { NotScanned } from '../domain/not-scanned.ts';
import type { GitHubError } from '../github/github-error.ts';
import { accessRefused } from './access-refused.ts';

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
