import type { NotScanned } from '../domain/not-scanned.ts';
import type { PendingLaunch } from '../domain/pending-launch.ts';
import type { ApiError } from '../scan-api/api-error.ts';
import { explainApiError } from '../scan-api/explain-error.ts';
import { foreignLine } from '../text/foreign-text.ts';
import { listed } from '../text/listed.ts';
import type { NoMatch } from './match-new-scans.ts';

/**
 * The launch may have been accepted, and no scan could be proven to be its own. Sending it again could reserve the
 * credits twice, so the run ends with what is known.
 * @param bySignal a signal cut the launch or the search short
 */
export function launchUnknown(
  error: ApiError,
  pending: PendingLaunch,
  looked: NoMatch & { readonly settled: boolean },
  bySignal: boolean,
): NotScanned {
  const later = looked.settled ? '' : ' The post step will look for it again.';
  return {
    reason: bySignal ? 'scan-cancelled' : 'launch-unknown',
    cause: `Could not confirm whether the scan started, so it was not launched again. ${explainApiError(error).cause} ${describeCandidates(looked)}${later}`,
    nextStep: `${recoveryHint(pending)} Then re-run this job.`,
    ...(bySignal ? { bySignal } : {}),
  };
}

/** What the scan list showed of a launch that was not answered, in one sentence. */
export function describeCandidates({ why, ids }: NoMatch): string {
  const scans = ids.length === 0 ? '' : ` (${asCode(ids)})`;
  switch (why) {
    case 'none':
      return 'The service lists no new scan of this commit.';
    case 'several':
      return `The service lists several new scans of this commit: ${asCode(ids)}.`;
    case 'cannot-tell':
      return `The service lists a new scan, but it could not be matched to this run${scans}.`;
    case 'claimed':
      return `The service lists a new scan of this commit, but another run launched it${scans}.`;
    case 'marks-unreadable':
      return `The service lists a new scan of this commit, but the check runs that could name its run are not readable${scans}.`;
    case 'unreadable':
      return `The service's scan list could not be read${scans}.`;
    case 'unknown-before':
      return `The scan list could not be read before the launch, so new scans could not be identified${scans}.`;
  }
}

/** What to do about it. */
export function recoveryHint({ projectId, headSha, subject }: PendingLaunch): string {
  const credits =
    subject?.creditBudget === undefined ? 'the reserved credits' : `up to ${subject.creditBudget} credits`;
  return `Check project \`${foreignLine(projectId)}\` in the service for a scan of \`${headSha.slice(0, 12)}\`. Cancel it if it is running (${credits}).`;
}

function asCode(ids: readonly string[]): string {
  return listed(ids.map((id) => `\`${id}\``));
}
