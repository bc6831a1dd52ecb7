import type { NotScanned } from '../domain/result.ts';
import type { PendingLaunch } from '../domain/scan.ts';
import type { ApiError } from '../scan-api/api-error.ts';
import { explainApiError } from '../scan-api/explain-error.ts';
import { foreignLine, listed } from '../text/visible-text.ts';
import { type Cancellation, describeCancellation } from './cancel.ts';
import type { NoMatch } from './match-new-scans.ts';

/** Explains in one sentence why the scan of a launch is unknown after this error. */
export function describeLost(error: ApiError): string {
  return explainApiError({ ...error, operation: 'confirm the launch of the scan' }).cause;
}

/**
 * Explains in one sentence why the scan of a launch is unknown, although the launch answer names scans.
 * @param older true if these scans are older than the launch; false if the service does not know them
 */
export function describeNamed(scanIds: readonly string[], older: boolean): string {
  const named = `${scanIds.length === 1 ? 'scan' : 'scans'} ${asCode(scanIds)}`;
  const why = older
    ? `the service answered with ${named} from before the launch.`
    : `the service answered with ${named}, which it does not know.`;
  return `Could not confirm the launch of the scan: ${why}`;
}

/**
 * Explains that a launch may have created a scan, although no scan is proven to come from it. The run ends, because a
 * second launch could reserve the credits twice.
 * @param cause one sentence that says why the scan is unknown
 * @param how `bySignal`: a signal ended the launch or the search. `isNamed`: the answer named ids, so `post` tries to
 * cancel the scan
 */
export function launchUnknown(
  cause: string,
  pending: PendingLaunch,
  looked: NoMatch & { readonly settled: boolean },
  { bySignal, isNamed }: { readonly bySignal: boolean; readonly isNamed: boolean },
): NotScanned {
  const search = looked.settled ? '' : ' The post step will look for it again.';
  const later = isNamed ? ' The post step will try to cancel it.' : search;
  return {
    reason: bySignal ? 'scan-cancelled' : 'launch-unknown',
    cause: `${cause} ${describeCandidates(looked)} A scan may be running, so Scangate did not launch another one.${later}`,
    nextStep: `${recoveryHint(pending)} Then re-run this job.`,
    ...(bySignal ? { bySignal } : {}),
  };
}

/**
 * Explains that the scan of the launch was found, but not used. The service does not show the scope of this scan, so
 * its result would prove nothing.
 */
export function launchCancelled(
  cause: string,
  scanId: string,
  cancellation: Cancellation,
  bySignal: boolean,
): NotScanned {
  const found = `The service lists one new scan of this change, ${asCode([scanId])}, but does not show all that can narrow it (audit areas, guidance, other launch fields), so Scangate does not use its result.`;
  return {
    reason: bySignal ? 'scan-cancelled' : 'launch-unknown',
    cause: `${cause} ${found} ${describeCancellation(scanId, cancellation)}`,
    nextStep:
      cancellation.kind === 'failed'
        ? `Cancel scan ${asCode([scanId])} in the scanning service. Then re-run this job.`
        : 'Re-run this job.',
    ...(bySignal ? { bySignal } : {}),
  };
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
    case 'unknown-before':
      return `Scangate could not read the scan list before the launch, so it could not identify new scans${scans}.`;
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
