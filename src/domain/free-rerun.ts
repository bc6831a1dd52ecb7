import type { EntryOwner } from './encoded-history.ts';
import type { Seal } from './seal.ts';

export interface RunAttempt {
  readonly runId: number;
  readonly runAttempt: number;
}

/**
 * A re-run that the sweep of the triage action requested. Its jobs may reuse scans that are paid for, but launch none.
 */
export interface FreeRerun extends RunAttempt {
  /**
   * True if the gate has written the result of this attempt into the comment, and one more re-run could have another
   * result.
   */
  readonly mayRepeat: boolean;
}

const WORD = /^(f1:(\d{1,15}):(\d{1,9})(:again)?):([\w-]{43})$/;

/**
 * Encodes the attempt as one word of visible ASCII without `>` and `;`, signed by an HMAC-SHA-256 with the API token.
 */
export function encodeFreeRerun(free: FreeRerun, owner: EntryOwner, seal: Seal): string {
  const text = `f1:${free.runId}:${free.runAttempt}${free.mayRepeat ? ':again' : ''}`;
  return `${text}:${seal.macOf(signed(text, owner))}`;
}

/**
 * Decodes an attempt.
 * @returns undefined if the word is not an attempt, or was not made for this owner with this seal
 */
export function readFreeRerun(word: string, owner: EntryOwner, seal: Seal): FreeRerun | undefined {
  const [, text = '', runId, runAttempt, again, mac = ''] = WORD.exec(word) ?? [];
  if (!seal.isMacOf(mac, signed(text, owner))) return undefined;
  return { runId: Number(runId), runAttempt: Number(runAttempt), mayRepeat: again !== undefined };
}

/**
 * The text that is signed. A re-run repeats every step of the job, and each step can be a gate with its own check
 * name. The entry counts for all these gates, so the text contains no check name.
 */
function signed(text: string, { pullRequest }: EntryOwner): string {
  return JSON.stringify(['free re-run', pullRequest, text]);
}
