export interface Snapshot {
  readonly sha: string;
  readonly tree: string;
}

/** A commit that was the head of a pull request, and its merge base with the base branch. */
export interface RecordedHead {
  readonly head: Snapshot;
  readonly base: Snapshot;
  /** The minutes between the commit dates of the previous commit and of this one. 0 for the first commit. */
  readonly minutes: number;
}

/** A pull request that was merged by a merge commit. */
export interface RecordedChange {
  /** The oldest head comes first. There is at least one. */
  readonly heads: readonly RecordedHead[];
  /** True if a rebase or an amend replaced a commit of the branch. The replaced commit is not recorded. */
  readonly rewritten: boolean;
  /** The merge commit, and the commit of the base branch before the merge. */
  readonly merge: { readonly head: Snapshot; readonly base: Snapshot };
}

/** The classes of waits between two commits, each with its upper limit in minutes. The last class has no limit. */
const WAITS = [
  ['a', 2],
  ['b', 10],
  ['c', 60],
  ['d', Number.POSITIVE_INFINITY],
] as const;

/**
 * Describes what determines the number of scans for a change: which trees are equal, and how long the author waited
 * between the commits.
 *
 * For example, `0.1 b0.2 > 3.4` describes two heads and a merge. The `b` means that the second head came two to ten
 * minutes after the first. Each pair names the tree of the base, then the tree of the head. Equal trees have equal
 * numbers. So both heads have the same base here, and the merge has a different one. A `~` at the start means that the
 * branch was rewritten.
 */
export function shapeOf({ heads, merge, rewritten }: RecordedChange): string {
  const trees: string[] = [];
  const numberOf = ({ tree }: Snapshot) => {
    if (!trees.includes(tree)) trees.push(tree);
    return trees.indexOf(tree);
  };
  const pair = (base: Snapshot, head: Snapshot) => `${numberOf(base)}.${numberOf(head)}`;
  const shown = heads.map(({ head, base, minutes }, index) => {
    const wait = WAITS.find(([, most]) => minutes <= most)?.[0];
    return `${index === 0 ? '' : wait}${pair(base, head)}`;
  });
  return `${rewritten ? '~ ' : ''}${shown.join(' ')} > ${pair(merge.base, merge.head)}`;
}

/**
 * Makes a change of this shape. If `name` is unique, its commits and trees are unique too.
 * @throws if the text is not a shape
 */
export function changeOf(shape: string, name: string): RecordedChange {
  const [, rewritten, heads = '', base = '', head = ''] =
    /^(~ )?((?:[a-d]?\d+\.\d+ )+)> (\d+)\.(\d+)$/.exec(shape) ?? [];
  if (heads === '') throw new Error(`no shape of a change: ${shape}`);
  const commit = (role: string, tree: string): Snapshot => ({
    sha: `${name} ${role}`,
    tree: `${name} tree ${tree}`,
  });
  return {
    rewritten: rewritten !== undefined,
    heads: heads
      .trim()
      .split(' ')
      .map((text, index): RecordedHead => {
        const [, wait, from = '', to = ''] = /^([a-d]?)(\d+)\.(\d+)$/.exec(text) ?? [];
        const most = WAITS.find(([letter]) => letter === wait)?.[1] ?? 0;
        return { head: commit(`head ${index}`, to), base: commit(`base ${from}`, from), minutes: most };
      }),
    merge: { head: commit('merge', head), base: commit(`base ${base}`, base) },
  };
}

/** Counts how often each shape occurs. The most frequent one comes first. */
export function countShapes(changes: readonly RecordedChange[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const change of changes) counts.set(shapeOf(change), (counts.get(shapeOf(change)) ?? 0) + 1);
  const byCount = [...counts].toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
  return Object.fromEntries(byCount);
}

/**
 * Makes as many changes of each shape as were counted.
 * @param name of the repository. Changes of two repositories have no commits or trees in common
 */
export function changesOf(name: string, shapes: Readonly<Record<string, number>>): readonly RecordedChange[] {
  return Object.entries(shapes).flatMap(([shape, count], index) =>
    Array.from({ length: count }, (_, copy) => changeOf(shape, `${name} ${index}/${copy}`)),
  );
}
