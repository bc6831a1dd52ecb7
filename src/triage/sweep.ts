import { listOpenPullRequests } from '../github/open-pull-requests.ts';
import { type Refusal, unreadable } from './refusal.ts';
import { type Rechecked, type RerunDeps, rerunGate } from './rerun-gate.ts';

/** What a sweep has done. */
export interface Swept {
  /** Pull requests whose check failed, the most recently updated first. */
  readonly rechecked: readonly Rechecked[];
  /** How many listed pull requests were not looked at because of `fault`. */
  readonly left: number;
  /** True if more pull requests are open than were listed. */
  readonly more: boolean;
  /** The fault that ended the sweep, or the list of pull requests, early. */
  readonly fault: Refusal | undefined;
}

/**
 * Our choice: GitHub or the service is then down for all pull requests, and each one costs the waits of all its
 * retries.
 */
const MOST_OUTAGES = 3;

/**
 * Looks at the open pull requests whose check failed, one after the other. Starts at a random place in the list, so
 * that a sweep which a rate limit or the time limit ends early does not leave out the same ones every time.
 * @param random 0 up to, but not including, 1
 */
export async function sweep(
  deps: RerunDeps,
  random: () => number,
  onDone: (done: Rechecked) => void,
): Promise<Swept> {
  const { github, inputs, signal } = deps;
  const listed = await listOpenPullRequests(github, inputs.checkName, signal);
  if (!listed.ok) return { rechecked: [], left: 0, more: false, fault: unreadable(listed.error) };
  const { pullRequests, complete, failure } = listed.value;
  const failed = pullRequests.filter(({ checkFailed }) => checkFailed !== false);
  const first = Math.floor(random() * failed.length);
  const rechecked: Rechecked[] = [];
  let outages = 0;
  for (const { number, headSha } of [...failed.slice(first), ...failed.slice(0, first)]) {
    const done = await rerunGate(deps, { pullRequest: number, headSha }, { by: 'sweep' });
    onDone(done);
    rechecked.push(done);
    const fault = done.kind === 'refused' ? done.refusal.fault : 'no';
    outages = fault === 'outage' ? outages + 1 : 0;
    if (done.kind === 'refused' && (fault === 'all' || outages === MOST_OUTAGES)) {
      const left = failed.length - rechecked.length;
      return { rechecked, left, more: !complete, fault: done.refusal };
    }
  }
  return { rechecked, left: 0, more: !complete, fault: failure && unreadable(failure) };
}
