import type { Clock } from './clock.ts';
import { Stop } from './domain/stop.ts';

/** GitHub kills a cancelled step 10 s after its first signal; this leaves room to write the outputs. */
const WRAP_UP_AFTER_SIGNAL_MS = 6_500;
/** A launch in flight is worth waiting for, because its answer carries the id that cancelling needs. */
const LAUNCH_AFTER_STOP_MS = 3_500;
/** Cancelling and delivering may run past the step's own timeout by this much. */
const WRAP_UP_AFTER_TIMEOUT_MS = 30_000;

/** The three deadlines of one run, each an abort signal that carries a `Stop`. */
export interface Limits {
  /** Everything up to the verdict: ends with the first stop. */
  readonly work: AbortSignal;
  /** The launch request: a little longer. */
  readonly launch: AbortSignal;
  /** Cancelling, delivering, outputs: longest. */
  readonly wrapUp: AbortSignal;
  /** Stops the work. Only the first cause counts, but a signal still shortens what a timeout left. */
  stop(cause: Stop['cause']): void;
  /** Starts the step's own timeout. */
  startTimeout(minutes: number): void;
}

export function createLimits(clock: Clock): Limits {
  const work = new AbortController();
  const launch = new AbortController();
  const wrapUp = new AbortController();
  const abortLater = (controller: AbortController, ms: number, stop: Stop) =>
    void clock.sleep(ms, controller.signal).then(() => controller.abort(stop));
  const stop = (cause: Stop['cause']) => {
    const reason = new Stop(cause);
    work.abort(reason);
    abortLater(launch, LAUNCH_AFTER_STOP_MS, reason);
    abortLater(wrapUp, cause === 'signal' ? WRAP_UP_AFTER_SIGNAL_MS : WRAP_UP_AFTER_TIMEOUT_MS, reason);
  };
  return {
    work: work.signal,
    launch: launch.signal,
    wrapUp: wrapUp.signal,
    stop,
    startTimeout: (minutes) =>
      void clock.sleep(minutes * 60_000, work.signal).then(() => {
        if (!work.signal.aborted) stop('timeout');
      }),
  };
}
