import type { NotScanned } from '../domain/result.ts';
import { byteLength } from '../text/visible-text.ts';
import { type FittedList, fitFindings, type GroupedFinding, unreadNote } from './finding-list.ts';
import { countOf } from './headline.ts';
import { allowedLinks, checksUrl, readOnSection } from './links.ts';
import { BLANK_LINE, join, link, md, NOTHING, type SafeMarkdown, toText } from './markdown.ts';
import { renderCodeSpans } from './prose.ts';
import type { Report } from './report.ts';
import {
  headingSection,
  leadSection,
  noteSection,
  noticesSection,
  runSection,
  severityTable,
} from './sections.ts';

/** What the job summary leaves out. It leaves out the last findings of each group. */
export interface SummaryCoverage {
  readonly leftOut: Readonly<Record<GroupedFinding['group'], number>>;
  /** The number of listed findings whose details were read, but did not fit. */
  readonly withoutDetails: number;
}

/** The coverage of a job summary that could not be written. */
export function coversNothing({ verdict }: Report): SummaryCoverage {
  const { reported, below, exempt, triaged } = verdict.findings;
  return {
    leftOut: {
      reported: reported.length,
      below: below.length,
      exempt: exempt.length,
      triaged: triaged.length,
    },
    withoutDetails: 0,
  };
}

/**
 * Says where readers find findings that the comment or the check run leaves out, for example `in the job summary`.
 * @param missing the number of findings of one group that are left out; they are the last ones of the group
 * @param leftOut the number of findings of this group that the job summary leaves out
 */
export function placeOfMissing(missing: number, leftOut: number): string {
  if (leftOut === 0) return 'in the job summary';
  if (leftOut >= missing) return 'in the scanning service';
  return `in the scanning service, ${missing - leftOut} of them also in the job summary`;
}

/** Says where readers find all findings that are not reported. */
export function placeOfUnlisted({ verdict }: Report, { leftOut }: SummaryCoverage): string {
  const { below, exempt, triaged } = verdict.findings;
  const missing = below.length + exempt.length + triaged.length;
  return placeOfMissing(missing, leftOut.below + leftOut.exempt + leftOut.triaged);
}

/**
 * Says what a list of reported findings in the comment or the check run leaves out, and where readers find it.
 * @param show renders the place, for example as a link
 */
export function listNotes(
  list: FittedList,
  coverage: SummaryCoverage,
  show: (place: string) => SafeMarkdown = (place) => md`${place}`,
): SafeMarkdown {
  const { leftOut, withoutDetails } = list;
  const pieces = [
    withoutDetails === 0
      ? NOTHING
      : md`${countOf(withoutDetails, 'finding')} above without details, which are ${show(placeOfDetails(coverage))}.`,
    unreadNote(list),
    leftOut === 0
      ? NOTHING
      : md`**${countOf(leftOut, 'more finding')} did not fit here.** See the full list ${show(placeOfMissing(leftOut, coverage.leftOut.reported))}.`,
  ];
  return join(pieces, md` `);
}

/** Says where readers find details that the comment or the check run leaves out. */
function placeOfDetails({ leftOut, withoutDetails }: SummaryCoverage): string {
  return leftOut.reported === 0 && withoutDetails === 0 ? 'in the job summary' : 'in the scanning service';
}

/**
 * Makes `place` a link if it names the job summary. The link leads to the checks of the pull request, which link to the
 * job summary. A link to the run would change the comment on every attempt.
 */
export function linkToChecks(place: string, report: Report): SafeMarkdown {
  const url = checksUrl(report);
  if (url === undefined || !place.includes('job summary')) return md`${place}`;
  return link(place, url, allowedLinks(report));
}

/**
 * Makes `place` a link if it names the job summary. The link leads to the page of this run, which shows the job
 * summary.
 */
export function linkToRun(place: string, report: Report): SafeMarkdown {
  return place.includes('job summary') ? link(place, report.runUrl, allowedLinks(report)) : md`${place}`;
}

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
  const bottom = [noticesSection(report), runSection(report), noteSection(report)];
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
