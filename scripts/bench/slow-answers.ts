import { setTimeout as sleep } from 'node:timers/promises';

/** Lets every answer of a fake server take its time, and remembers when. */
export interface SlowAnswers {
  /** For the `intercept` of any fake server; changes no answer. */
  intercept(): Promise<undefined>;
  /** The time in which at least one answer was being waited for, in milliseconds. */
  waitingMs(): number;
  /** The longest chain of answers of which each began after the one before it had ended. */
  roundTrips(): number;
}

export function createSlowAnswers(latencyMs: number): SlowAnswers {
  const spans: { readonly from: number; readonly to: number }[] = [];
  return {
    async intercept() {
      const from = performance.now();
      await sleep(latencyMs);
      spans.push({ from, to: performance.now() });
      return undefined;
    },
    waitingMs() {
      let total = 0;
      let covered = 0;
      for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
        total += Math.max(0, to - Math.max(from, covered));
        covered = Math.max(covered, to);
      }
      return total;
    },
    roundTrips() {
      let trips = 0;
      let last = 0;
      for (const { from, to } of spans.toSorted((a, b) => a.to - b.to)) {
        if (from < last) continue;
        trips += 1;
        last = to;
      }
      return trips;
    },
  };
}
