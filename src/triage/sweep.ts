import { listOpenPullRequests } from '../github/open-pull-requests.ts';
import { type Refusal, unreadable } from './refusal.ts';
import { type Rechecked, type RerunDeps, rerunGate } from './rerun-gate.ts';

export interface Swept {
  /** The results for the pull requests that were checked, in the order of the checks. */
  readonly rechecked: readonly Rechecked[];
  /** How many of the listed pull requests were not checked because of `fault`. */
  readonly left: number;
  /** True if there are more open pull requests than the list has. */
  readonly more: boolean;
  /** The fault that ended the sweep, or that made the list of pull requests incomplete. */
  readonly fault: Refusal | undefined;
}

/**
 * Our choice: a sweep ends after this many outages in a row. GitHub or the service is then probably down, and each
 * further pull request would take the time of all retries.
 */
const MOST_OUTAGES = 3;

/**
 * Checks the open pull requests whose check failed or may have failed, one after the other. Each sweep starts at a
 * random place in the list. So every pull request is checked at some time, even if a limit ends each sweep early.
 * @param random returns a number from 0 up to, but not including, 1
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
