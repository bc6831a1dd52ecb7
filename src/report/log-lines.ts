import type { FindingLocation } from '../domain/finding.ts';
import { type GuidanceSource, SHOWN_HASH_DIGITS } from '../domain/guidance.ts';
import type { Scan } from '../domain/scan.ts';
import type { DiffBase, ScanTarget } from '../domain/target.ts';
import { cutCharacters } from '../text/visible-text.ts';
import { evidenceLabel, severityLabel, stillFoundText } from './labels.ts';
import type { ListedReport, Report, WithheldReport } from './report.ts';

const LONGEST_TITLE = 300;
const LONGEST_PATH = 200;

/**
 * Makes one line for each reported finding, worst first. Cuts long texts. The caller escapes the lines for the log.
 */
export function findingLines(report: Report): string[] {
  return report.disclosure === 'labels' ? labelLines(report) : textLines(report);
}

function labelLines({ verdict }: WithheldReport): string[] {
  const blocking = new Set(verdict.findings.blocking);
  return verdict.findings.reported.map((finding) => {
    const gate = blocking.has(finding) ? ', blocks' : '';
    return `${severityLabel({ level: finding.level, word: '' })}: ${finding.label}${gate}`;
  });
}

function textLines({ verdict }: ListedReport): string[] {
  const blocking = new Set(verdict.findings.blocking);
  return verdict.findings.reported.map((finding) => {
    const { label, severity, title, location } = finding;
    const place = location === undefined ? 'no location' : placeText(location);
    const gate = blocking.has(finding) ? ', blocks' : '';
    const text = stillFoundText(finding);
    const still = text === undefined ? '' : `. ${text}`;
    return `${severityLabel(severity)}: ${cutCharacters(title, LONGEST_TITLE)} (${label}), ${place}, ${evidenceLabel(finding)}${gate}${still}`;
  });
}

function placeText({ path, startLine }: FindingLocation): string {
  const shown = cutCharacters(path, LONGEST_PATH);
  return startLine === undefined ? shown : `${shown}:${startLine}`;
}

/** All documented statuses are shorter. A longer status is cut. */
const LONGEST_STATUS = 40;

/**
 * Describes the result of a poll in one line. Leaves out what the service does not show, and does not estimate the time
 * left. A scan that ended early has no bar, percentage or phases. The service counts failed and skipped phases as
 * finished.
 */
export function progressOf({ status, progress }: Scan): string {
  const { phasesCompleted, phasesTotal, reservedCredits } = progress;
  const cutShort = status === 'FAILED' || status === 'CANCELLED';
  const weighted = cutShort ? undefined : progress.weighted;
  const word = cutCharacters(status, LONGEST_STATUS).toLowerCase();
  const share = cutShort ? undefined : (weighted ?? shareOf(phasesCompleted, phasesTotal));
  const pieces = [share === undefined ? word : `${word} ${barOf(share)}`];
  if (!cutShort && phasesCompleted !== undefined && phasesTotal !== undefined) {
    pieces.push(`${phasesCompleted} of ${phasesTotal} phases finished`);
  }
  if (weighted !== undefined) pieces.push(`${Math.round(weighted * 100)} % complete`);
  if (reservedCredits !== undefined) pieces.push(`${reservedCredits} credits reserved`);
  return pieces.join(', ');
}

const CELLS = 10;

/** Draws a bar. @param share from 0 to 1 */
function barOf(share: number): string {
  const full = Math.floor(Math.min(Math.max(share, 0), 1) * CELLS);
  return '█'.repeat(full) + '░'.repeat(CELLS - full);
}

function shareOf(completed: number | undefined, total: number | undefined): number | undefined {
  return completed === undefined || total === undefined || total <= 0 ? undefined : completed / total;
}

/** Formats a duration, for example `1 min 05 s`. */
export function elapsedOf(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const rest = `${seconds % 60} s`;
  return seconds < 60 ? rest : `${Math.floor(seconds / 60)} min ${rest.padStart(4, '0')}`;
}

/** Describes the target in one line for the log. */
export function describeTarget({ repository, pullRequest, headSha, base }: ScanTarget): string {
  const where = `${repository.owner}/${repository.name}`;
  switch (base.kind) {
    case 'branch':
      return `Pull request #${pullRequest?.number} of ${where}: ${headSha} onto branch ${base.name}.`;
    case 'merge-group':
      return `Merge group of ${where}: ${headSha} onto ${base.sha}, to be merged into branch ${base.branch}.`;
    case 'none':
      return `All files of ${where} at ${headSha}.`;
    case 'push':
      return `Push to branch ${base.branch} of ${where}: ${headSha} after ${base.before ?? 'no commit: the branch is new'}.`;
  }
}

/** Describes the guidance in one line for the log. Names the file, never its text. */
export function describeGuidance({ path, commitSha, characters, hash }: GuidanceSource): string {
  return `Guidance: ${path} at ${commitSha}, ${characters} characters, SHA-256 ${hash.slice(0, SHOWN_HASH_DIGITS)}.`;
}

/** Describes the base in one line for the log. */
export function describeBase({ baseSha, headSha, how }: DiffBase): string {
  if (how === 'none') return `Full scan of ${headSha}, without a base.`;
  const found = {
    input: 'set in the workflow',
    compare: 'merge base, from GitHub',
    git: 'merge base, from git',
  }[how];
  return `Change: ${baseSha}..${headSha} (base: ${found}).`;
}
