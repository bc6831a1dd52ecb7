import type { NotScanned } from '../domain/not-scanned.ts';
import { byteLength } from '../text/text-limit.ts';
import { renderCodeSpans } from './code-spans.ts';
import { type FittedList, unreadNote } from './finding-list.ts';
import { fitFindings } from './fitted-findings.ts';
import type { GroupedFinding } from './grouped-findings.ts';
import { countOf } from './headline.ts';
import { BLANK_LINE, join, md, NOTHING, type SafeMarkdown, toText } from './markdown.ts';
import { readOnSection } from './read-on.ts';
import type { Report } from './report.ts';
import { headingSection, leadSection, noticesSection, runSection, severityTable } from './sections.ts';
import type { SummaryCoverage } from './summary-coverage.ts';

/** Our choice. GitHub refuses a job summary of more than 1 MiB. Other steps of the job write to the same file. */
export const SUMMARY_LIMIT_BYTES = 900_000;
/** The bytes reserved for everything except the lists of findings, for example for warnings. */
const AROUND_RESERVE = 30_000;
/** The summary shows at most this many characters of each text of a finding. */
const LONGEST_TEXT = 64 * 1024;

/** The lists of findings that fit into the job summary. */
export interface SummaryLists extends SummaryCoverage {
  readonly markdown: SafeMarkdown;
}

/**
 * Fits the findings into the job summary. The result depends only on the findings, because other outputs need it before
 * the summary is complete.
 */
export function fitSummary(report: Report): SummaryLists {
  let limit = SUMMARY_LIMIT_BYTES - AROUND_RESERVE;
  const listGroup = (group: GroupedFinding['group'], heading: SafeMarkdown) => {
    if (report.verdict.findings[group].length === 0) {
      return { markdown: NOTHING, leftOut: 0, withoutDetails: 0 };
    }
    const list = fitFindings(report, group, { limit, sizeOf: byteLength }, LONGEST_TEXT);
    limit -= list.size;
    const { leftOut, withoutDetails } = list;
    return {
      leftOut,
      withoutDetails,
      markdown: join([heading, list.markdown, cutNote(list), unreadNote(list)], BLANK_LINE),
    };
  };
  const groups = {
    reported: listGroup('reported', md`### Reported`),
    below: listGroup('below', md`### Below ${report.policy.severityThreshold}`),
    exempt: listGroup('exempt', md`### Exempt by path`),
    triaged: listGroup('triaged', md`### Closed by triage in the scanning service`),
  };
  return {
    markdown: join(
      Object.values(groups).map(({ markdown }) => markdown),
      BLANK_LINE,
    ),
    leftOut: {
      reported: groups.reported.leftOut,
      below: groups.below.leftOut,
      exempt: groups.exempt.leftOut,
      triaged: groups.triaged.leftOut,
    },
    withoutDetails: groups.reported.withoutDetails,
  };
}

/** Renders the job summary in at most `SUMMARY_LIMIT_BYTES` bytes. Says how many findings are left out. */
export function renderSummary(report: Report, lists: SummaryLists = fitSummary(report)): string {
  const top = [headingSection(report), leadSection(report), readOnSection(report), severityTable(report)];
  const bottom = [noticesSection(report), runSection(report)];
  return `${toText(join([...top, lists.markdown, ...bottom], BLANK_LINE))}\n`;
}

/** Renders the job summary of a run that could not begin. Its only content is the reason. */
export function renderStop({ cause, nextStep }: NotScanned): string {
  return `${toText(md`## ⚠️ Not scanned\n\n**Why:** ${renderCodeSpans(cause)}\n\n**Next step:** ${renderCodeSpans(nextStep)}`)}\n`;
}

function cutNote({ leftOut, withoutDetails }: FittedList): SafeMarkdown {
  const pieces = [
    withoutDetails === 0 ? NOTHING : md`${countOf(withoutDetails, 'finding')} above without details.`,
    leftOut === 0 ? NOTHING : md`**${countOf(leftOut, 'more finding')} did not fit here.**`,
  ];
  if (pieces.every((part) => part === NOTHING)) return NOTHING;
  return md`${join(pieces, md` `)} See the scanning service for all of them.`;
}
