import type { SinceLastPush } from '../domain/since-last-push.ts';
import { findingBlocks } from './finding-block.ts';
import { type FittedList, fitFindings } from './finding-list.ts';
import { countOf } from './headline.ts';
import { allowedLinks } from './links.ts';
import { BLANK_LINE, join, link, md, NOTHING, type SafeMarkdown, toText } from './markdown.ts';
import type { Report } from './report.ts';
import { headingSection, leadSection, noticesSection, scanSection, severityTable } from './sections.ts';
import { sinceSection } from './since-section.ts';

/** GitHub takes 65,536 characters; the rest is for the marker line. */
export const COMMENT_LIMIT = 60_000;
/** The sentences that say what was left out, and the fold around the triaged findings. */
const ROOM_FOR_NOTES = 1_500;
const ROOM_FOR_TRIAGED = 8_000;
/** Of each text of a finding, so that one long proof does not hide the others. */
const LONGEST_TEXT = 4_000;

/** What only the comment knows. */
export interface CommentExtras {
  /** Undefined where there is nothing to compare with. */
  readonly since?: SinceLastPush | undefined;
  /** Characters of the state that is hidden in the comment, and counts with it. */
  readonly hidden?: number;
}

/** The pull request's comment, at most `COMMENT_LIMIT` characters with its hidden state; without a marker. */
export function renderComment(report: Report, { since, hidden = 0 }: CommentExtras = {}): string {
  const { findings } = report.verdict;
  const top = [headingSection(report), leadSection(report), severityTable(report), sinceSection(since)];
  const bottom = [noticesSection(report), scanSection(report)];
  const triaged = fitted(report, findings.triaged, ROOM_FOR_TRIAGED);
  const around = toText(join([...top, triagedSection(triaged), ...bottom], BLANK_LINE)).length;
  const room = COMMENT_LIMIT - hidden - around - ROOM_FOR_NOTES;
  const reported = fitted(report, findings.reported, room, since?.fresh);
  const middle = [
    reported.markdown,
    leftOutNote(report, reported),
    belowNote(report),
    triagedSection(triaged),
  ];
  return toText(join([...top, ...middle, ...bottom], BLANK_LINE));
}

function fitted(
  report: Report,
  findings: Report['verdict']['findings']['reported'],
  room: number,
  fresh?: Report['verdict']['findings']['reported'],
): FittedList {
  return fitFindings(
    findingBlocks(findings, report, fresh),
    { room, sizeOf: (text) => text.length },
    LONGEST_TEXT,
  );
}

function leftOutNote(report: Report, list: FittedList): SafeMarkdown {
  const where = link('job summary', report.runUrl, allowedLinks(report));
  const parts: SafeMarkdown[] = [];
  if (list.withoutDetails > 0)
    parts.push(
      md`${countOf(list.withoutDetails, 'finding')} above without the details, which are in the ${where}.`,
    );
  if (list.leftOut > 0)
    parts.push(
      md`**${countOf(list.leftOut, 'more finding')} did not fit here** and can be read in the ${where}.`,
    );
  return join(parts, md` `);
}

function belowNote(report: Report): SafeMarkdown {
  const { below } = report.verdict.findings;
  if (below.length === 0) return NOTHING;
  const where = link('job summary', report.runUrl, allowedLinks(report));
  return md`${countOf(below.length, 'finding')} below ${report.policy.severityThreshold} can be read in the ${where}.`;
}

function triagedSection(list: FittedList): SafeMarkdown {
  const total = list.listed + list.leftOut;
  if (total === 0) return NOTHING;
  const more = list.leftOut === 0 ? NOTHING : md`${list.leftOut} more in the job summary.`;
  const body = join([list.markdown, more], BLANK_LINE);
  return md`<details><summary>${countOf(total, 'finding')} closed by triage in the scanning service</summary>\n\n${body}\n\n</details>`;
}
