import type { Clock } from '../clock.ts';
import { Stop } from '../domain/result.ts';

/**
 * Our choice: after a signal, a run has this time to cancel its scan and deliver its result. GitHub kills a cancelled
 * step 10 s after the first signal. The seconds that remain are for writing the outputs.
 */
const WRAP_UP_AFTER_SIGNAL_MS = 6_500;
/**
 * After a stop, a run waits this long for the answer to its launch request. The run needs the scan id in the answer to
 * cancel the scan.
 */
const LAUNCH_AFTER_STOP_MS = 3_500;
/** After the step's own timeout, a run has this time to cancel its scan and deliver its result. */
const WRAP_UP_AFTER_TIMEOUT_MS = 30_000;
/**
 * This long before its deadline, a run stops trying to cancel its scan. It then delivers its verdict, even if the
 * service has not answered the cancellation.
 */
const TELLING_AFTER_SIGNAL_MS = 1_000;
const TELLING_AFTER_TIMEOUT_MS = 10_000;
/**
 * After a stop, a run has this time to cancel its scan. If the answer to the launch was lost, the run searches for the
 * scan. After a timeout, this search makes the time longer.
 */
const CANCELLING_MS = {
  signal: WRAP_UP_AFTER_SIGNAL_MS - TELLING_AFTER_SIGNAL_MS,
  timeout: WRAP_UP_AFTER_TIMEOUT_MS - TELLING_AFTER_TIMEOUT_MS,
} as const;
/**
 * A run searches for its scan if the answer to the launch was lost. Our choice: the search has this time limit. The
 * service usually lists an accepted scan much sooner. The search may end after the timeout of the step.
 */
const SEARCH_MS = 60_000;
/**
 * After a signal, the search has this time. It is enough to read the scan list once. The run then still has one second
 * to cancel the scan. The `post` step searches again.
 */
const SEARCH_AFTER_SIGNAL_MS = 1_000;
/**
 * Our choice: the time limit of the `post` step. A search and a cancellation fit in this time. A longer limit could
 * delay the end of the job.
 */
const CLEAN_UP_MS = 75_000;

/** The deadlines of one run. Each is an abort signal whose reason is a `Stop`. */
export interface Deadlines {
  /** For all work up to the verdict. Aborts at the first stop. */
  readonly work: AbortSignal;
  /** For the launch request. Aborts a little later than `work`. */
  readonly launch: AbortSignal;
  /** For cancelling. Aborts a little earlier than `wrapUp`. */
  readonly cancelling: AbortSignal;
  /** For the delivery and the outputs. Aborts last. */
  readonly wrapUp: AbortSignal;
  /** Aborts at the first signal to the process, even after a timeout. */
  readonly signalled: AbortSignal;
  /** Stops the work. Only the first call sets the cause. A signal after a timeout still shortens the deadlines. */
  stop(cause: Stop['cause']): void;
  /** Starts the timeout of the step. */
  startTimeout(minutes: number): void;
  /**
   * The milliseconds until the timeout. Infinity if the timeout has not started. After a stop, the milliseconds until
   * `cancelling` aborts, not counting the delay by a search.
   */
  leftMs(): number;
  /**
   * Starts the search for the scan of a launch whose answer was lost. A timeout does not shorten the search, but a
   * signal does.
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
  /**
   * Aborts after `ms` milliseconds. If a search has started by then, aborts `ms` milliseconds after the time limit of
   * the search. A search delays the abort by at most `SEARCH_MS`.
   *
   * `work` and `launch` abort earlier, so no search starts after the `ms` milliseconds.
   */
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

/** The deadlines of the `post` step. */
export interface CleanUpDeadlines {
  readonly all: AbortSignal;
  /** For the search for the scan of a launch whose answer was lost. Aborts earlier than `all`. */
  readonly search: AbortSignal;
  /** The milliseconds until `all` aborts. */
  leftMs(): number;
}

/** Creates the deadlines of the `post` step. They start now. */
export function createCleanUpDeadlines(clock: Clock): CleanUpDeadlines {
  const after = (ms: number) => {
    const controller = new AbortController();
    void clock.sleep(ms).then(() => controller.abort(new Stop('timeout')));
    return controller.signal;
  };
  const endsAt = clock.now() + CLEAN_UP_MS;
  return { all: after(CLEAN_UP_MS), search: after(SEARCH_MS), leftMs: () => endsAt - clock.now() };
}
