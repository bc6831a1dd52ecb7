import { evidenceWords, severityWord } from './finding-words.ts';
import type { Report } from './report.ts';

/** The reported findings for the log, worst first, one line each. Not yet escaped for the log. */
export function findingLines({ verdict }: Report): string[] {
  const blocking = new Set(verdict.findings.blocking);
  return verdict.findings.reported.map((finding) => {
    const { label, severity, title, location } = finding;
    const place = location === undefined ? 'no place given' : placeText(location);
    const gate = blocking.has(finding) ? ', blocks' : '';
    return `${severityWord(severity)}: ${title} (${label}), ${place}, ${evidenceWords(finding)}${gate}`;
  });
}

function placeText({
  path,
  startLine,
}: {
  readonly path: string;
  readonly startLine: number | undefined;
}): string {
  return startLine === undefined ? path : `${path}:${startLine}`;
}
