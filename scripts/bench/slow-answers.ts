import { setTimeout as sleep } from 'node:timers/promises';

/** Delays all answers of a fake server, and records their times. */
export interface SlowAnswers {
  /** Pass this function as the option `intercept` of a fake server. It only delays the answers. */
  intercept(): Promise<undefined>;
  /** The time in which one or more answers were outstanding, in milliseconds. */
  waitingMs(): number;
  /** The length of the longest chain of answers. Each answer in it begins after the previous one has ended. */
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
