import type { NotScanned } from '../domain/not-scanned.ts';
import { causeOf, explainGitHubError, fixOf, type GitHubError } from '../github/github-error.ts';
import { KNOWN_SERVES_MINUTES } from './freshness.ts';

/** @param headSha the head that the pull request has now */
export function supersededByHead(headSha: string): NotScanned {
  return {
    reason: 'superseded',
    cause: `The pull request now has another head commit: \`${headSha}\`.`,
    nextStep: 'See the run for that commit.',
  };
}

/** @param baseName the base branch that the pull request has now */
export function supersededByBase(baseName: string): NotScanned {
  return {
    reason: 'superseded',
    cause: `The pull request now has another base branch: ${JSON.stringify(baseName)}.`,
    nextStep:
      'See the run that started when the base branch changed. If there is none, re-run this job. The re-run uses the current base branch.',
  };
}

/** The pull request was closed when the run began, and is open again. */
export function supersededByReopening(): NotScanned {
  return {
    reason: 'superseded',
    cause: 'The pull request was reopened while this job read an earlier scan.',
    nextStep: 'Re-run this job. The re-run uses the current base branch.',
  };
}

/** @param error why it cannot be read; undefined: GitHub keeps showing an older state */
export function pullRequestUnreadable(error: GitHubError | undefined): NotScanned {
  const why = error === undefined ? STALE : causeOf(error);
  const cause = `Could not confirm the head and base branch of the pull request. ${why}`;
  switch (error?.kind) {
    case 'forbidden':
    case 'not-found':
      return {
        reason: 'configuration',
        cause,
        nextStep:
          "Add `pull-requests: read` to the job's `permissions` and push. A re-run keeps the old permissions.",
      };
    case 'unauthorized':
      return { reason: 'configuration', cause, nextStep: fixOf(error) };
    default:
      return { reason: 'service-error', cause, nextStep: 'Re-run this job later.' };
  }
}

/** A warning. @param what serves instead: "the event" */
export function describeKnownServes(error: GitHubError | undefined, what: string): string {
  return error === undefined
    ? `${STALE} Using the head and base branch of ${what} instead.`
    : `${explainGitHubError(error)} Using the head and base branch of ${what} instead, which is less than ${KNOWN_SERVES_MINUTES} minutes old.`;
}

const STALE = 'GitHub still shows an older state of the pull request.';
