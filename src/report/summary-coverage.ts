import type { GroupedFinding } from './grouped-findings.ts';
import { allowedLinks, checksUrl } from './links.ts';
import { link, md, type SafeMarkdown } from './markdown.ts';
import type { Report } from './report.ts';

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

/** Says where readers find details that the comment or the check run leaves out. */
export function placeOfDetails({ leftOut, withoutDetails }: SummaryCoverage): string {
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
