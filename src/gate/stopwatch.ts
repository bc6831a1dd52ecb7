import type { Clock } from '../clock.ts';
import type { TimeSpent } from '../report/report.ts';

/** Measures how a run spends its time. */
export interface Stopwatch {
  /** Adds time in which the run waited for the service to analyze the repository. @param ms milliseconds */
  readonly waitedForReadiness: (ms: number) => void;
  /** Adds time in which the run followed a scan. Another run may have launched the scan. @param ms milliseconds */
  readonly followedScan: (ms: number) => void;
  /** The times until now. */
  readonly read: () => TimeSpent;
}

/** Starts a stopwatch now. */
export function createStopwatch(clock: Pick<Clock, 'now'>): Stopwatch {
  const start = clock.now();
  let waitedForReadinessMs = 0;
  let scanMs = 0;
  return {
    waitedForReadiness: (ms) => {
      waitedForReadinessMs += ms;
    },
    followedScan: (ms) => {
      scanMs += ms;
    },
    read: () => ({
      waitedForReadinessMs: Math.round(waitedForReadinessMs),
      scanMs: Math.round(scanMs),
      totalMs: Math.round(clock.now() - start),
    }),
  };
}
