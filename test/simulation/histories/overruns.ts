import type { FaultName } from './faults.ts';
import type { Job } from './job.ts';
import type { Exchange } from './network.ts';
import type { SimulatedHistory } from './simulated-history.ts';

/** The promised limits, in milliseconds. */
const LONGEST_REQUEST_MS = 30_000;
const SHORTEST_PAUSE_MS = 1_000;
const WRAP_UP_MS = 30_000;
const SEARCH_MS = 60_000;
const AFTER_SIGNAL_MS = 6_500;
const POST_MS = 75_000;
/** Virtual time is exact, except for rounding. */
const TOLERANCE_MS = 5;
/** The most requests that a run may send. More would be a loop. Polls do not count. */
const MOST_OTHER_REQUESTS = 300;

/** Finds everything that took longer than promised. Also finds requests that were sent too early or too often. */
export function findOverruns(simulated: SimulatedHistory, job: Job): string[] {
  const { plan, startedAt, mainEndedAt = startedAt, signalledAt, post } = job;
  const broken: string[] = [];
  const hold = (what: string, ms: number, most: number) => {
    if (ms > most + TOLERANCE_MS) broken.push(`${what} took ${Math.round(ms)} ms, promised ${most}`);
  };
  const searched = job.log.some((line) => line.includes("Looking for it in the service's scan list"));
  const limit = plan.timeoutMinutes * 60_000 + WRAP_UP_MS + (searched ? SEARCH_MS : 0);
  hold('main', mainEndedAt - startedAt, limit);
  if (signalledAt !== undefined) hold('main after the signal', mainEndedAt - signalledAt, AFTER_SIGNAL_MS);
  if (post !== undefined) hold('post', post.endedAt - post.startedAt, POST_MS);

  const mine = simulated.exchanges.filter(({ process }) => process.run === plan.number);
  for (const { point, sentAt, endedAt, process } of mine) {
    const end = endedAt ?? (process.phase === 'main' ? mainEndedAt : (post?.endedAt ?? mainEndedAt));
    hold(`the request ${point}`, end - sentAt, LONGEST_REQUEST_MS);
  }
  const others = mine.filter(({ point }) => point !== 'scans.read');
  if (others.length > MOST_OTHER_REQUESTS) broken.push(`${others.length} requests`);
  const stops = [signalledAt ?? Number.POSITIVE_INFINITY, startedAt + plan.timeoutMinutes * 60_000];
  broken.push(...findHaste(mine, plan.attempt > 1 ? stops : []));
  return broken;
}

/**
 * After this many failures in a row, the run gives up a request. If the run sends the same request later, it does so
 * for a new reason, and not as a retry.
 */
const ATTEMPTS = 4;
/** A fault that asks for a wait that is longer than the run. */
const OUTLASTS_RUN: FaultName = '429 huge';

/**
 * Finds failed requests to the service that were sent again without a pause. Ignores requests to GitHub. Several
 * concurrent requests to GitHub have the same address, so their retries cannot be distinguished.
 * @param rerunStops when a signal and the timeout stop the run; empty for a first attempt
 */
function findHaste(exchanges: readonly Exchange[], rerunStops: readonly number[]): string[] {
  const failures = new Map<string, number>();
  return exchanges.flatMap((exchange, index) => {
    const { fault, endedAt, path, process, side, point } = exchange;
    if (endedAt === undefined || side === 'github') return [];
    const key = `${process.phase} ${path}`;
    const inARow = fault === undefined ? 0 : (failures.get(key) ?? 0) + 1;
    const isPoll = point === 'scans.read';
    const isGivenUp = !isPoll && (inARow === ATTEMPTS || fault === OUTLASTS_RUN);
    failures.set(key, isGivenUp ? 0 : inARow);
    if (fault === undefined || isGivenUp) return [];
    const again = exchanges
      .slice(index + 1)
      .find((one) => one.path === path && one.process === process && one.sentAt >= endedAt);
    // The run reads a scan at once after it has cancelled the scan. If a scan does not show its launch time, the run
    // reads the time from the list, and then begins to poll. These reads are not retries.
    const isNew = exchanges.some(
      (one) =>
        (one.point === 'scans.cancel' || (isPoll && one.point === 'scans.list' && one.fault === undefined)) &&
        one.process === process &&
        one.sentAt >= endedAt &&
        one.sentAt <= (again?.sentAt ?? 0),
    );
    // A stop ends the retries of the first request. On a closed pull request, a stopped re-run then asks for its project
    // again, to cancel the scans of an earlier attempt.
    const isAfterStop =
      point === 'token' && rerunStops.some((stop) => endedAt <= stop && stop <= (again?.sentAt ?? 0));
    if (isNew || isAfterStop) return [];
    const pause = again === undefined ? SHORTEST_PAUSE_MS : again.sentAt - endedAt;
    return pause + TOLERANCE_MS < SHORTEST_PAUSE_MS
      ? [`${path} again after ${Math.round(pause)} ms (${fault})`]
      : [];
  });
}
