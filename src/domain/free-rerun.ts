import type { HistoryOwner } from './encoded-history.ts';
import { isMacOf, macOf } from './mac.ts';

/** An attempt of a run that the sweep asked for: it may read a scan that is paid for, and launches none. */
export interface FreeRerun {
  readonly runId: number;
  readonly runAttempt: number;
}

const WORD = /^f1:(\d{1,15}):(\d{1,9}):([\w-]{43})$/;

/** One word of visible ASCII without `>` and `;`, proven by an HMAC-SHA-256 with the API token. */
export function encodeFreeRerun(
  { runId, runAttempt }: FreeRerun,
  owner: HistoryOwner,
  apiToken: string,
): string {
  const text = `f1:${runId}:${runAttempt}`;
  return `${text}:${macOf(signed(text, owner), apiToken)}`;
}

/** @returns undefined for what is none, or was not made for this owner with this token */
export function readFreeRerun(word: string, owner: HistoryOwner, apiToken: string): FreeRerun | undefined {
  const [, runId, runAttempt, mac = ''] = WORD.exec(word) ?? [];
  if (!isMacOf(mac, signed(word.slice(0, -mac.length - 1), owner), apiToken)) return undefined;
  return { runId: Number(runId), runAttempt: Number(runAttempt) };
}

/** What the MAC is made of: that of no other word. */
function signed(text: string, { repository, pullRequest, checkName }: HistoryOwner): string {
  return JSON.stringify(['free re-run', repository.toLowerCase(), pullRequest, checkName, text]);
}
