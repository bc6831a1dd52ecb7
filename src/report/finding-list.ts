import type { Finding } from '../domain/finding.ts';
import type { Verdict } from '../domain/verdict.ts';
import { type FindingBlock, findingBlocks, ICONS, labelCode } from './finding-block.ts';
import { unreadText } from './headline.ts';
import { severityLabel } from './labels.ts';
import { BLANK_LINE, join, md, NOTHING, type SafeMarkdown, toText } from './markdown.ts';
import type { Report, WithheldFinding, WithheldReport } from './report.ts';

export interface GroupedFinding {
  readonly finding: Finding;
  readonly group: 'reported' | 'below' | 'exempt' | 'triaged';
  readonly blocks: boolean;
}

/**
 * Lists all findings of a verdict by group: reported, below the threshold, exempt, triaged. Each group is sorted worst
 * first. The SARIF file and the JSON report are made from this list, so that they agree with the verdict.
 */
export function groupedFindings({ findings }: Verdict): GroupedFinding[] {
  const blocking = new Set(findings.blocking);
  const inGroup = (group: GroupedFinding['group']) =>
    findings[group].map((finding) => ({ finding, group, blocks: blocking.has(finding) }));
  return [...inGroup('reported'), ...inGroup('below'), ...inGroup('exempt'), ...inGroup('triaged')];
}

/** Makes a notice if the run did not read the details of some of these findings. */
export function unreadNotice(findings: readonly GroupedFinding[]): string[] {
  const count = findings.filter(({ finding }) => finding.detailsUnread).length;
  return count === 0 ? [] : [unreadText(count)];
}

/** The limit of a text, and a function that measures a text in characters or bytes. */
export interface Budget {
  readonly limit: number;
  readonly sizeOf: (text: string) => number;
}

/**
 * Our choice. Some details are rendered, but are too long to be shown. Rendering stops once the total length of such
 * details is more than this many times the limit.
 */
const MOST_IN_VAIN = 4;
/** Our choice. If a finding has details, all rows together may fill this share of the limit. Details fill the rest. */
const ROWS_BESIDE_DETAILS = 0.75;

export interface FittedList {
  readonly markdown: SafeMarkdown;
  readonly leftOut: number;
  /** The number of listed findings whose details were read, but did not fit. */
  readonly withoutDetails: number;
  /** The number of listed findings whose details were not read. */
  readonly unread: number;
  readonly size: number;
}

/**
 * Fits findings into the limit, worst first. `leftOut` counts the findings that do not fit.
 *
 * - Rows come first. If any finding has details, rows take at most three quarters of the limit.
 * - The list ends before the first row that does not fit.
 * - Details fill the rest of the limit.
 * - If many details do not fit, rendering of details stops. Rendering hundreds of long texts would take half a minute.
 */
export function truncateFindings(
  blocks: readonly FindingBlock[],
  budget: Budget,
  longest: number,
): FittedList {
  const sizeOf = (markdown: SafeMarkdown) => budget.sizeOf(`${toText(markdown)}\n\n`);
  const rowLimit = blocks.some(({ hasDetails }) => hasDetails)
    ? budget.limit * ROWS_BESIDE_DETAILS
    : budget.limit;
  const shown: SafeMarkdown[] = [];
  let size = 0;
  for (const block of blocks) {
    const row = block.row();
    const next = size + sizeOf(row);
    if (next > rowLimit) break;
    shown.push(row);
    size = next;
  }
  let withoutDetails = 0;
  let inVain = 0;
  const leftOut = blocks.length - shown.length;
  for (const [index, row] of shown.entries()) {
    const block = blocks[index];
    if (!block?.hasDetails) continue;
    const isOver = inVain > MOST_IN_VAIN * budget.limit;
    const details = isOver ? NOTHING : block.details(longest);
    const needed = sizeOf(details);
    if (isOver || size + needed > budget.limit) {
      if (!block.isUnread) withoutDetails += 1;
      inVain += needed;
    } else {
      shown[index] = md`${row}\n\n${details}`;
      size += needed;
    }
  }
  const unread = blocks.slice(0, shown.length).filter(({ isUnread }) => isUnread).length;
  return { markdown: join(shown, BLANK_LINE), leftOut, withoutDetails, unread, size };
}

/** Says where the details of listed findings are that were not read. Empty if all were read. */
export function unreadNote({ unread }: FittedList): SafeMarkdown {
  return unread === 0 ? NOTHING : md`${unreadText(unread, ' above')}`;
}

/** Keeps the first items that fit into the limit, and counts the others. */
export function fitItems(items: readonly SafeMarkdown[], budget: Budget) {
  const kept: SafeMarkdown[] = [];
  let size = 0;
  for (const part of items) {
    size += budget.sizeOf(`${toText(part)}\n\n`);
    if (size > budget.limit) break;
    kept.push(part);
  }
  return { kept, leftOut: items.length - kept.length };
}

/**
 * Fits the findings of one group into the limit. Lists only labels if the texts may not be shown.
 * @param longest the number of characters kept of each text
 */
export function fitFindings(
  report: Report,
  group: GroupedFinding['group'],
  budget: Budget,
  longest: number,
): FittedList {
  return report.disclosure === 'labels'
    ? fitLabels(report, group, budget)
    : truncateFindings(findingBlocks(report.verdict.findings[group], report), budget, longest);
}

interface LabelLine {
  readonly heading: SafeMarkdown;
  readonly labels: SafeMarkdown[];
}

/** Makes a paragraph of labels for each severity. Blocking findings have paragraphs of their own. */
function fitLabels(
  { verdict }: WithheldReport,
  group: GroupedFinding['group'],
  { limit, sizeOf }: Budget,
): FittedList {
  const findings = verdict.findings[group];
  const blocking = new Set(verdict.findings.blocking);
  const lines = new Map<string, LabelLine>();
  let size = 0;
  let listed = 0;
  for (const finding of findings) {
    const blocks = blocking.has(finding);
    const key = `${finding.level} ${blocks}`;
    const line = lines.get(key) ?? { heading: headingOf(finding, blocks), labels: [] };
    const label = labelCode(finding.label);
    const before = lines.has(key) ? '' : `${toText(line.heading)} \n\n`;
    const next = size + sizeOf(`${before}${toText(label)}, `);
    if (next > limit) break;
    size = next;
    line.labels.push(label);
    lines.set(key, line);
    listed += 1;
  }
  const shown = Array.from(lines.values(), ({ heading, labels }) => md`${heading} ${join(labels, md`, `)}`);
  const leftOut = findings.length - listed;
  return { markdown: join(shown, BLANK_LINE), leftOut, withoutDetails: 0, unread: 0, size };
}

function headingOf({ level }: WithheldFinding, blocks: boolean): SafeMarkdown {
  const severity = severityLabel({ level, word: '' });
  return md`${ICONS[level]} <b>${severity}</b>${blocks ? md` (**blocks**)` : md``}:`;
}
