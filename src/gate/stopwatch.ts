import type { Clock } from '../clock.ts';
import type { TimeSpent } from '../report/report.ts';

/** Measures where the time of a run goes. */
export interface Stopwatch {
  /** @param ms that the run waited for the service to analyze the repository */
  readonly waitedForReadiness: (ms: number) => void;
  /** @param ms that the run followed a scan, its own or that of another run */
  readonly followedScan: (ms: number) => void;
  /** Up to now. */
  readonly read: () => TimeSpent;
}

/** Starts now. */
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
