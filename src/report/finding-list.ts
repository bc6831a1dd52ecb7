import type { FindingBlock } from './finding-block.ts';
import { BLANK_LINE, join, md, NOTHING, type SafeMarkdown, toText } from './markdown.ts';

/** How much may be written, and how it is counted (characters or bytes). */
export interface Budget {
  readonly room: number;
  readonly sizeOf: (text: string) => number;
}

/** Ours, in rooms. */
const MOST_IN_VAIN = 4;
/** Ours, of the room: a list of hundreds must not cost the worst findings their details. */
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
 * Fits blocks, worst first, into the room. Every finding has its row before any has its details, but for a quarter of
 * the room, which is the details' own; where the rows do not fit, the list is cut after a whole finding. `listed` and
 * `leftOut` add up to all. Once so much was rendered in vain, no more is: hundreds of long texts that do not fit would
 * take half a minute.
 */
export function fitFindings(blocks: readonly FindingBlock[], budget: Budget, longest: number): FittedList {
  const sizeOf = (markdown: SafeMarkdown) => budget.sizeOf(`${toText(markdown)}\n\n`);
  const rowRoom = blocks.some(({ hasDetails }) => hasDetails)
    ? budget.room * ROWS_BESIDE_DETAILS
    : budget.room;
  const shown: SafeMarkdown[] = [];
  let size = 0;
  for (const block of blocks) {
    const row = block.row();
    const next = size + sizeOf(row);
    if (next > rowRoom) break;
    shown.push(row);
    size = next;
  }
  let withoutDetails = 0;
  let inVain = 0;
  const leftOut = blocks.length - shown.length;
  for (const [index, row] of shown.entries()) {
    const block = blocks[index];
    if (!block?.hasDetails) continue;
    const isOver = inVain > MOST_IN_VAIN * budget.room;
    const details = isOver ? NOTHING : block.details(longest);
    const needed = sizeOf(details);
    if (isOver || size + needed > budget.room) {
      withoutDetails += 1;
      inVain += needed;
    } else {
      shown[index] = md`${row}\n\n${details}`;
      size += needed;
    }
  }
  return { markdown: join(shown, BLANK_LINE), listed: shown.length, leftOut, withoutDetails, size };
}

/** The first parts that fit into the room, and how many do not. */
export function fitParts(parts: readonly SafeMarkdown[], budget: Budget) {
  const kept: SafeMarkdown[] = [];
  let size = 0;
  for (const part of parts) {
    size += budget.sizeOf(`${toText(part)}\n\n`);
    if (size > budget.room) break;
    kept.push(part);
  }
  return { kept, leftOut: parts.length - kept.length };
}
