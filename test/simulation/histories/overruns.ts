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
/** Virtual time is exact, but for what is rounded. */
const TOLERANCE_MS = 5;
/** More than this would be a loop; a scan that is polled every second is no loop. */
const MOST_OTHER_REQUESTS = 300;

/** Everything that took longer, or came faster or more often, than was promised. */
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
  broken.push(...findHaste(mine));
  return broken;
}

/** After so many failures in a row a question is given up; who asks it later, for another reason, does not retry. */
const ATTEMPTS = 4;
/** Waiting does not change it, so the request is not retried. */
const FINAL: FaultName = 'redirect after';
/** The wait that it asks for is longer than the run. */
const OUTLASTS_RUN: FaultName = '429 never';

/**
 * A failed request to the service that was sent again without a pause. On GitHub, several concurrent requests share an
 * address, so that their retries cannot be distinguished here.
 */
function findHaste(exchanges: readonly Exchange[]): string[] {
  const failures = new Map<string, number>();
  return exchanges.flatMap((exchange, index) => {
    const { fault, endedAt, path, process, side, point } = exchange;
    if (endedAt === undefined || side === 'github') return [];
    const key = `${process.phase} ${path}`;
    const inARow = fault === undefined ? 0 : (failures.get(key) ?? 0) + 1;
    const isPoll = point === 'scans.read';
    const isGivenUp = fault === FINAL || (!isPoll && (inARow === ATTEMPTS || fault === OUTLASTS_RUN));
    failures.set(key, isGivenUp ? 0 : inARow);
    if (fault === undefined || isGivenUp) return [];
    const again = exchanges
      .slice(index + 1)
      .find((one) => one.path === path && one.process === process && one.sentAt >= endedAt);
    // After a scan was cancelled it is read at once: a new question, not the old one again.
    const isNew = exchanges.some(
      (one) => one.point === 'scans.cancel' && one.sentAt >= endedAt && one.sentAt <= (again?.sentAt ?? 0),
    );
    if (isNew) return [];
    const pause = again === undefined ? SHORTEST_PAUSE_MS : again.sentAt - endedAt;
    return pause + TOLERANCE_MS < SHORTEST_PAUSE_MS
      ? [`${path} again after ${Math.round(pause)} ms (${fault})`]
      : [];
  });
}
