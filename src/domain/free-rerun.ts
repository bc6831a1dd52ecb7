import type { EntryOwner } from './encoded-history.ts';
import type { Seal } from './seal.ts';

export interface RunAttempt {
  readonly runId: number;
  readonly runAttempt: number;
}

/** A re-run that the sweep of the triage action requested. Its jobs may reuse scans, but may not launch any. */
export interface FreeRerun extends RunAttempt {
  /** True if the gate wrote the result of this attempt into the comment. The sweep may then request one more re-run. */
  readonly mayRepeat: boolean;
}

const FREE_RERUN_TEXT = /^(f1:(\d{1,15}):(\d{1,9})(:again)?):([\w-]{43})$/;

/** Encodes the attempt as one word of visible ASCII. The word contains no `>` and no `;`, and ends with a signature. */
export function encodeFreeRerun(free: FreeRerun, owner: EntryOwner, seal: Seal): string {
  const text = `f1:${free.runId}:${free.runAttempt}${free.mayRepeat ? ':again' : ''}`;
  return `${text}:${seal.macOf(signedRerun(text, owner))}`;
}

/**
 * Decodes an attempt.
 * @returns undefined if the word is not an attempt that this seal signed for this owner
 */
export function readFreeRerun(word: string, owner: EntryOwner, seal: Seal): FreeRerun | undefined {
  const [, text = '', runId, runAttempt, again, mac = ''] = FREE_RERUN_TEXT.exec(word) ?? [];
  if (!seal.isMacOf(mac, signedRerun(text, owner))) return undefined;
  return { runId: Number(runId), runAttempt: Number(runAttempt), mayRepeat: again !== undefined };
}

/**
 * The text that is signed. It contains no check name, because the entry counts for all gates in the job. Each step can
 * be a gate with its own check name.
 */
function signedRerun(text: string, { pullRequest }: EntryOwner): string {
  return JSON.stringify(['free re-run', pullRequest, text]);
}
