import type { NotScanned } from '../domain/not-scanned.ts';
import type { MalformedEntry } from '../domain/project.ts';
import { listed } from '../text/listed.ts';

const faultsOf = (entries: readonly MalformedEntry<unknown>[]) => listed(entries.map(({ fault }) => fault));

/**
 * The list has an entry that is, or may be, the one to choose, and it cannot be used.
 * @param fix an input to set in the workflow: `Set …`, without a full stop
 */
export function malformedCandidate(
  list: 'repositories' | 'presets',
  entries: readonly MalformedEntry<unknown>[],
  fix: string,
): NotScanned {
  return {
    reason: 'service-error',
    cause: `The service returned a malformed list of ${list}: ${faultsOf(entries)}.`,
    nextStep: `${fix} and push, or re-run this job later. If it fails again, contact the service's support.`,
  };
}

/** A sentence for the case that what was looked for is not in the list; empty where the whole list is well formed. */
export function leftOutSentence(entries: readonly MalformedEntry<unknown>[]): string {
  return entries.length === 0 ? '' : ` Malformed entries were ignored: ${faultsOf(entries)}.`;
}
