import { isSame } from '../authorize.ts';
import type { Publication } from '../records.ts';

export type PasswordCheck =
  | { readonly state: 'open' }
  | { readonly state: 'closed' }
  | { readonly state: 'wrong' }
  | { readonly state: 'too-many'; readonly waitSeconds: number };

/**
 * Our choice. After this many wrong passwords, a page refuses every password until the window of time ends. All callers
 * are counted together, because all of them use the loopback interface. So one caller can lock out the rest.
 */
export const MOST_WRONG_TRIES = 5;
export const WINDOW_SECONDS = 60;

/**
 * Checks the password of a page, and counts wrong ones. After too many wrong ones, it refuses even the right password.
 */
export function checkPassword(
  publication: Publication,
  password: string | undefined,
  now: Date,
): PasswordCheck {
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
