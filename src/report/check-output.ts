import {
  ANNOTATION_TEXT_BYTES,
  ANNOTATION_TITLE_CHARACTERS,
  CHECK_TEXT_BYTES,
  type CheckAnnotation,
  type CheckOutput,
} from '../domain/check-output.ts';
import type { Finding, SeverityLevel } from '../domain/finding.ts';
import { byteLength, cutBytes, cutCharacters, visibleLine, visibleLines } from '../text/visible-text.ts';
import { fitFindings } from './finding-list.ts';
import { countOf, headline, unlistedText } from './headline.ts';
import { severityLabel, stillFoundText } from './labels.ts';
import { causeWithoutLines, placeOf, readOnSection } from './links.ts';
import { BLANK_LINE, join, md, NOTHING, type SafeMarkdown, toText } from './markdown.ts';
import { type ListedReport, type Report, showsProof } from './report.ts';
import { leadSection, noteSection, noticesSection, runSection, severityTable } from './sections.ts';
import { fitSummary, linkToRun, listNotes, placeOfUnlisted, type SummaryCoverage } from './summary.ts';

/** Our choice. More annotations would hide the diff, and every 50 annotations take a request. */
export const MOST_ANNOTATIONS = 200;

export interface Annotations {
  readonly annotations: readonly CheckAnnotation[];
  /** The number of findings with lines, but without an annotation because of `MOST_ANNOTATIONS`. */
  readonly leftOut: number;
  /** The number of findings without lines, by cause. Each cause is a clause. */
  readonly unplaced: Readonly<Record<string, number>>;
}

export const NO_ANNOTATIONS: Annotations = { annotations: [], leftOut: 0, unplaced: {} };

/**
 * Makes annotations from the reported findings, worst first. The number of annotations, `leftOut` and `unplaced` add up
 * to all reported findings. Makes no annotations if the report may show only the labels of the findings.
 */
export function toAnnotations(report: Report): Annotations {
  if (report.disclosure === 'labels') return NO_ANNOTATIONS;
  const placed: CheckAnnotation[] = [];
  let leftOut = 0;
  const unplaced: Record<string, number> = {};
  for (const finding of report.verdict.findings.reported) {
    const place = placeOf(finding.location);
    if (place?.lines === undefined) {
      const cause = causeWithoutLines(finding.location);
      unplaced[cause] = (unplaced[cause] ?? 0) + 1;
    } else if (placed.length === MOST_ANNOTATIONS) leftOut += 1;
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

const NOTES_RESERVE = 500;
const LONGEST_TEXT = 4_000;

/** Renders the texts of the check run. The summary and the text have at most 65,535 bytes each. */
export function renderCheckOutput(
  report: Report,
  annotated: Annotations,
  coverage: SummaryCoverage = fitSummary(report),
): CheckOutput {
  const summary = [
    leadSection(report),
    readOnSection(report),
    severityTable(report),
    elsewhereSection(report, coverage),
    annotationsSection(annotated),
    noticesSection(report),
    runSection(report),
    noteSection(report),
  ];
  return {
    title: headline(report).text,
    summary: toText(join(summary, BLANK_LINE)),
    text: toText(listSection(report, coverage)),
  };
}

function listSection(report: Report, coverage: SummaryCoverage): SafeMarkdown {
  const budget = { limit: CHECK_TEXT_BYTES - NOTES_RESERVE, sizeOf: byteLength };
  const list = fitFindings(report, 'reported', budget, LONGEST_TEXT);
  return join([list.markdown, listNotes(list, coverage)], BLANK_LINE);
}

/** Says where readers find the findings that are not reported. */
function elsewhereSection(report: Report, coverage: SummaryCoverage): SafeMarkdown {
  const text = unlistedText(report);
  if (text === undefined) return NOTHING;
  return md`${text}: listed ${linkToRun(placeOfUnlisted(report, coverage), report)}.`;
}

function annotationsSection({ leftOut, unplaced }: Annotations): SafeMarkdown {
  const pieces = [
    leftOut === 0 ? NOTHING : md`Not annotated: the ${countOf(leftOut, 'least severe finding')}.`,
    ...Object.entries(unplaced).map(
      ([cause, count]) => md`Not annotated, because ${cause}: ${countOf(count, 'finding')}.`,
    ),
  ];
  return join(pieces, md` `);
}
