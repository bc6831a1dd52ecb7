import type { NotScanned } from '../domain/not-scanned.ts';
import type { ScanTarget } from '../domain/target.ts';
import { unsupportedEvent } from '../github/event-payload.ts';

/**
 * Why the run has no verdict, where the event is about a closed pull request: the commit may be the head of another one,
 * and a base that this one once had proves nothing about that. Undefined for an open one.
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

const REOPENED: NotScanned = {
  ...unsupportedEvent('The pull request was closed when GitHub sent this event. It is open now'),
  nextStep: 'See the run that started when the pull request was reopened. If there is none, push a commit.',
};
