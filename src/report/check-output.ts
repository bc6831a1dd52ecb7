import { CHECK_TEXT_BYTES, CHECK_TITLE_CHARACTERS, type CheckOutput } from '../domain/check-output.ts';
import { byteLength, cutCharacters } from '../text/text-limit.ts';
import { visibleLine } from '../text/visible-text.ts';
import type { Annotations } from './annotations.ts';
import { findingBlocks } from './finding-block.ts';
import { fitFindings } from './finding-list.ts';
import { countOf, headline, headlineLine, unlistedWords } from './headline.ts';
import { allowedLinks } from './links.ts';
import { BLANK_LINE, join, link, md, NOTHING, type SafeMarkdown, toText } from './markdown.ts';
import type { Report } from './report.ts';
import { leadSection, noticesSection, scanSection, severityTable } from './sections.ts';

const ROOM_FOR_NOTES = 500;
const LONGEST_TEXT = 4_000;

/** The headline, as the title of the check run. */
export function checkTitle({ verdict, policy }: Report): string {
  // A title is plain text, where a code span would show its backticks.
  const line = headlineLine(headline(verdict, policy)).replaceAll('`', '');
  return cutCharacters(visibleLine(line), CHECK_TITLE_CHARACTERS);
}

/** What the check run shows: summary and text of at most 65,535 bytes each. */
export function renderCheckOutput(report: Report, annotated: Annotations): CheckOutput {
  const summary = [
    leadSection(report),
    severityTable(report),
    elsewhereSection(report),
    annotationsSection(annotated),
    noticesSection(report),
    scanSection(report),
  ];
  return {
    title: checkTitle(report),
    summary: toText(join(summary, BLANK_LINE)),
    text: toText(listSection(report)),
  };
}

function listSection(report: Report): SafeMarkdown {
  const { reported } = report.verdict.findings;
  const budget = { room: CHECK_TEXT_BYTES - ROOM_FOR_NOTES, sizeOf: byteLength };
  const list = fitFindings(findingBlocks(reported, report), budget, LONGEST_TEXT);
  const { leftOut, withoutDetails } = list;
  const notes = [
    withoutDetails === 0
      ? NOTHING
      : md`${countOf(withoutDetails, 'finding')} above without the details, which are in the job summary.`,
    leftOut === 0
      ? NOTHING
      : md`**${countOf(leftOut, 'more finding')} did not fit here** and can be read in the job summary.`,
  ];
  return join([list.markdown, join(notes, md` `)], BLANK_LINE);
}

/** What the table counts, or triage closed, and the list below does not hold. */
function elsewhereSection(report: Report): SafeMarkdown {
  const words = unlistedWords(report);
  if (words === undefined) return NOTHING;
  const where = link('job summary', report.runUrl, allowedLinks(report));
  return md`${words} can be read in the ${where}.`;
}

function annotationsSection({ leftOut, unplaced }: Annotations): SafeMarkdown {
  const parts = [
    leftOut === 0 ? NOTHING : md`The ${countOf(leftOut, 'least severe finding')} got no annotation.`,
    unplaced === 0 ? NOTHING : md`${countOf(unplaced, 'finding')} named no line that could be annotated.`,
  ];
  return join(parts, md` `);
}
