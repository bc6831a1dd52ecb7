import { isSame } from '../authorize.ts';
import type { Publication } from '../state.ts';

export type PasswordCheck =
  | { readonly state: 'open' }
  | { readonly state: 'closed' }
  | { readonly state: 'wrong' }
  | { readonly state: 'too-many'; readonly waitSeconds: number };

/**
 * Our choice: after this many wrong passwords in a window of time, a page refuses every password until the window
 * ends. All callers are counted together, because all of them use the loopback interface. So one caller can lock out
 * the others.
 */
export const MOST_WRONG_TRIES = 5;
export const WINDOW_SECONDS = 60;

/** Checks the password of a page, and counts wrong ones. Above the limit, even the right password is refused. */
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
