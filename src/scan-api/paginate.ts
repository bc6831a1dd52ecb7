import { err, ok, type Result } from '../domain/result.ts';
import { inPool } from '../http/pool.ts';
import type { ApiError, InvalidAnswer } from './api-error.ts';
import type { Page } from './wire.ts';

/** The service caps a page at 100. A page that is larger than an answer may be is asked for in smaller ones. */
export const PAGE_LIMITS = [100, 10, 1] as const;
/** Chosen: a hundred thousand items at full pages; a list that claims more is refused, never cut. */
const MOST_PAGES = 1_000;
/** Pages asked for at once, after the first. */
const WIDTH = 4;
/** A list that moves while it is read is read again, this often in all. */
const MOST_READINGS = 3;
/** Chosen: items at the beginning of a list that are too large, before it is known how long the list is. */
const MOST_TOO_LARGE_AT_START = 20;

export interface Pages<Item> {
  /** @param limit the size to ask for */
  readonly readPage: (page: number, limit: number) => Promise<Result<Page<Item>, ApiError>>;
  /** Undefined where an item has no usable id: such items are never taken for the same one. */
  readonly idOf: (item: Item) => string | undefined;
  /** What stands for an item that alone is larger than an answer may be. @param position in the list, from 1 */
  readonly tooLarge: (position: number) => Item;
  /** Called after the first page with the number of items that it names. */
  readonly onTotal?: (total: number) => void;
  readonly beforeReadingAgain: () => Promise<void>;
  readonly invalid: (problem: InvalidAnswer['problem'], detail: string) => ApiError;
}

/**
 * Reads a whole list: page 1, then the rest four at a time. Complete means that every page names the same total
 * and page size, and that the distinct items are as many as the total.
 */
export async function readAll<Item>(pages: Pages<Item>): Promise<Result<readonly Item[], ApiError>> {
  const known: Known = { cap: PAGE_LIMITS[0] };
  for (let reading = 1; ; reading++) {
    const read = await readOnce(pages, known);
    if (!read.ok) return read;
    if (read.value !== 'shifted') return ok(read.value);
    if (reading === MOST_READINGS) {
      return err(pages.invalid('shifting-list', `not the same list from page to page, ${reading} times`));
    }
    await pages.beforeReadingAgain();
  }
}

/** What the answers have shown of the service: items of a page at most. */
interface Known {
  cap: number;
}

type Answer<Item> = Result<Page<Item>, ApiError>;

/** Asks for each page of each size once. */
type Ask<Item> = (page: number, limit: number) => Promise<Answer<Item>>;

async function readOnce<Item>(
  pages: Pages<Item>,
  known: Known,
): Promise<Result<readonly Item[] | 'shifted', ApiError>> {
  const ask = askOnce(pages, known);
  const first = await firstAnswer(ask);
  if (!first.ok) return first;
  const { total } = first.value;
  const { cap } = known;
  const count = Math.max(1, Math.ceil(total / cap));
  if (count > MOST_PAGES) {
    return err(pages.invalid('wrong-shape', `a list of ${total} items in pages of ${cap}`));
  }
  pages.onTotal?.(total);

  const items: Item[] = [];
  let steady = true;
  let positions: ReadonlySet<number> | undefined;
  for (const [index, asked] of PAGE_LIMITS.entries()) {
    const size = Math.min(asked, cap);
    // Smaller than the cap, or it would be the same page again.
    if (index > 0 && size === cap) continue;
    const numbers = positions === undefined ? upTo(count) : pagesOf(positions, size);
    const answers = await askAll(ask, numbers, asked);
    const left = new Set<number>();
    for (const [number, answer] of answers) {
      const from = (number - 1) * size;
      if (answer.ok) {
        steady &&= answer.value.total === total && answer.value.limit === size;
        items.push(...answer.value.items.filter((_item, index) => positions?.has(from + index + 1) ?? true));
      } else if (isOversize(answer.error)) {
        for (let position = from + 1; position <= Math.min(from + size, total); position += 1) {
          if (positions?.has(position) ?? true) left.add(position);
        }
      } else return answer;
    }
    positions = left;
    if (left.size === 0) break;
  }
  for (const position of positions ?? []) items.push(pages.tooLarge(position));
  const unique = distinct(items, pages.idOf);
  return ok(steady && unique.length === total ? unique : 'shifted');
}

/** The first page of the largest size that can be answered, or of the smallest the first such page. */
async function firstAnswer<Item>(ask: Ask<Item>): Promise<Answer<Item>> {
  let tooLarge: Answer<Item> | undefined;
  for (const asked of PAGE_LIMITS) {
    for (let number = 1; number <= (asked === 1 ? MOST_TOO_LARGE_AT_START : 1); number += 1) {
      const answer = await ask(number, asked);
      if (answer.ok || !isOversize(answer.error)) return answer;
      tooLarge ??= answer;
    }
  }
  if (tooLarge === undefined || tooLarge.ok) throw new Error('no page was asked for');
  return tooLarge;
}

/** Nothing more is asked after a failure that smaller pages do not cure. */
async function askAll<Item>(
  ask: Ask<Item>,
  numbers: readonly number[],
  limit: number,
): Promise<readonly (readonly [number: number, answer: Answer<Item>])[]> {
  let failed = false;
  const answers = await inPool(numbers, WIDTH, async (number) => {
    if (failed) return undefined;
    const answer = await ask(number, limit);
    failed ||= !answer.ok && !isOversize(answer.error);
    return [number, answer] as const;
  });
  return answers.filter((answer) => answer !== undefined);
}

/** A service that ignored the page number would repeat one page for ever, and hide the others. */
function askOnce<Item>(pages: Pages<Item>, known: Known): Ask<Item> {
  const asked = new Map<string, Promise<Answer<Item>>>();
  const read = async (number: number, limit: number): Promise<Answer<Item>> => {
    const page = await pages.readPage(number, limit);
    if (!page.ok) return page;
    if (page.value.limit < limit) known.cap = Math.min(known.cap, page.value.limit);
    if (page.value.page === number) return page;
    return err(pages.invalid('wrong-shape', `page ${page.value.page} in the place of page ${number}`));
  };
  return (number, limit) => {
    const key = `${number} of ${limit}`;
    const answer = asked.get(key) ?? read(number, limit);
    asked.set(key, answer);
    return answer;
  };
}

/** Is it larger than an answer may be? Fewer items may fit. */
export function isOversize(error: ApiError): boolean {
  return error.kind === 'invalid' && error.problem === 'oversize';
}

function upTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** The pages of this size on which the positions lie. */
function pagesOf(positions: ReadonlySet<number>, size: number): readonly number[] {
  return [...new Set([...positions].map((position) => Math.ceil(position / size)))];
}

function distinct<Item>(items: readonly Item[], idOf: (item: Item) => string | undefined): Item[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const id = idOf(item);
    if (id === undefined) return true;
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}
