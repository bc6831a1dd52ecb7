import type { NotScanned } from '../domain/result.ts';
import type { ScanTarget } from '../domain/target.ts';
import { causeOf, explainGitHubError, fixOf, type GitHubError, lacksPermission } from '../github/errors.ts';
import { unsupportedEvent } from '../github/event.ts';
import { KNOWN_SERVES_MINUTES } from './freshness.ts';

/**
 * Explains that GitHub refused a request because the setup is wrong. Undefined if a retry could succeed.
 * @param cause a sentence, which may hold foreign text
 */
export function accessRefused(error: GitHubError, cause: string): NotScanned | undefined {
  switch (error.kind) {
    case 'forbidden':
    case 'not-found':
      if (error.kind === 'forbidden' && !lacksPermission(error)) break;
      return {
        reason: 'configuration',
        cause,
        nextStep: `Add \`${error.permission}\` to the job's \`permissions\` and push. A re-run keeps the old permissions. If the workflow sets \`github-token\`, that token needs the permission instead.`,
      };
    case 'unauthorized':
      break;
    default:
      return undefined;
  }
  return { reason: 'configuration', cause, nextStep: fixOf(error) };
}

/**
 * Explains why the pull request gets no verdict: it is closed, or it was closed when GitHub sent the event. Returns
 * undefined for every other target.
 *
 * The head of a closed pull request can also be the head of an open pull request with a different base. A verdict on
 * the closed pull request would prove nothing about the open one.
 */
export function refuseClosed({ pullRequest }: ScanTarget): NotScanned | undefined {
  if (pullRequest?.state === 'closed') return closed(pullRequest.number);
  return pullRequest?.state === 'reopened' ? REOPENED : undefined;
}

export function closed(pullRequest: number): NotScanned {
  return {
    ...unsupportedEvent(`Pull request #${pullRequest} is closed, so it is not scanned`),
    nextStep:
      'Reopen the pull request to have it scanned. If another open pull request has this commit as its head, re-run the job of that one.',
  };
}

const REOPENED: NotScanned = {
  ...unsupportedEvent('The pull request was closed when GitHub sent this event. It is open now'),
  nextStep: 'See the run that started when the pull request was reopened. If there is none, push a commit.',
};

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
