import type { NotScanned } from '../domain/not-scanned.ts';
import type { MalformedEntry } from '../domain/project.ts';
import { listed } from '../text/listed.ts';

const faultsOf = (entries: readonly MalformedEntry<unknown>[]) => listed(entries.map(({ fault }) => fault));

/**
 * Explains that the run could not choose an entry of a list, because a malformed entry may be the right one.
 * @param fix says which input to set: `Set …`, without a full stop; undefined if no input helps
 */
export function malformedCandidate(
  list: 'repositories' | 'presets',
  entries: readonly MalformedEntry<unknown>[],
  fix: string | undefined,
): NotScanned {
  return {
    reason: 'service-error',
    cause: `The service returned a malformed list of ${list}: ${faultsOf(entries)}.`,
    nextStep: `${fix === undefined ? 'Re-run' : `${fix} and push, or re-run`} this job later. If it fails again, contact the service's support.`,
  };
}

/**
 * Makes a sentence that says what is wrong with the malformed entries of a list. It ends a message about an entry that
 * was not found. Empty if all entries are well-formed.
 */
export function leftOutSentence(entries: readonly MalformedEntry<unknown>[]): string {
  return entries.length === 0 ? '' : ` Malformed entries were ignored: ${faultsOf(entries)}.`;
}
