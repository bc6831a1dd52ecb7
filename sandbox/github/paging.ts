import type { Answer } from '../faults/interception.ts';

/** GitHub's default page size, and its largest page size. */
const DEFAULT_PER_PAGE = 30;
const LARGEST_PER_PAGE = 100;

export interface Page {
  readonly page: number;
  readonly perPage: number;
}

/** A request for a list. */
export interface ListRequest {
  /** The address of the request, without the query. */
  readonly url: string;
  readonly query: URLSearchParams;
}

/** Answers a request with one page of a list. */
export function paged<T>(
  { url, query }: ListRequest,
  items: readonly T[],
  show: (page: readonly T[]) => unknown = (page) => page,
): Answer {
  const page = readPage(query);
  const headers = linkHeader(url, query, items.length, page);
  return { status: 200, headers, body: show(slicePage(items, page)) };
}

/**
 * Reads `page` and `per_page` like GitHub. An invalid or missing value counts as the default. A page size above the
 * limit counts as the limit.
 */
export function readPage(query: URLSearchParams): Page {
  const perPage = positive(query.get('per_page')) ?? DEFAULT_PER_PAGE;
  return { page: positive(query.get('page')) ?? 1, perPage: Math.min(perPage, LARGEST_PER_PAGE) };
}

function positive(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

export function slicePage<T>(items: readonly T[], { page, perPage }: Page): T[] {
  return items.slice((page - 1) * perPage, page * perPage);
}

/** Makes the `Link` header with `prev`, `next`, `last` and `first`. A single page has no such header. */
export function linkHeader(
  url: string,
  query: URLSearchParams,
  total: number,
  { page, perPage }: Page,
): Record<string, string> {
  const last = Math.max(1, Math.ceil(total / perPage));
  const links: string[] = [];
  const add = (rel: string, to: number) => {
    const target = new URL(url);
    for (const [key, value] of query) target.searchParams.set(key, value);
    target.searchParams.set('page', String(to));
    links.push(`<${target.href}>; rel="${rel}"`);
  };
  if (page > 1) add('prev', page - 1);
  if (page < last) {
    add('next', page + 1);
    add('last', last);
  }
  if (page > 1) add('first', 1);
  return links.length === 0 ? {} : { link: links.join(', ') };
}
