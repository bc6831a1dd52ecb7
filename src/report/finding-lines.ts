import { cutCharacters } from '../text/text-limit.ts';
import { evidenceLabel, severityLabel, stillFoundText } from './finding-labels.ts';
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

function placeText({
  path,
  startLine,
}: {
  readonly path: string;
  readonly startLine: number | undefined;
}): string {
  const shown = cutCharacters(path, LONGEST_PATH);
  return startLine === undefined ? shown : `${shown}:${startLine}`;
}
