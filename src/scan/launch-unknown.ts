import type { LaunchIntent } from '../domain/launch-intent.ts';
import type { NotScanned } from '../domain/not-scanned.ts';
import type { ApiError } from '../scan-api/api-error.ts';
import { explainApiError } from '../scan-api/explain-error.ts';
import { foreignLine } from '../scan-api/foreign-text.ts';
import { listed } from './listed.ts';
import type { Undecided } from './new-scans.ts';

/**
 * The launch may have been accepted, and looking for its scan did not settle it. Sending it again could reserve the
 * credits twice, so what is known is told instead.
 * @param bySignal a signal cut the launch or the search short
 */
export function launchUnknown(
  error: ApiError,
  intent: LaunchIntent,
  looked: Undecided & { readonly settled: boolean },
  bySignal: boolean,
): NotScanned {
  const later = looked.settled ? '' : ' It is looked for once more when the job ends.';
  return {
    reason: bySignal ? 'scan-cancelled' : 'launch-unknown',
    cause: `It is not known whether the scan was launched, so it was not launched again. ${explainApiError(error).cause} ${sighted(looked)}${later}`,
    nextStep: `${whereToLook(intent)}, then run the job again.`,
    ...(bySignal ? { bySignal } : {}),
  };
}

/** What the scan list showed of a lost launch, as a sentence. */
export function sighted({ why, ids }: Undecided): string {
  switch (why) {
    case 'none':
      return 'No new scan of this change is in the scan list of the service.';
    case 'several':
      return `Several new scans of this change are in the scan list of the service: ${asCode(ids)}.`;
    case 'cannot-tell':
      return `Whether a new scan in the scan list of the service is the one cannot be seen${inQuestion(ids)}.`;
    case 'unreadable':
      return `The scan list of the service could not be read${inQuestion(ids)}.`;
    case 'not-noted':
      return `The scan list could not be read before the launch, so that a new scan cannot be told from an older one${inQuestion(ids)}.`;
  }
}

/** What a person does about it, without the full stop. */
export function whereToLook({ projectId, headSha, wanted }: LaunchIntent): string {
  const credits =
    wanted.creditBudget === undefined ? 'the reserved credits' : `${wanted.creditBudget} credits`;
  return `Look in the scan list of the project \`${foreignLine(projectId)}\` in the service for a new scan of the commit \`${headSha.slice(0, 12)}\`: cancel it there if it runs (${credits} are at risk)`;
}

function inQuestion(ids: readonly string[]): string {
  return ids.length === 0 ? '' : `; in question: ${asCode(ids)}`;
}

function asCode(ids: readonly string[]): string {
  return listed(ids.map((id) => `\`${id}\``));
}
