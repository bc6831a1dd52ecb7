import { listOpenPullRequests } from '../github/open-pull-requests.ts';
import { type Refusal, unreadable } from './refusal.ts';
import { type Rechecked, type RerunDeps, rerunGate } from './rerun-gate.ts';

/** What a sweep has done. */
export interface Swept {
  /** Pull requests whose check failed, the last updated first. */
  readonly rechecked: readonly Rechecked[];
  /** Pull requests that were listed and not looked at, because of `fault`. */
  readonly left: number;
  /** There are more open pull requests than were listed. */
  readonly more: boolean;
  /** What ended the sweep, or the list of pull requests, early. */
  readonly fault: Refusal | undefined;
}

/** Looks at the open pull requests whose check failed, one after the other. */
export async function sweep(deps: RerunDeps, onDone: (done: Rechecked) => void): Promise<Swept> {
  const { github, inputs, signal } = deps;
  const listed = await listOpenPullRequests(github, inputs.checkName, signal);
  if (!listed.ok) return { rechecked: [], left: 0, more: false, fault: unreadable(listed.error) };
  const { pullRequests, complete, failure } = listed.value;
  const failed = pullRequests.filter(({ checkFailed }) => checkFailed !== false);
  const rechecked: Rechecked[] = [];
  for (const { number, headSha } of failed) {
    const done = await rerunGate(deps, { pullRequest: number, headSha }, { by: 'sweep' });
    onDone(done);
    rechecked.push(done);
    if (done.kind === 'refused' && done.refusal.fault === 'all') {
      const left = failed.length - rechecked.length;
      return { rechecked, left, more: !complete, fault: done.refusal };
    }
  }
  return { rechecked, left: 0, more: !complete, fault: failure && unreadable(failure) };
}
