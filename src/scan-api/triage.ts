import type { Triage } from '../domain/finding.ts';
import { type Reader, word } from './lookup.ts';

/**
 * Creates a reader of the triage status of a finding.
 * @param known the statuses that we know, in upper case: those that confirm a finding, and those that do not
 */
export function triageReader(known: {
  readonly confirmed: readonly string[];
  readonly notConfirmed: readonly string[];
}): Reader<Triage> {
  return (value) => {
    const shown = word(value);
    if (shown === undefined) return undefined;
    const confirms = known.confirmed.includes(shown);
    return { word: shown, confirms: confirms || known.notConfirmed.includes(shown) ? confirms : undefined };
  };
}
