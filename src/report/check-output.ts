import { CHECK_TEXT_BYTES, CHECK_TITLE_CHARACTERS, type CheckOutput } from '../domain/check-output.ts';
import { byteLength, cutCharacters } from '../text/text-limit.ts';
import { visibleLine } from '../text/visible-text.ts';
import type { Annotations } from './annotations.ts';
import { unreadNote } from './finding-list.ts';
import { fitFindings } from './fitted-findings.ts';
import { countOf, headline, headlineLine, unlistedText } from './headline.ts';
import { BLANK_LINE, join, md, NOTHING, type SafeMarkdown, toText } from './markdown.ts';
import { readOnSection } from './read-on.ts';
import type { Report } from './report.ts';
import { leadSection, noticesSection, runSection, severityTable } from './sections.ts';
import { fitSummary } from './summary.ts';
import {
  linkToRun,
  placeOfDetails,
  placeOfMissing,
  placeOfUnlisted,
  type SummaryCoverage,
} from './summary-coverage.ts';

const NOTES_RESERVE = 500;
const LONGEST_TEXT = 4_000;

/** The headline as the title of the check run. */
export function checkTitle({ verdict, policy }: Report): string {
  // The title is plain text. It would show the backticks of code.
  const line = headlineLine(headline(verdict, policy)).replaceAll('`', '');
  return cutCharacters(visibleLine(line), CHECK_TITLE_CHARACTERS);
}

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
  ];
  return {
    title: checkTitle(report),
    summary: toText(join(summary, BLANK_LINE)),
    text: toText(listSection(report, coverage)),
  };
}

function listSection(report: Report, coverage: SummaryCoverage): SafeMarkdown {
  const budget = { limit: CHECK_TEXT_BYTES - NOTES_RESERVE, sizeOf: byteLength };
  const list = fitFindings(report, 'reported', budget, LONGEST_TEXT);
  const { leftOut, withoutDetails } = list;
  const notes = [
    withoutDetails === 0
      ? NOTHING
      : md`${countOf(withoutDetails, 'finding')} above without details, which are ${placeOfDetails(coverage)}.`,
    unreadNote(list),
    leftOut === 0
      ? NOTHING
      : md`**${countOf(leftOut, 'more finding')} did not fit here.** See the full list ${placeOfMissing(leftOut, coverage.leftOut.reported)}.`,
  ];
  return join([list.markdown, join(notes, md` `)], BLANK_LINE);
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
    unplaced === 0 ? NOTHING : md`Not annotated, because no line is known: ${countOf(unplaced, 'finding')}.`,
  ];
  return join(pieces, md` `);
}
