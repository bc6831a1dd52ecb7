import type { GroupedFinding } from './grouped-findings.ts';
import { allowedLinks, checksUrl } from './links.ts';
import { link, md, type SafeMarkdown } from './markdown.ts';
import type { Report } from './report.ts';

/** What the job summary leaves out. Findings that do not fit are the last ones of their group. */
export interface SummaryCoverage {
  readonly leftOut: Readonly<Record<GroupedFinding['group'], number>>;
  /** Of the listed ones. */
  readonly withoutDetails: number;
}

/** A job summary that could not be made. */
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
 * Where findings can be read that another place leaves out, for example `in the job summary`.
 * @param missing how many findings of one group the other place leaves out, counted from its end
 * @param leftOut how many the job summary leaves out of that group
 */
export function placeOfMissing(missing: number, leftOut: number): string {
  if (leftOut === 0) return 'in the job summary';
  if (leftOut >= missing) return 'in the scanning service';
  return `in the scanning service, ${missing - leftOut} of them also in the job summary`;
}

/** The same for all findings that are not reported. */
export function placeOfUnlisted({ verdict }: Report, { leftOut }: SummaryCoverage): string {
  const { below, exempt, triaged } = verdict.findings;
  const missing = below.length + exempt.length + triaged.length;
  return placeOfMissing(missing, leftOut.below + leftOut.exempt + leftOut.triaged);
}

/** The same for details that another place leaves out. */
export function placeOfDetails({ leftOut, withoutDetails }: SummaryCoverage): string {
  return leftOut.reported === 0 && withoutDetails === 0 ? 'in the job summary' : 'in the scanning service';
}

/**
 * Links a place to the pull request's checks, which lead to its job summary. Not to the run: the comment's text is the
 * same for the same result.
 */
export function linkToChecks(place: string, report: Report): SafeMarkdown {
  const url = checksUrl(report);
  if (url === undefined || !place.includes('job summary')) return md`${place}`;
  return link(place, url, allowedLinks(report));
}

/** Links a place to this run's page, which shows its job summary. */
export function linkToRun(place: string, report: Report): SafeMarkdown {
  return place.includes('job summary') ? link(place, report.runUrl, allowedLinks(report)) : md`${place}`;
}
