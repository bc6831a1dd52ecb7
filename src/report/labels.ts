import { CLOSING_STATUSES, type Finding, isStillFound, type Severity } from '../domain/finding.ts';
import type { Reason } from '../domain/result.ts';
import { cutCharacters } from '../text/visible-text.ts';

/** All documented severities and statuses are shorter. Longer texts are cut. */
const LONGEST_WORD = 40;

/**
 * Returns `Critical`, `High` and so on. For an unknown severity, returns `Unknown severity` and the word of the
 * service, which is foreign text.
 */
export function severityLabel({ level, word }: Severity): string {
  if (level !== 'unknown') return level.charAt(0).toUpperCase() + level.slice(1);
  return word.trim() === '' ? 'Unknown severity' : `Unknown severity ${cutCharacters(word, LONGEST_WORD)}`;
}

/**
 * Describes the evidence for the finding. Shows unknown words of the service in lower case, and cuts long ones. The
 * result is plain text, which the caller has to escape.
 */
export function evidenceLabel({ triage, evidence }: Finding): string {
  if (triage === undefined) return 'evidence not shown';
  if (triage.word === 'PENDING') return 'not confirmed yet';
  if (triage.confirms !== true) return `triage: ${cutCharacters(triage.word, LONGEST_WORD).toLowerCase()}`;
  if (evidence === 'POC') return 'proven by a running exploit';
  if (evidence === 'ANALYSIS') return 'confirmed by analysis';
  if (evidence === null || evidence === undefined) return 'confirmed';
  return `confirmed: ${cutCharacters(evidence, LONGEST_WORD).toLowerCase()}`;
}

/** Says how triage closed the finding; undefined if the finding is open. */
export function resolutionLabel({ resolution }: Finding): string | undefined {
  return resolution === undefined ? undefined : CLOSING_STATUSES.get(resolution);
}

/** Lists the statuses that can close a finding, for a sentence: `FALSE_POSITIVE, WONT_FIX, … or DUPLICATE`. */
export function closingChoice(written: (status: string) => string = (status) => status): string {
  const choices = [...CLOSING_STATUSES.keys()].map(written);
  return `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
}

/** Explains why a `RESOLVED` finding is open, and what to do. Returns plain text; undefined for all other findings. */
export function stillFoundText(finding: Finding): string | undefined {
  return isStillFound(finding)
    ? `This scan still reports the finding, although it is marked RESOLVED. Push the fix, or close the finding as ${closingChoice()} in the scanning service.`
    : undefined;
}

/** Headings that say why nothing was scanned. The cause below the heading gives the details. */
export const REASON_LABELS: Readonly<Record<Reason, string>> = {
  'missing-token': 'GitHub did not pass the API token',
  'untrusted-fork': 'untrusted fork',
  'insufficient-credits': 'not enough credits',
  'rate-limited': 'rate limit or spend limit reached',
  initializing: 'the repository is still initializing',
  timeout: 'timed out',
  'scan-failed': 'scan failed',
  'scan-cancelled': 'cancelled',
  'launch-unknown': 'launch not confirmed',
  'service-error': 'service error',
  superseded: 'outdated run',
  'unsupported-event': 'unsupported event',
  paths: 'only files that need no scan',
  configuration: 'configuration error',
};
