import type { NotScanned } from '../domain/not-scanned.ts';
import { causeOf, explainGitHubError, type GitHubError } from '../github/github-error.ts';
import { accessRefused } from './access-refused.ts';
import { KNOWN_SERVES_MINUTES } from './freshness.ts';

/** @param headSha the current head of the pull request */
export function supersededByHead(headSha: string): NotScanned {
  return {
    reason: 'superseded',
    cause: `The pull request now has another head commit: \`${headSha}\`.`,
    nextStep: 'See the run for that commit.',
  };
}

/** @param baseName the current base branch of the pull request */
export function supersededByBase(baseName: string): NotScanned {
  return {
    reason: 'superseded',
    cause: `The pull request now has another base branch: ${JSON.stringify(baseName)}.`,
    nextStep:
      'See the run that started when the base branch changed. If there is none, re-run this job. The re-run uses the current base branch.',
  };
}

/** @param error why GitHub does not show the pull request; undefined if GitHub keeps showing an older state */
export function pullRequestUnreadable(error: GitHubError | undefined): NotScanned {
  const why = error === undefined ? STALE : causeOf(error);
  const cause = `Could not confirm the head and base branch of the pull request. ${why}`;
  const refused = error && accessRefused(error, cause);
  return refused ?? { reason: 'service-error', cause, nextStep: 'Re-run this job later.' };
}

/** @param baseName the base branch that GitHub does not show although the pull request is open */
export function baseBranchNotShown(baseName: string): NotScanned {
  return {
    reason: 'service-error',
    cause: `GitHub shows the pull request as open, but not its base branch ${JSON.stringify(baseName)}.`,
    nextStep:
      'Re-run this job later. If it fails again, check that the branch exists, or choose another base branch.',
  };
}

/**
 * Warns that the run uses the event or a previous read in place of GitHub's answer. @param what the source that is
 * used, for example "the event"
 */
export function describeKnownServes(error: GitHubError | undefined, what: string): string {
  return error === undefined
    ? `${STALE} Using the head and base branch of ${what} instead.`
    : `${explainGitHubError(error)} Using the head and base branch of ${what} instead, which is less than ${KNOWN_SERVES_MINUTES} minutes old.`;
}

const STALE = 'GitHub still shows an older state of the pull request.';
