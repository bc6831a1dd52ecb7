import { type HistoryOwner, ownedText } from './encoded-history.ts';
import type { Seal } from './seal.ts';

/** An attempt of a run that the sweep asked for: it may read a scan that is paid for, and launches none. */
export interface FreeRerun {
  readonly runId: number;
  readonly runAttempt: number;
}

const WORD = /^f1:(\d{1,15}):(\d{1,9}):([\w-]{43})$/;

/** One word of visible ASCII without `>` and `;`, proven by an HMAC-SHA-256 with the API token. */
export function encodeFreeRerun({ runId, runAttempt }: FreeRerun, owner: HistoryOwner, seal: Seal): string {
  const text = `f1:${runId}:${runAttempt}`;
  return `${text}:${seal.macOf(ownedText('free re-run', text, owner))}`;
}

/** @returns undefined for what is none, or was not made for this owner with this seal */
export function readFreeRerun(word: string, owner: HistoryOwner, seal: Seal): FreeRerun | undefined {
  const match = WORD.exec(word);
  if (match === null) return undefined;
  const [, runId, runAttempt, mac] = match;
  const text = `f1:${runId}:${runAttempt}`;
  if (!seal.isMacOf(String(mac), ownedText('free re-run', text, owner))) return undefined;
  return { runId: Number(runId), runAttempt: Number(runAttempt) };
}
