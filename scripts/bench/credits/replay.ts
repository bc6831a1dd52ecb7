import { contentKey, exactKey } from '../../../src/scan/scan-mark.ts';
import type { RecordedChange, RecordedHead, Snapshot } from './history.ts';

/** The events on which the workflow runs, and assumptions about what the commits do not show. */
export interface Assumptions {
  /** True if the workflow runs on `merge_group`. Each change then has a group of its own. */
  readonly queue: boolean;
  /** True if the workflow runs on pushes to the base branch. Each merge is then one push. */
  readonly push: boolean;
  /** Commits with at most this many minutes between them count as one push. Undefined: each commit is a push. */
  readonly together: number | undefined;
  /**
   * True if each rewritten branch counts as pushed once before the rewrite. The files of that push differ from those of
   * all recorded pushes.
   */
  readonly rewrites: boolean;
  /**
   * Per change, the average number of runs for a head that is already scanned. Re-runs, new titles and reopened pull
   * requests cause such runs.
   */
  readonly repeats: number;
}

/** A run of the gate, with the values that decide whether it launches a scan. */
export interface GateRun {
  /** Undefined if the event has no pull request. */
  readonly pullRequest: number | undefined;
  readonly head: Snapshot;
  readonly base: Snapshot;
  /** The gate searches for marks in the check runs of the head, and of these commits. */
  readonly readsMarksOf: readonly string[];
}

/** Returns the runs of the gate for these changes, in order. If no scan were reused, each run would launch one. */
export function runsOf(changes: readonly RecordedChange[], assumptions: Assumptions): readonly GateRun[] {
  return changes.flatMap((change, index) => {
    const number = index + 1;
    const pushes = pushesOf(change, number, assumptions);
    const onPullRequest = pushes.map(
      ({ head, base }, push): GateRun => ({
        pullRequest: number,
        head,
        base,
        // The event of a push names the head before the push.
        readsMarksOf: push === 0 ? [] : [pushes[push - 1]?.head.sha ?? ''],
      }),
    );
    const last = onPullRequest.slice(-1);
    const repeats = Math.floor(number * assumptions.repeats) - Math.floor(index * assumptions.repeats);
    const merged: GateRun = {
      ...change.merge,
      pullRequest: undefined,
      readsMarksOf: last.map(({ head }) => head.sha),
    };
    return [
      ...onPullRequest,
      ...Array.from({ length: repeats }, () => last).flat(),
      ...(assumptions.queue ? [merged] : []),
      ...(assumptions.push ? [merged] : []),
    ];
  });
}

function pushesOf(
  { heads, rewritten }: RecordedChange,
  number: number,
  { together, rewrites }: Assumptions,
): readonly Pick<RecordedHead, 'head' | 'base'>[] {
  const pushes = heads.filter((_, index) => {
    const next = heads[index + 1];
    return next === undefined || together === undefined || next.minutes > together;
  });
  const [first] = pushes;
  if (!rewrites || !rewritten || first === undefined) return pushes;
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
export function countLaunches(runs: readonly GateRun[]): number {
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
