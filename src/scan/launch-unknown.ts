import type { NotScanned } from '../domain/not-scanned.ts';
import type { ApiError } from '../scan-api/api-error.ts';
import { explainApiError } from '../scan-api/explain-error.ts';

/**
 * The launch may have been accepted: the answer that would say so is missing or unreadable. Sending it again could
 * reserve the credits twice, so what is known is told instead.
 */
export function launchUnknown(error: ApiError, creditBudget: number | undefined): NotScanned {
  const credits = creditBudget === undefined ? 'the reserved credits' : `${creditBudget} credits`;
  const why = explainApiError(error).cause;
  const bySignal = error.kind === 'stopped' && error.by === 'signal';
  return {
    reason: bySignal ? 'scan-cancelled' : 'launch-unknown',
    cause: `It is not known whether the scan was launched, so it was not launched again. ${why}`,
    nextStep: `Look in the scan list of the service for a scan of this commit: cancel it there if it runs (${credits} are at risk), then run the job again.`,
    ...(bySignal ? { bySignal } : {}),
  };
}
