import { contentKey, exactKey } from '../../../src/scan/scan-mark.ts';
import type { RecordedChange, RecordedHead, Snapshot } from './shape.ts';

/** The events on which the workflow runs, beside those of pull requests. */
export interface Events {
  /** True if the workflow runs on `merge_group`. Each change then has a group of its own. */
  readonly queue: boolean;
  /** True if the workflow runs on pushes to the base branch. Each merge is then one push. */
  readonly push: boolean;
}

/** Our choice: commits with at most this many minutes between them count as one push. */
const TOGETHER_MINUTES = 10;

/**
 * Returns the runs of the gate for these changes, in order. If no scan were reused, each run would launch one. The gate
 * searches for marks in the check runs of the head, and of the commits in `readsMarksOf`.
 */
export function runsOf(changes: readonly RecordedChange[], events: Events) {
  return changes.flatMap((change, index) => {
    const pullRequest = index + 1;
    const pushes = pushesOf(change, pullRequest);
    const onPullRequest = pushes.map(({ head, base }, push) => {
      // The event of a push names the head before the push.
      return { pullRequest, head, base, readsMarksOf: pushes.slice(0, push).slice(-1).map(shaOf) };
    });
    const merged = {
      ...change.merge,
      pullRequest: undefined,
      readsMarksOf: onPullRequest.slice(-1).map(shaOf),
    };
    return [...onPullRequest, ...(events.queue ? [merged] : []), ...(events.push ? [merged] : [])];
  });
}

function shaOf({ head }: { readonly head: Snapshot }): string {
  return head.sha;
}

/**
 * The pushes to a pull request. A rewritten branch counts as pushed once before the rewrite. The files of that push
 * differ from those of all recorded pushes.
 */
function pushesOf({ heads, rewritten }: RecordedChange, number: number) {
  const pushes: readonly Pick<RecordedHead, 'head' | 'base'>[] = heads.filter(
    (_, index) => (heads[index + 1]?.minutes ?? Number.POSITIVE_INFINITY) > TOGETHER_MINUTES,
  );
  const [first] = pushes;
  if (!rewritten || first === undefined) return pushes;
  const unrecorded = `before the rewrite of ${number}`;
  return [{ head: { sha: unrecorded, tree: unrecorded }, base: first.base }, ...pushes];
}

/** The members of a scan's key that are equal for all runs of a workflow. */
const CHOSEN = { repositoryId: 'repository', presetRef: 'preset', creditBudget: 20, launchParameters: {} };

/**
 * Counts the scans that Scangate launches for these runs. Uses Scangate's own keys. A run launches no scan if it reads
 * a mark with its exact key or its content key. We assume that each run ends before the next one starts, and that each
 * scan completes.
 */
export function countLaunches(runs: ReturnType<typeof runsOf>): number {
  const marks = new Map<string, Set<string>>();
  let launches = 0;
  for (const { pullRequest, head, base, readsMarksOf } of runs) {
    const fields = { ...CHOSEN, pullRequest, headSha: head.sha, baseSha: base.sha };
    const keys = [exactKey(fields), contentKey(fields, { base: base.tree, head: head.tree })];
    const places = [head.sha, ...readsMarksOf];
    if (!places.some((place) => keys.some((key) => marks.get(place)?.has(key) === true))) launches += 1;
    marks.set(head.sha, new Set([...(marks.get(head.sha) ?? []), ...keys]));
  }
  return launches;
}
