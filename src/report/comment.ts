import type { SinceLastPush } from '../domain/history.ts';
import { findingBlocks } from './finding-block.ts';
import { type FittedList, truncateFindings } from './finding-list.ts';
import { countOf } from './headline.ts';
import { BLANK_LINE, join, md, NOTHING, type SafeMarkdown, toText } from './markdown.ts';
import { linkingChecks } from './prose.ts';
import type { ListedReport } from './report.ts';
import {
  headingSection,
  leadSection,
  noteSection,
  noticesSection,
  scanSection,
  severityTable,
  sinceSection,
} from './sections.ts';
import { fitSummary, linkToChecks, listNotes, placeOfMissing, type SummaryCoverage } from './summary.ts';

/** GitHub accepts 65,536 characters. The rest is reserved for the hidden lines. */
export const COMMENT_LIMIT = 60_000;
/** Characters reserved for the sentences about omitted findings. */
const NOTES_RESERVE = 1_500;
/** The limit of each of the two folded lists: the exempt findings, and the triaged findings. */
const FOLD_LIMIT = 8_000;
/** The limit of each text of a finding. A longer text, such as a proof of concept, would displace other findings. */
const LONGEST_TEXT = 4_000;

/** What the comment shows in addition to the report. */
export interface CommentExtras {
  /** What the last push changed. Undefined if there is nothing to compare with. */
  readonly since?: SinceLastPush | undefined;
  /** The length of the state that is hidden in the comment. GitHub's limit includes the state. */
  readonly hidden?: number;
  /** What the job summary shows. Default: computed from the report. */
  readonly coverage?: SummaryCoverage | undefined;
}

/**
 * Renders the comment on the pull request, without its hidden lines. The comment and the hidden state together have at
 * most `COMMENT_LIMIT` characters. The comment does not show the run, the attempt or the credits. So the same result
 * always gives the same comment.
 */
export function renderComment(report: ListedReport, extras: CommentExtras = {}): string {
  const { since, hidden = 0, coverage = fitSummary(report) } = extras;
  const { findings } = report.verdict;
  const render = linkingChecks(report);
  const top = [
    headingSection(report),
    leadSection(report, render),
    severityTable(report),
    sinceSection(since),
  ];
  const bottom = [noticesSection(report, render), scanSection(report), noteSection(report)];
  const folds = [
    fold(report, coverage, 'exempt', 'exempt by path'),
    fold(report, coverage, 'triaged', 'closed by triage in the scanning service'),
  ];
  const around = toText(join([...top, ...folds, ...bottom], BLANK_LINE)).length;
  const limit = COMMENT_LIMIT - hidden - around - NOTES_RESERVE;
  const reported = fitted(report, findings.reported, limit, since?.fresh);
  const middle = [
    reported.markdown,
    listNotes(reported, coverage, (place) => linkToChecks(place, report)),
    belowNote(report, coverage),
    ...folds,
  ];
  return toText(join([...top, ...middle, ...bottom], BLANK_LINE));
}

function fitted(
  report: ListedReport,
  findings: ListedReport['verdict']['findings']['reported'],
  limit: number,
  fresh?: ListedReport['verdict']['findings']['reported'],
): FittedList {
  return truncateFindings(
    findingBlocks(findings, report, fresh),
    { limit, sizeOf: (text) => text.length },
    LONGEST_TEXT,
  );
}

function belowNote(report: ListedReport, { leftOut }: SummaryCoverage): SafeMarkdown {
  const { below } = report.verdict.findings;
  if (below.length === 0) return NOTHING;
  const where = linkToChecks(placeOfMissing(below.length, leftOut.below), report);
  return md`${countOf(below.length, 'finding')} below ${report.policy.severityThreshold}: listed ${where}.`;
}

/** Renders a folded list of findings that are not reported. */
function fold(
  report: ListedReport,
  coverage: SummaryCoverage,
  group: 'exempt' | 'triaged',
  name: string,
): SafeMarkdown {
  const findings = report.verdict.findings[group];
  if (findings.length === 0) return NOTHING;
  const list = fitted(report, findings, FOLD_LIMIT);
  const where = linkToChecks(placeOfMissing(list.leftOut, coverage.leftOut[group]), report);
  const more = list.leftOut === 0 ? NOTHING : md`${list.leftOut} more: listed ${where}.`;
  const body = join([list.markdown, more], BLANK_LINE);
  return md`<details><summary>${countOf(findings.length, 'finding')} ${name}</summary>\n\n${body}\n\n</details>`;
}
