import { badRequest, type Refusal } from './refusal.ts';
import type { Call } from './state.ts';

const DEFAULT_PAGE_SIZE = 50;
const LARGEST_PAGE_SIZE = 100;

/** `page` starts at 1; `limit` is 50 by default and "capped at 100". */
export function paginate<T>(call: Call, all: readonly T[], show: (item: T) => unknown): Refusal | object {
  const page = wholeNumber(call.query.get('page'), 1);
  const asked = wholeNumber(call.query.get('limit'), DEFAULT_PAGE_SIZE);
  if (page === undefined || asked === undefined) {
    return badRequest('page and limit must be whole numbers of at least 1.');
  }
  const limit = Math.min(asked, LARGEST_PAGE_SIZE);
  const items = all.slice((page - 1) * limit, page * limit).map(show);
  return { items, page, limit, total: all.length };
}

function wholeNumber(text: string | null, absent: number): number | undefined {
  if (text === null) return absent;
  const value = Number(text);
  return /^\d+$/.test(text) && value >= 1 && Number.isSafeInteger(value) ? value : undefined;
}
