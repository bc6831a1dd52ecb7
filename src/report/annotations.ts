import {
  ANNOTATION_TEXT_BYTES,
  ANNOTATION_TITLE_CHARACTERS,
  type CheckAnnotation,
} from '../domain/annotation.ts';
import type { Finding } from '../domain/finding.ts';
import type { SeverityLevel } from '../domain/severity.ts';
import { cutBytes, cutCharacters } from '../text/text-limit.ts';
import { visibleLine, visibleLines } from '../text/visible-text.ts';
import { severityLabel, stillFoundText } from './finding-labels.ts';
import { placeOf } from './location.ts';
import { type ListedReport, type Report, showsProof } from './report.ts';

/** Our choice. More annotations would hide the diff, and every 50 annotations take a request. */
export const MOST_ANNOTATIONS = 200;

export interface Annotations {
  readonly annotations: readonly CheckAnnotation[];
  /** The number of findings with lines, but without an annotation because of `MOST_ANNOTATIONS`. */
  readonly leftOut: number;
  /** The number of findings without lines. */
  readonly unplaced: number;
}

export const NO_ANNOTATIONS: Annotations = { annotations: [], leftOut: 0, unplaced: 0 };

/**
 * Makes annotations from the reported findings, worst first. The number of annotations, `leftOut` and `unplaced` add up
 * to all reported findings. Makes no annotations if the report may show only the labels of the findings.
 */
export function toAnnotations(report: Report): Annotations {
  if (report.disclosure === 'labels') return NO_ANNOTATIONS;
  const placed: CheckAnnotation[] = [];
  let leftOut = 0;
  let unplaced = 0;
  for (const finding of report.verdict.findings.reported) {
    const place = placeOf(finding.location);
    if (place?.lines === undefined) unplaced += 1;
    else if (placed.length === MOST_ANNOTATIONS) leftOut += 1;
    else {
      const { start, end } = place.lines;
      placed.push({ path: place.path, startLine: start, endLine: end, ...textsOf(finding, report) });
    }
  }
  return { annotations: placed, leftOut, unplaced };
}

function textsOf(finding: Finding, report: ListedReport) {
  const title = `${finding.label} ${severityLabel(finding.severity)}: ${cutCharacters(finding.title, ANNOTATION_TITLE_CHARACTERS)}`;
  const proof = showsProof(report) ? finding.proofOfConcept : undefined;
  return {
    level: levelOf(finding.severity.level),
    title: cutCharacters(visibleLine(title), ANNOTATION_TITLE_CHARACTERS),
    message: cutBytes(messageOf(finding), ANNOTATION_TEXT_BYTES),
    rawDetails:
      proof === undefined ? undefined : cutBytes(visibleLines(withinLimit(proof)), ANNOTATION_TEXT_BYTES),
  };
}

/** Cuts the text before it is escaped, because escaping a megabyte takes long. Escaping never makes a text shorter. */
function withinLimit(text: string): string {
  return cutCharacters(text, ANNOTATION_TEXT_BYTES);
}

/**
 * The message of the annotation. A finding without a description shows its title, because GitHub refuses an empty
 * message.
 */
function messageOf(finding: Finding): string {
  const { title, description, recommendedFix } = finding;
  const fix = recommendedFix === undefined ? undefined : `How to fix: ${recommendedFix}`;
  const pieces = [stillFoundText(finding), description, fix];
  const text = pieces.filter((part) => part !== undefined && part.trim() !== '').join('\n\n');
  return (
    visibleLines(withinLimit(text === '' ? title : text)) ||
    'The scanning service gives no description of this finding.'
  );
}

function levelOf(level: SeverityLevel | 'unknown'): CheckAnnotation['level'] {
  switch (level) {
    case 'unknown':
    case 'critical':
    case 'high':
      return 'failure';
    case 'medium':
      return 'warning';
    default:
      return 'notice';
  }
}
