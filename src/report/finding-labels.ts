import { CLOSING_STATUSES, type Finding, isStillFound } from '../domain/finding.ts';
import type { Severity } from '../domain/severity.ts';
import { cutCharacters } from '../text/text-limit.ts';

/** The service's values are short. A longer one is cut. */
const LONGEST_WORD = 40;

/** `Critical`, `High`, …; an unknown word as the service wrote it. Plain text, foreign where it is unknown. */
export function severityLabel({ level, word }: Severity): string {
  if (level !== 'unknown') return level.charAt(0).toUpperCase() + level.slice(1);
  return word.trim() === '' ? 'Unknown severity' : `Unknown severity ${cutCharacters(word, LONGEST_WORD)}`;
}

/** What backs the finding. Plain text, foreign where the word is unknown. */
export function evidenceLabel({ triage, evidence }: Finding): string {
  if (triage === undefined) return 'evidence not shown';
  if (triage.word === 'PENDING') return 'triage pending';
  if (triage.confirms !== true) return `triage: ${cutCharacters(triage.word, LONGEST_WORD).toLowerCase()}`;
  if (evidence === 'POC') return 'proof of concept ran';
  if (evidence === 'ANALYSIS') return 'confirmed by analysis';
  if (evidence === null || evidence === undefined) return 'confirmed';
  return `confirmed: ${cutCharacters(evidence, LONGEST_WORD).toLowerCase()}`;
}

/** How triage in the service closed the finding; undefined while it is open. */
export function resolutionLabel({ resolution }: Finding): string | undefined {
  return resolution === undefined ? undefined : CLOSING_STATUSES.get(resolution);
}

/** The statuses that close a finding, as a choice: `FALSE_POSITIVE, WONT_FIX, … or DUPLICATE`. */
export function closingChoice(written: (status: string) => string = (status) => status): string {
  const choices = [...CLOSING_STATUSES.keys()].map(written);
  return `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
}

/** Why a finding that is marked `RESOLVED` is open, and what to do; undefined for all others. Plain text. */
export function stillFoundText(finding: Finding): string | undefined {
  return isStillFound(finding)
    ? `This scan still reports the finding, although it is marked RESOLVED. Push the fix, or close the finding as ${closingChoice()} in the scanning service.`
    : undefined;
}
