import { err, ok, type Result } from '../domain/result.ts';
import { inPool } from '../http/pool.ts';
import type { ApiError, Nonsense } from './api-error.ts';
import type { Page } from './wire.ts';

/** The service caps a page at 100. */
export const PAGE_LIMIT = 100;
/** Chosen: a hundred thousand items at full pages; a list that claims more is refused, never cut. */
const MOST_PAGES = 1_000;
/** Pages asked for at once, after the first. */
const WIDTH = 4;
/** A list that moves while it is read is read again, this often in all. */
const MOST_READINGS = 3;

export interface Pages<Item> {
  readonly readPage: (page: number) => Promise<Result<Page<Item>, ApiError>>;
  /** Undefined where an item has no usable id: such items are never taken for the same one. */
  readonly idOf: (item: Item) => string | undefined;
  /** Called after the first page with the number of items that it names. */
  readonly onTotal?: (total: number) => void;
  readonly beforeReadingAgain: () => Promise<void>;
  readonly nonsense: (problem: Nonsense['problem'], detail: string) => ApiError;
}

/**
 * Reads a whole list: page 1, then the rest four at a time. Complete means that every page names the same total
 * and page size, and that the distinct items are as many as the total.
 */
export async function readAll<Item>(pages: Pages<Item>): Promise<Result<readonly Item[], ApiError>> {
  for (let reading = 1; ; reading++) {
    const read = await readOnce(pages);
    if (!read.ok) return read;
    if (read.value !== 'shifted') return ok(read.value);
    if (reading === MOST_READINGS) {
      return err(pages.nonsense('shifting-list', `not the same list from page to page, ${reading} times`));
    }
    await pages.beforeReadingAgain();
  }
}

async function readOnce<Item>(pages: Pages<Item>): Promise<Result<readonly Item[] | 'shifted', ApiError>> {
  const first = await readChecked(pages, 1);
  if (!first.ok) return first;
  const { total, limit } = first.value;
  const count = Math.max(1, Math.ceil(total / limit));
  if (count > MOST_PAGES) {
    return err(pages.nonsense('wrong-shape', `a list of ${total} items in pages of ${limit}`));
  }
  pages.onTotal?.(total);
  const numbers = Array.from({ length: count - 1 }, (_, index) => index + 2);
  let failed = false;
  const rest = await inPool(numbers, WIDTH, async (number) => {
    if (failed) return undefined;
    const page = await readChecked(pages, number);
    failed ||= !page.ok;
    return page;
  });

  const items = [...first.value.items];
  let steady = true;
  for (const page of rest) {
    if (page === undefined) continue;
    if (!page.ok) return page;
    steady &&= page.value.total === total && page.value.limit === limit;
    items.push(...page.value.items);
  }
  const unique = distinct(items, pages.idOf);
  return ok(steady && unique.length === total ? unique : 'shifted');
}

/** A service that ignored the page number would repeat one page for ever, and hide the others. */
async function readChecked<Item>(pages: Pages<Item>, number: number): Promise<Result<Page<Item>, ApiError>> {
  const page = await pages.readPage(number);
  if (!page.ok || page.value.page === number) return page;
  return err(pages.nonsense('wrong-shape', `page ${page.value.page} in the place of page ${number}`));
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
