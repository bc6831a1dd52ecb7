import type { NotScanned } from '../domain/result.ts';
import type { PendingLaunch } from '../domain/scan.ts';
import type { ApiError } from '../scan-api/api-error.ts';
import { explainApiError } from '../scan-api/explain-error.ts';
import { foreignLine, listed } from '../text/visible-text.ts';
import { describeCancellation } from './cancel.ts';
import type { LostLaunch } from './lost-launch.ts';
import type { NoMatch } from './new-scans.ts';

/** Explains in one sentence why the scan of a launch is unknown after this error. */
export function describeLost(error: ApiError): string {
  return explainApiError({ ...error, operation: 'confirm the launch of the scan' }).cause;
}

/** Explains in one sentence that the service does not know the scan that its launch answer named. */
export function describeUnknown(scanId: string): string {
  return `Could not confirm the launch of the scan: the service answered with scan ${asCode([scanId])}, which it does not know.`;
}

/** Explains that the launch answer named a scan that may be older than the launch, so the run does not use it. */
export function notOfLaunch(scanId: string, pending: PendingLaunch): NotScanned {
  return {
    reason: 'launch-unknown',
    cause: `The service answered the launch with scan ${asCode([scanId])}, and nothing proves that this launch created it. Scangate neither uses nor cancels it.`,
    nextStep: `${recoveryHint(pending)} Then re-run this job.`,
  };
}

/**
 * Explains that the answer to a launch was lost, and what the run knows about the scan of this launch.
 * @param cause one sentence that says why the scan is unknown
 * @param bySignal true if a signal ended the launch or the search
 */
export function launchUnknown(
  cause: string,
  pending: PendingLaunch,
  lost: LostLaunch,
  bySignal: boolean,
): NotScanned {
  const reason = bySignal ? 'scan-cancelled' : 'launch-unknown';
  const signalled = bySignal ? { bySignal } : {};
  switch (lost.kind) {
    case 'cancelled':
      return {
        reason,
        cause: `${cause} ${describeCancellation(lost.scanId, lost)}`,
        nextStep: 'Re-run this job.',
        ...signalled,
      };
    case 'not-cancelled': {
      const { scanId, cancellation } = lost;
      const isRunning = cancellation.kind === 'failed';
      return {
        reason,
        cause: `${cause} ${describeCancellation(scanId, cancellation)}`,
        nextStep: `${isRunning ? `Cancel scan ${asCode([scanId])} in the scanning service. Then re-run` : 'Re-run'} this job.`,
        ...signalled,
      };
    }
    case 'no-match': {
      const later = lost.why === 'not-sought' ? '' : ' The post step will look for it again.';
      return {
        reason,
        cause: `${cause} ${describeCandidates(lost)} A scan may be running, so Scangate did not launch another one.${later}`,
        nextStep: `${recoveryHint(pending)} Then re-run this job.`,
        ...signalled,
      };
    }
  }
}

/** Says in one sentence what the scan list shows about a launch whose answer was lost. */
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
    case 'not-sought':
      return 'Scangate looks only for a diff scan whose launch was saved in full.';
  }
}

/** Says how the user can find the scan that the launch may have created. */
export function recoveryHint({ projectId, headSha, subject }: PendingLaunch): string {
  const credits =
    subject?.creditBudget === undefined ? 'the reserved credits' : `up to ${subject.creditBudget} credits`;
  return `Check project \`${foreignLine(projectId)}\` in the scanning service for a scan of \`${headSha.slice(0, 12)}\`. If it is running, cancel it: it can use ${credits}.`;
}

function asCode(ids: readonly string[]): string {
  return listed(ids.map((id) => `\`${id}\``));
}
