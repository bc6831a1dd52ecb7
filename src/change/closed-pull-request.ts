import type { NotScanned } from '../domain/not-scanned.ts';
import type { ScanTarget } from '../domain/target.ts';
import { unsupportedEvent } from '../github/event-payload.ts';

/**
 * Explains why the pull request gets no verdict: it is closed, or it was closed when GitHub sent the event. Returns
 * undefined for every other target.
 *
 * The head of a closed pull request can also be the head of an open pull request with a different base. A verdict on
 * the closed pull request would prove nothing about the open one.
 */
export function refuseClosed({ pullRequest }: Pick<ScanTarget, 'pullRequest'>): NotScanned | undefined {
  switch (pullRequest?.state) {
    case 'closed':
      return closed(pullRequest.number);
    case 'reopened':
      return REOPENED;
    default:
      return undefined;
  }
}

export function closed(pullRequest: number): NotScanned {
  return {
    ...unsupportedEvent(`Pull request #${pullRequest} is closed, so it is not scanned`),
    nextStep:
      'Reopen the pull request to have it scanned. If another open pull request has this commit as its head, re-run the job of that one.',
  };
}

/** Marks the pull request of the target as closed, so that the delivery adds nothing new to the pull request. */
export function asClosed(target: ScanTarget): ScanTarget {
  const { pullRequest } = target;
  return pullRequest === undefined ? target : { ...target, pullRequest: { ...pullRequest, state: 'closed' } };
}

const REOPENED: NotScanned = {
  ...unsupportedEvent('The pull request was closed when GitHub sent this event. It is open now'),
  nextStep: 'See the run that started when the pull request was reopened. If there is none, push a commit.',
};
