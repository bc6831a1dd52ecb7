import type { NotScanned } from '../domain/not-scanned.ts';
import type { PendingLaunch } from '../domain/pending-launch.ts';
import type { ApiError } from '../scan-api/api-error.ts';
import { explainApiError } from '../scan-api/explain-error.ts';
import { foreignLine } from '../text/foreign-text.ts';
import { listed } from '../text/listed.ts';
import { type Cancellation, describeCancellation } from './cancel.ts';
import type { NoMatch } from './match-new-scans.ts';

/** Explains in a sentence why a launch that failed with this error is lost. */
export function describeLost(error: ApiError): string {
  return explainApiError({ ...error, operation: 'confirm the launch of the scan' }).cause;
}

/** The same for an answer that names scans. @param known the service knows them: it listed them before the launch */
export function describeNamed(scanIds: readonly string[], known: boolean): string {
  const named = `${scanIds.length === 1 ? 'scan' : 'scans'} ${asCode(scanIds)}`;
  const why = known
    ? `the service answered with ${named}, which it had listed before.`
    : `the service answered with ${named}, which it does not know.`;
  return `Could not confirm the launch of the scan: ${why}`;
}

/**
 * Explains a launch that may have been accepted, although no scan is proven to come from it. A second launch could
 * reserve the credits twice, so the run ends.
 * @param cause why the launch is lost, as a sentence
 * @param bySignal a signal ended the launch or the search
 */
export function launchUnknown(
  cause: string,
  pending: PendingLaunch,
  looked: NoMatch & { readonly settled: boolean },
  bySignal: boolean,
): NotScanned {
  const later = looked.settled ? '' : ' The post step will look for it again.';
  return {
    reason: bySignal ? 'scan-cancelled' : 'launch-unknown',
    cause: `${cause} ${describeCandidates(looked)} A scan may be running, so Scangate did not launch another one.${later}`,
    nextStep: `${recoveryHint(pending)} Then re-run this job.`,
    ...(bySignal ? { bySignal } : {}),
  };
}

/**
 * The scan of the launch was found, but its result proves nothing, because the service does not show whether the scan
 * was narrowed.
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

/** Describes in one sentence what the scan list shows about a launch without an answer. */
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

/** Says what the user can do. */
export function recoveryHint({ projectId, headSha, subject }: PendingLaunch): string {
  const credits =
    subject?.creditBudget === undefined ? 'the reserved credits' : `up to ${subject.creditBudget} credits`;
  return `Check project \`${foreignLine(projectId)}\` in the scanning service for a scan of \`${headSha.slice(0, 12)}\`. If it is running, cancel it: it can use ${credits}.`;
}

function asCode(ids: readonly string[]): string {
  return listed(ids.map((id) => `\`${id}\``));
}
