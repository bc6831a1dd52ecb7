import type { Clock } from '../clock.ts';
import { Stop } from '../domain/stop.ts';

/** GitHub kills a cancelled step 10 s after its first signal; this leaves time to write the outputs. */
const WRAP_UP_AFTER_SIGNAL_MS = 6_500;
/** A launch in flight is worth waiting for, because its answer carries the id that cancelling needs. */
const LAUNCH_AFTER_STOP_MS = 3_500;
/** Cancelling and delivering may run past the step's own timeout by this much. */
const WRAP_UP_AFTER_TIMEOUT_MS = 30_000;
/** The share of it that is kept for the report: a service that does not answer must not prevent the verdict. */
const TELLING_AFTER_SIGNAL_MS = 1_000;
const TELLING_AFTER_TIMEOUT_MS = 10_000;
/** From a stop until cancelling has to be over, but for a search. */
const CANCELLING_MS = {
  signal: WRAP_UP_AFTER_SIGNAL_MS - TELLING_AFTER_SIGNAL_MS,
  timeout: WRAP_UP_AFTER_TIMEOUT_MS - TELLING_AFTER_TIMEOUT_MS,
} as const;
/** Chosen: a scan that was accepted is in the service's list long before that. May run past the timeout. */
const SEARCH_MS = 60_000;
/** Time for one look, after which cancelling still has a second and `post` looks again. */
const SEARCH_AFTER_SIGNAL_MS = 1_000;
/** Chosen: a job that ends should not be kept for long; a search and cancelling fit in. */
const CLEAN_UP_MS = 75_000;

/** The deadlines of one run, each an abort signal that carries a `Stop`. */
export interface Deadlines {
  /** Everything up to the verdict: ends with the first stop. */
  readonly work: AbortSignal;
  /** The launch request: a little longer. */
  readonly launch: AbortSignal;
  /** Cancelling: a little shorter than everything else. */
  readonly cancelling: AbortSignal;
  /** Delivering, outputs: longest. */
  readonly wrapUp: AbortSignal;
  /** Ends with the first signal to the process, even where a timeout came before it. */
  readonly signalled: AbortSignal;
  /** Stops the work. Only the first cause counts, but a signal still shortens what a timeout left. */
  stop(cause: Stop['cause']): void;
  /** Starts the step's own timeout. */
  startTimeout(minutes: number): void;
  /** Milliseconds until that timeout, infinite before it is started; once stopped, until cancelling ends. */
  leftMs(): number;
  /** Begins to look for a launch whose answer was lost: so long, whatever the timeout; a signal cuts it short. */
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
  /** A search has begun by the end of the wait or never will: a launch is not awaited for so long. */
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
  /** Shorter: the search for a launch whose answer was lost. */
  readonly search: AbortSignal;
  /** Milliseconds until `all` ends. */
  leftMs(): number;
}

/** They begin now. */
export function createCleanUpDeadlines(clock: Clock): CleanUpDeadlines {
  const after = (ms: number) => {
    const controller = new AbortController();
    void clock.sleep(ms).then(() => controller.abort(new Stop('timeout')));
    return controller.signal;
  };
  const endsAt = clock.now() + CLEAN_UP_MS;
  return { all: after(CLEAN_UP_MS), search: after(SEARCH_MS), leftMs: () => endsAt - clock.now() };
}
