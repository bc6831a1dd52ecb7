import type { Clock } from '../clock.ts';
import type { Log } from './log.ts';

/** What every stage of a run needs. */
export interface Step {
  readonly clock: Clock;
  /** Returns a number from 0 up to, but not including, 1. */
  readonly random: () => number;
  /** Aborts when the work has to end. */
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly warn: Warn;
}

/** Logs each sentence at once, and keeps it for the report. Ignores a sentence that it has logged before. */
export type Warn = (...sentences: readonly string[]) => void;

export interface Warnings {
  readonly warn: Warn;
  /** Returns the warnings in the order in which they were given. */
  readonly list: () => readonly string[];
}

export function createWarnings(log: Pick<Log, 'warning'>): Warnings {
  const kept = new Set<string>();
  return {
    warn: (...sentences) => {
      for (const sentence of sentences) {
        if (!kept.has(sentence)) log.warning(sentence);
        kept.add(sentence);
      }
    },
    list: () => [...kept],
  };
}
