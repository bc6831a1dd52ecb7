import { isSame } from '../authorize.ts';
import type { Publication } from '../world.ts';

export type Gate =
  | { readonly state: 'open' }
  | { readonly state: 'closed' }
  | { readonly state: 'wrong' }
  | { readonly state: 'too-many'; readonly waitSeconds: number };

/**
 * Wrong passwords that a page takes in one window, whoever sends them; then nobody gets in until the window is over. So
 * anybody who has the address can lock everybody out for a minute, again and again. That is the price of not telling
 * callers apart: they all come from the loopback interface.
 */
export const MOST_WRONG_TRIES = 5;
export const WINDOW_SECONDS = 60;

/** Does this password open the page? Counts wrong ones; the right one is not looked at past their limit. */
export function passGate(publication: Publication, password: string | undefined, now: Date): Gate {
  const { accessPassword, tries } = publication;
  if (accessPassword === null) return { state: 'open' };
  if (password === undefined) return { state: 'closed' };
  const passedMs = now.getTime() - tries.startedAt;
  if (passedMs >= WINDOW_SECONDS * 1000) Object.assign(tries, { startedAt: now.getTime(), wrong: 0 });
  else if (tries.wrong >= MOST_WRONG_TRIES) {
    return { state: 'too-many', waitSeconds: Math.max(1, Math.ceil(WINDOW_SECONDS - passedMs / 1000)) };
  }
  if (isSame(password, accessPassword)) return { state: 'open' };
  tries.wrong += 1;
  return { state: 'wrong' };
}
