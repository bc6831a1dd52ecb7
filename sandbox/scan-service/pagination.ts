import type { Answer } from '../faults/interception.ts';
import { badRequest, Refusal } from './refusal.ts';
import type { Call } from './state.ts';

const DEFAULT_PAGE_SIZE = 50;
const LARGEST_PAGE_SIZE = 100;

/** Answers with one page of a list. `page` starts at 1. `limit` is 50 by default, and 100 at most. */
export function paginate<T>(call: Call, all: readonly T[], show: (item: T) => unknown): Answer | Refusal {
  const page = wholeNumber(call, 'page', 1);
  if (page instanceof Refusal) return page;
  const asked = wholeNumber(call, 'limit', DEFAULT_PAGE_SIZE);
  if (asked instanceof Refusal) return asked;
  const limit = Math.min(asked, LARGEST_PAGE_SIZE);
  const items = all.slice((page - 1) * limit, page * limit).map(show);
  return { status: 200, body: { items, page, limit, total: all.length } };
}

function wholeNumber({ query }: Call, name: string, absent: number): number | Refusal {
  const text = query.get(name);
  if (text === null) return absent;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && Number.isSafeInteger(value)) return value;
  return badRequest(`${name} must be a whole number from 1 to ${Number.MAX_SAFE_INTEGER}.`);
}
