import type { NotScanned } from '../domain/not-scanned.ts';
import { explainGitHubError, type GitHubError } from '../github/github-error.ts';
import { KNOWN_SERVES_MINUTES } from './freshness.ts';

/** @param headSha the head that the pull request has now */
export function supersededByHead(headSha: string): NotScanned {
  return {
    reason: 'superseded',
    cause: `The pull request has another head by now: ${headSha}.`,
    nextStep: 'Look at the run of the newest commit.',
  };
}

/** @param baseName the base branch that the pull request has now */
export function supersededByBase(baseName: string): NotScanned {
  return {
    reason: 'superseded',
    cause: `The pull request has another base branch by now: ${JSON.stringify(baseName)}.`,
    nextStep:
      'Look at the run that the change of the base branch started. If there is none, run this job again: it measures from the current base branch.',
  };
}

/** The pull request was closed when the run began, and is open again. */
export function supersededByReopening(): NotScanned {
  return {
    reason: 'superseded',
    cause: 'The pull request was reopened while this run read an earlier scan.',
    nextStep: 'Re-run this job: it then measures from the current base branch.',
  };
}

/** @param error why it cannot be read; undefined: GitHub keeps showing an older state */
export function pullRequestUnreadable(error: GitHubError | undefined): NotScanned {
  const cause = `Scangate cannot confirm the head and the base branch of the pull request. ${whyUnread(error)}`;
  switch (error?.kind) {
    case 'forbidden':
    case 'not-found':
      return {
        reason: 'configuration',
        cause,
        nextStep:
          "Add `pull-requests: read` to the job's `permissions`, then push a commit. A re-run keeps the old permissions.",
      };
    case 'unauthorized':
      return { reason: 'configuration', cause, nextStep: 'Correct the input `github-token`.' };
    default:
      return { reason: 'service-error', cause, nextStep: 'Run the job again later.' };
  }
}

/** A warning. @param what serves instead: "the event" */
export function sayKnownServes(error: GitHubError | undefined, what: string): string {
  return error === undefined
    ? `${whyUnread(error)} Scangate uses the head and the base branch of ${what}.`
    : `${whyUnread(error)} Scangate uses the head and the base branch of ${what}, which is less than ${KNOWN_SERVES_MINUTES} minutes old.`;
}

function whyUnread(error: GitHubError | undefined): string {
  return error === undefined
    ? 'GitHub still shows an older state of the pull request.'
    : explainGitHubError(error);
}
