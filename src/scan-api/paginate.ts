import { err, ok, type Result } from '../domain/result.ts';
import { inPool } from '../http/pool.ts';
import type { ApiError, InvalidAnswer } from './api-error.ts';
import type { Page } from './wire.ts';

/**
 * The page sizes to try. The service limits a page to 100 items. If an answer is too large, the next smaller size is
 * used.
 */
export const PAGE_LIMITS = [100, 10, 1] as const;
/**
 * Our choice: the maximum number of pages in a list. 1,000 full pages have 100,000 items. A longer list is an error.
 */
const MOST_PAGES = 1_000;
/** Our choice: the number of parallel requests after the first page. */
const WIDTH = 4;
/** Our choice: the maximum number of readings of a list. A list that changes during a reading is read again. */
const MOST_READINGS = 3;
/**
 * The items at the start of a list can be too large for an answer. A run then requests the items one by one, until an
 * answer shows the length of the list. Our choice: it requests at most this many items.
 */
const MOST_TOO_LARGE_AT_START = 20;

export interface Pages<Item> {
  /** Requests one page. @param limit the page size */
  readonly readPage: (page: number, limit: number) => Promise<Result<Page<Item>, ApiError>>;
  /** Returns undefined if an item has no usable id. Such items never count as duplicates. */
  readonly idOf: (item: Item) => string | undefined;
  /** Makes a substitute for an item that is too large for an answer. @param position in the list, from 1 */
  readonly tooLarge: (position: number) => Item;
  /** Called after the first page of each reading, with the total number of items. */
  readonly onTotal?: (total: number) => void;
  readonly beforeReadingAgain: () => Promise<void>;
  readonly invalid: (problem: InvalidAnswer['problem'], detail: string) => ApiError;
}

/**
 * Reads a whole list: page 1, then four pages at a time. The list is complete if every page shows the same total and
 * page size, and the number of different items equals the total.
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

/** What the answers so far have shown. `cap` is the largest page size that the service accepts. */
interface Known {
  cap: number;
}

type Answer<Item> = Result<Page<Item>, ApiError>;

/** Requests a page of this size. A repeated call sends no request and returns the first answer. */
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
    // The service returns at most `cap` items per page. The run has already requested pages of `cap` items.
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

/**
 * Reads page 1 in the largest size whose answer is not too large. If the first item alone is too large, requests the
 * next items one by one. Stops at the first answer that is not too large, or after `MOST_TOO_LARGE_AT_START` items.
 */
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

/** Requests pages in parallel. Stops after a failure that smaller pages cannot fix. */
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

/**
 * Creates the function that requests pages. An answer must be the page that was requested. A service that ignores the
 * page number could otherwise repeat one page, and the run would miss items.
 */
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

/** True if the answer was too large. A page with fewer items may fit. */
export function isOversize(error: ApiError): boolean {
  return error.kind === 'invalid' && error.problem === 'oversize';
}

function upTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** Returns the numbers of the pages that contain these positions, at this page size. */
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
