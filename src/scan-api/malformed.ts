import type { NotScanned } from '../domain/not-scanned.ts';
import type { MalformedEntry } from '../domain/project.ts';
import { listed } from '../text/listed.ts';

const faultsOf = (entries: readonly MalformedEntry<unknown>[]) => listed(entries.map(({ fault }) => fault));

/** The list has an entry that is, or may be, the one to choose, and it cannot be used. */
export function malformedCandidate(
  list: 'repositories' | 'presets',
  entries: readonly MalformedEntry<unknown>[],
  fix: string,
): NotScanned {
  return {
    reason: 'service-error',
    cause: `The service's list of the project's ${list} is not as documented: ${faultsOf(entries)}.`,
    nextStep: `${fix}Run the job again later. If the list stays malformed, ask the support of the scanning service.`,
  };
}

/** A sentence for the case that what was looked for is not in the list; empty where the whole list is well formed. */
export function leftOutSentence(entries: readonly MalformedEntry<unknown>[]): string {
  return entries.length === 0 ? '' : ` Malformed entries of the list were left out: ${faultsOf(entries)}.`;
}
