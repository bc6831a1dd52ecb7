import type { FindingBlock } from './finding-block.ts';
import { BLANK_LINE, join, md, NOTHING, type SafeMarkdown, toText } from './markdown.ts';

/** The limit of a text, and how its length is counted: in characters or bytes. */
export interface Budget {
  readonly limit: number;
  readonly sizeOf: (text: string) => number;
}

/** Our choice, as a multiple of the limit. */
const MOST_IN_VAIN = 4;
/** Our choice, as a fraction of the limit: even in a list of hundreds, the worst findings keep their details. */
const ROWS_BESIDE_DETAILS = 0.75;

export interface FittedList {
  readonly markdown: SafeMarkdown;
  readonly listed: number;
  readonly leftOut: number;
  /** The number of listed findings whose details were left out. */
  readonly withoutDetails: number;
  readonly size: number;
}

/**
 * Fits findings into the limit, worst first. The rows come first. They may take three quarters of the limit if any
 * finding has details; the details fill the rest. If the rows do not fit, the list ends after a whole finding. `listed`
 * and `leftOut` add up to all findings. Renders no more details once `MOST_IN_VAIN` times the limit did not fit,
 * because hundreds of texts that are too long would take half a minute.
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

/** The first items that fit into the limit, and the number of the others. */
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
