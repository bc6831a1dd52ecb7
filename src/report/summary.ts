import type { NotScanned } from '../domain/not-scanned.ts';
import { byteLength } from '../text/text-limit.ts';
import { withCode } from './code-spans.ts';
import { findingBlocks } from './finding-block.ts';
import { fitFindings } from './finding-list.ts';
import { countOf } from './headline.ts';
import { BLANK_LINE, join, md, NOTHING, type SafeMarkdown, toText } from './markdown.ts';
import type { Report } from './report.ts';
import { headingSection, leadSection, noticesSection, scanSection, severityTable } from './sections.ts';

/** GitHub refuses a job summary of more than 1 MiB; other steps write into the same file. */
export const SUMMARY_LIMIT_BYTES = 900_000;
const ROOM_FOR_NOTES = 2_000;
/** GitHub shows one text of a finding in full up to this length; a longer one is no explanation any more. */
const LONGEST_TEXT = 64 * 1024;

/** The job summary: everything, at most `SUMMARY_LIMIT_BYTES` bytes, counting what was left out. */
export function renderSummary(report: Report): string {
  const { reported, below, triaged } = report.verdict.findings;
  const top = [headingSection(report), leadSection(report), severityTable(report)];
  const bottom = [noticesSection(report), scanSection(report)];
  let room = SUMMARY_LIMIT_BYTES - ROOM_FOR_NOTES - byteLength(toText(join([...top, ...bottom], BLANK_LINE)));
  const group = (heading: SafeMarkdown, findings: typeof reported) => {
    if (findings.length === 0) return NOTHING;
    const list = fitFindings(findingBlocks(findings, report), { room, sizeOf: byteLength }, LONGEST_TEXT);
    room -= list.size;
    return join([heading, list.markdown, cutNote(list.leftOut, list.withoutDetails)], BLANK_LINE);
  };
  const groups = [
    group(md`### Reported`, reported),
    group(md`### Below ${report.policy.severityThreshold}`, below),
    group(md`### Closed by triage in the scanning service`, triaged),
  ];
  return `${toText(join([...top, ...groups, ...bottom], BLANK_LINE))}\n`;
}

/** The job summary of a run that could not begin, about which nothing else is known. */
export function renderStop({ cause, nextStep }: NotScanned): string {
  return `${toText(md`## ⚠️ Not scanned\n\n**Why:** ${withCode(cause)}\n\n**Next step:** ${withCode(nextStep)}`)}\n`;
}

function cutNote(leftOut: number, withoutDetails: number): SafeMarkdown {
  const parts = [
    withoutDetails === 0 ? NOTHING : md`${countOf(withoutDetails, 'finding')} above without details.`,
    leftOut === 0 ? NOTHING : md`**${countOf(leftOut, 'more finding')} did not fit here**.`,
  ];
  const said = join(parts, md` `);
  return said === NOTHING || toText(said) === ''
    ? NOTHING
    : md`${said} All of them can be read in the scanning service.`;
}
