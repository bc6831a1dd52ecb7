import type { EntryOwner } from './encoded-history.ts';
import type { Seal } from './seal.ts';

/** One attempt of a workflow run. */
export interface RunAttempt {
  readonly runId: number;
  readonly runAttempt: number;
}

/** An attempt of a run that the sweep asked for: all that it runs may read scans that are paid for, and launches none. */
export interface FreeRerun extends RunAttempt {
  /** The gate ended this attempt, and another one can end differently. */
  readonly mayRepeat: boolean;
}

const WORD = /^(f1:(\d{1,15}):(\d{1,9})(:again)?):([\w-]{43})$/;

/** One word of visible ASCII without `>` and `;`, proven by an HMAC-SHA-256 with the API token. */
export function encodeFreeRerun(free: FreeRerun, owner: EntryOwner, seal: Seal): string {
  const text = `f1:${free.runId}:${free.runAttempt}${free.mayRepeat ? ':again' : ''}`;
  return `${text}:${seal.macOf(signed(text, owner))}`;
}

/** @returns undefined for what is none, or was not made for this owner with this seal */
export function readFreeRerun(word: string, owner: EntryOwner, seal: Seal): FreeRerun | undefined {
  const [, text = '', runId, runAttempt, again, mac = ''] = WORD.exec(word) ?? [];
  if (!seal.isMacOf(mac, signed(text, owner))) return undefined;
  return { runId: Number(runId), runAttempt: Number(runAttempt), mayRepeat: again !== undefined };
}

/** No check name: a re-run runs every step of the job again, and each can be a gate. */
function signed(text: string, { pullRequest }: EntryOwner): string {
  return JSON.stringify(['free re-run', pullRequest, text]);
}
