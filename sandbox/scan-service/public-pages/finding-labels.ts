import { html, type Markup } from '../../markup.ts';
import type { FindingRecord } from '../state.ts';

/** The known severities, worst first. An unknown severity is sorted before all known ones. */
const LEVELS = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'];

const CLOSED = new Map([
  ['RESOLVED', 'resolved'],
  ['MITIGATED', 'mitigated'],
  ['FALSE_POSITIVE', 'a false positive'],
  ['WONT_FIX', 'will not be fixed'],
  ['DUPLICATE', 'a duplicate'],
]);

/** Returns a number for sorting. The worst severity has the smallest number. */
export function rankOf(severity: string): number {
  return LEVELS.indexOf(severity);
}

export function isOpen(finding: FindingRecord): boolean {
  return !CLOSED.has(finding.resolutionStatus);
}

export function badge(severity: string): Markup {
  return html`<span class="severity ${LEVELS.includes(severity) ? severity.toLowerCase() : ''}">${severity}</span>`;
}

export function evidenceLabel({ triageStatus, confirmationEvidence }: FindingRecord): string {
  if (triageStatus === 'PENDING') return 'not confirmed yet';
  if (triageStatus !== 'CONFIRMED') return `triage: ${triageStatus}`;
  if (confirmationEvidence === 'POC') return 'confirmed: a proof of concept ran';
  return confirmationEvidence === 'ANALYSIS' ? 'confirmed by analysis of the code' : 'confirmed';
}

export function resolutionLabel({ resolutionStatus }: FindingRecord): string {
  if (resolutionStatus === 'NOT_STARTED') return 'open';
  return resolutionStatus === 'IN_PROGRESS'
    ? 'open, being worked on'
    : (CLOSED.get(resolutionStatus) ?? resolutionStatus);
}

/** Shows a location as `path:line`, or as `path:first-last`. */
export function locationLabel(
  path: string,
  { start, end }: { readonly start: number; readonly end: number },
): Markup {
  return html`<code><bdi>${path}:${end > start ? `${start}-${end}` : start}</bdi></code>`;
}
