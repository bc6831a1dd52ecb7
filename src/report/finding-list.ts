import type { FindingBlock } from './finding-block.ts';
import { unreadText } from './headline.ts';
import { BLANK_LINE, join, md, NOTHING, type SafeMarkdown, toText } from './markdown.ts';

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
  readonly listed: number;
  readonly leftOut: number;
  /** The number of listed findings whose details were read, but did not fit. */
  readonly withoutDetails: number;
  /** The number of listed findings whose details were not read. */
  readonly unread: number;
  readonly size: number;
}

/**
 * Fits findings into the limit, worst first. `listed` and `leftOut` add up to all findings.
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
  const listed = shown.length;
  const unread = blocks.slice(0, listed).filter(({ isUnread }) => isUnread).length;
  return { markdown: join(shown, BLANK_LINE), listed, leftOut, withoutDetails, unread, size };
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
