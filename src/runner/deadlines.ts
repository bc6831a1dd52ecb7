import type { Clock } from '../clock.ts';
import { Stop } from '../domain/stop.ts';

/** GitHub kills a cancelled step 10 s after the first signal. The rest is for writing the outputs. */
const WRAP_UP_AFTER_SIGNAL_MS = 6_500;
/** A launch that was sent gets this time, because cancelling needs the id in its answer. */
const LAUNCH_AFTER_STOP_MS = 3_500;
/** Cancelling and delivering may take this much longer than the step's own timeout. */
const WRAP_UP_AFTER_TIMEOUT_MS = 30_000;
/** This share is kept for the report, so that a service without an answer does not prevent the verdict. */
const TELLING_AFTER_SIGNAL_MS = 1_000;
const TELLING_AFTER_TIMEOUT_MS = 10_000;
/** The time after a stop until cancelling has to end. A search can extend it. */
const CANCELLING_MS = {
  signal: WRAP_UP_AFTER_SIGNAL_MS - TELLING_AFTER_SIGNAL_MS,
  timeout: WRAP_UP_AFTER_TIMEOUT_MS - TELLING_AFTER_TIMEOUT_MS,
} as const;
/** Our choice: an accepted scan is in the service's list long before that. It may exceed the timeout. */
const SEARCH_MS = 60_000;
/** Time for one look. Cancelling still has a second afterwards, and `post` looks again. */
const SEARCH_AFTER_SIGNAL_MS = 1_000;
/** Our choice: enough for a search and a cancellation, without much delay of the end of the job. */
const CLEAN_UP_MS = 75_000;

/** The deadlines of one run. Each is an abort signal whose reason is a `Stop`. */
export interface Deadlines {
  /** For everything up to the verdict: ends with the first stop. */
  readonly work: AbortSignal;
  /** For the launch request: ends a little later. */
  readonly launch: AbortSignal;
  /** For cancelling: ends a little before `wrapUp`. */
  readonly cancelling: AbortSignal;
  /** For the delivery and the outputs: ends last. */
  readonly wrapUp: AbortSignal;
  /** Aborted by the first signal to the process, even after a timeout. */
  readonly signalled: AbortSignal;
  /** Stops the work. Only the first cause counts, but a signal after a timeout still shortens the deadlines. */
  stop(cause: Stop['cause']): void;
  /** Starts the step's own timeout. */
  startTimeout(minutes: number): void;
  /** Milliseconds until that timeout, or infinity before it starts. After a stop: until cancelling ends. */
  leftMs(): number;
  /**
   * Starts the search for a launch whose answer was lost. It has its full time even after a timeout; a signal shortens
   * it.
   */
  startSearch(): AbortSignal;
}

export function createDeadlines(clock: Clock): Deadlines {
  const work = new AbortController();
  const launch = new AbortController();
  const cancelling = new AbortController();
  const wrapUp = new AbortController();
  const signalled = new AbortController();
  let searchEnds = Number.NEGATIVE_INFINITY;
  let endsAt = Number.POSITIVE_INFINITY;

  const abortLater = (controller: AbortController, ms: number, stop: Stop) =>
    void clock.sleep(ms, controller.signal).then(() => controller.abort(stop));
  /** A search starts before this wait ends or not at all, because a launch never takes so long. */
  const abortAfterSearch = (controller: AbortController, ms: number, reason: Stop) =>
    void clock.sleep(ms, controller.signal).then(() => {
      const left = searchEnds + ms - clock.now();
      abortLater(controller, Math.min(Math.max(left, 0), SEARCH_MS), reason);
    });
  const stop = (cause: Stop['cause']) => {
    const reason = new Stop(cause);
    work.abort(reason);
    abortLater(launch, LAUNCH_AFTER_STOP_MS, reason);
    endsAt = clock.now() + CANCELLING_MS[cause];
    if (cause === 'signal') {
      signalled.abort(reason);
      abortLater(cancelling, CANCELLING_MS.signal, reason);
      abortLater(wrapUp, WRAP_UP_AFTER_SIGNAL_MS, reason);
    } else {
      abortAfterSearch(cancelling, CANCELLING_MS.timeout, reason);
      abortAfterSearch(wrapUp, WRAP_UP_AFTER_TIMEOUT_MS, reason);
    }
  };
  return {
    work: work.signal,
    launch: launch.signal,
    cancelling: cancelling.signal,
    wrapUp: wrapUp.signal,
    signalled: signalled.signal,
    stop,
    startTimeout: (minutes) => {
      endsAt = clock.now() + minutes * 60_000;
      void clock.sleep(minutes * 60_000, work.signal).then(() => {
        if (!work.signal.aborted) stop('timeout');
      });
    },
    leftMs: () => endsAt - clock.now(),
    startSearch: () => {
      searchEnds = clock.now() + SEARCH_MS;
      const search = new AbortController();
      abortLater(search, SEARCH_MS, new Stop('timeout'));
      const hurry = () => abortLater(search, SEARCH_AFTER_SIGNAL_MS, new Stop('signal'));
      if (signalled.signal.aborted) hurry();
      else signalled.signal.addEventListener('abort', hurry, { once: true });
      return search.signal;
    },
  };
}

/** The deadlines of the step after the job. */
export interface CleanUpDeadlines {
  readonly all: AbortSignal;
  /** For the search for a launch whose answer was lost: ends earlier. */
  readonly search: AbortSignal;
  /** Milliseconds until `all` ends. */
  leftMs(): number;
}

/** Creates the deadlines, which start now. */
export function createCleanUpDeadlines(clock: Clock): CleanUpDeadlines {
  const after = (ms: number) => {
    const controller = new AbortController();
    void clock.sleep(ms).then(() => controller.abort(new Stop('timeout')));
    return controller.signal;
  };
  const endsAt = clock.now() + CLEAN_UP_MS;
  return { all: after(CLEAN_UP_MS), search: after(SEARCH_MS), leftMs: () => endsAt - clock.now() };
}
