import type { FindingBlock } from './finding-block.ts';
import { BLANK_LINE, join, md, NOTHING, type SafeMarkdown, toText } from './markdown.ts';

/** How much may be written, and how it is counted (characters or bytes). */
export interface Budget {
  readonly limit: number;
  readonly sizeOf: (text: string) => number;
}

/** Chosen, in multiples of the limit. */
const MOST_IN_VAIN = 4;
/** Chosen, as a share of the limit: a list of hundreds must not cost the worst findings their details. */
const ROWS_BESIDE_DETAILS = 0.75;

export interface FittedList {
  readonly markdown: SafeMarkdown;
  readonly listed: number;
  readonly leftOut: number;
  /** Listed without the details that they have. */
  readonly withoutDetails: number;
  readonly size: number;
}

/**
 * Fits blocks, worst first, into the limit. Every finding has its row before any has its details, except for a quarter
 * of the limit, which is reserved for details. Where the rows do not fit, the list is cut after a whole finding. `listed` and
 * `leftOut` add up to all. Once so much was rendered in vain, no more is: hundreds of long texts that do not fit would
 * take half a minute.
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
      withoutDetails += 1;
      inVain += needed;
    } else {
      shown[index] = md`${row}\n\n${details}`;
      size += needed;
    }
  }
  return { markdown: join(shown, BLANK_LINE), listed: shown.length, leftOut, withoutDetails, size };
}

/** The first items within the limit, and the number of the others. */
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
