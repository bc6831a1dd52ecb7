import { isTerminal } from '../../sandbox/scan-service/scan-status.ts';
import type { Hit } from './fault-injector.ts';
import type { Promised } from './policy.ts';
import type { CompletedCell } from './run-cell.ts';

/** The most requests that a run may send besides the promised ones. More would be a loop. */
const MOST_OTHER_REQUESTS = 100;
/** The shortest pause between two attempts, by the action's own clock. */
const SHORTEST_PAUSE_MS = 1_000;
/** The longest time that a run may take. It covers the polls, a cancellation, and the delivery with all retries. */
const LONGEST_MS = 25 * 60_000;

/**
 * Compares what happened with what was promised. The ledger and the stores of the fake servers are the evidence.
 * @returns the broken promises, in words
 */
export function findFaults(completed: CompletedCell, promised: Promised): string[] {
  const { service, github } = completed.environment;
  const { main, post, hits } = completed;
  const scans = service.scans();
  const ledger = service.ledger();
  const bought = sum(ledger.entries.filter(({ kind }) => kind === 'purchase'));
  const running = scans.filter(({ status }) => !isTerminal(status));
  const outcome = main.outputs['outcome'] ?? '';
  const isGreen = main.exitCode === 0;
  const unproven = !['passed', 'unchanged'].includes(outcome);
  const unread = outcome === 'passed' && scans.at(0)?.status !== 'COMPLETED';
  const missed = isGreen && promised.outcome !== 'passed';
  const broken: string[] = [];
  const hold = (what: string, is: unknown, wanted: unknown) => {
    if (is !== wanted) broken.push(`${what}: ${String(is)}, promised ${String(wanted)}`);
  };
  const atMost = (what: string, is: number, most: number) => {
    if (!(is <= most)) broken.push(`${what}: ${is}, at most ${most} promised`);
  };

  hold('the fault came about', completed.struck, true);
  hold('outcome', outcome, promised.outcome);
  hold('reason', main.outputs['reason'], promised.reason);
  hold('exit code', main.exitCode, promised.outcome === 'passed' ? 0 : 1);
  hold('false green', isGreen && (unproven || unread || missed), false);
  hold('signal', main.signal, null);
  hold('stderr', main.stderr, '');
  hold('scans', scans.length, promised.scans);
  hold('left running by main', completed.mayStillBeRunning, promised.mayStillBeRunning);
  const left = promised.isLeft === true && promised.scans > 0;
  hold('running after post', running.length, left ? 1 : 0);
  hold('credits are reserved', ledger.reserved > 0, left);
  hold('credits in all', ledger.balance + ledger.spent + ledger.reserved, bought);
  hold('comments', github.comments.length, promised.comments);
  hold('check runs', github.checkRuns.length, promised.checkRuns);
  for (const { status } of github.checkRuns) hold('check run', status, 'completed');
  hold('published', scans[0]?.publishedAs !== undefined, promised.published);
  hold('exit code of post', post?.exitCode ?? 0, promised.isLeft ? 1 : 0);
  atMost('requests at the point', hits.length, promised.requests);
  atMost(
    'requests in all',
    service.requests.length + github.requests.length,
    promised.requests + MOST_OTHER_REQUESTS,
  );
  // The bundle runs in real time, which depends on the machine. So the times of the bundle are not checked.
  if (completed.environment.driver === 'in process') {
    const pause = shortestPause(hits);
    if (pause < SHORTEST_PAUSE_MS) broken.push(`tried again after ${pause} ms, a second promised`);
    atMost('milliseconds', main.durationMs, LONGEST_MS);
  }
  const strayed = service.requests.filter(({ path }) => !path.startsWith('/api/v1/'));
  hold('requests beside the API', strayed.length, 0);
  return broken;
}

/** The shortest time between a broken request and the next try of the same request, in milliseconds. */
function shortestPause(hits: readonly Hit[]): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (const [index, hit] of hits.entries()) {
    const before = hits
      .slice(0, index)
      .findLast(({ what, round }) => what === hit.what && round === hit.round);
    if (before?.isBroken) shortest = Math.min(shortest, hit.at - before.at);
  }
  return shortest;
}

function sum(entries: readonly { readonly credits: number }[]): number {
  return entries.reduce((total, { credits }) => total + credits, 0);
}
