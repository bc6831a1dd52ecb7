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
    cause: `${explainApiError({ ...error, operation: 'confirm the launch of the scan' }).cause} ${describeCandidates(looked)} A scan may be running, so Scangate did not launch another one.${later}`,
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
      return `The service lists a new scan, but Scangate could not match it to this run${scans}.`;
    case 'claimed':
      return `The service lists a new scan of this commit, but another run launched it${scans}.`;
    case 'marks-unreadable':
      return `The service lists a new scan of this commit, but Scangate could not read the check runs that name its run${scans}.`;
    case 'unreadable':
      return `Scangate could not read the scan list of the service${scans}.`;
    case 'unknown-before':
      return `Scangate could not read the scan list before the launch, so it could not identify new scans${scans}.`;
  }
}

/** What to do about it. */
export function recoveryHint({ projectId, headSha, subject }: PendingLaunch): string {
  const credits =
    subject?.creditBudget === undefined ? 'the reserved credits' : `up to ${subject.creditBudget} credits`;
  return `Check project \`${foreignLine(projectId)}\` in the scanning service for a scan of \`${headSha.slice(0, 12)}\`. If it is running, cancel it: it can use ${credits}.`;
}

function asCode(ids: readonly string[]): string {
  return listed(ids.map((id) => `\`${id}\``));
}
