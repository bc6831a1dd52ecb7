import type { DiffBase, ScanTarget } from '../domain/target.ts';
import type { GitHubAccess } from '../github/access.ts';
import { mergeBaseByCompare } from '../github/compare.ts';
import { listComparedCommits } from '../github/compared-commits.ts';

/** The most commits besides `baseSha` that are checked as possible merge bases. Each takes one request. Our choice. */
const MOST_PARENTS = 5;

/**
 * True if `baseSha` is the only merge base of the change. False if the number of merge bases is not known.
 *
 * With one merge base, the merge changes exactly the files that differ between this base and the head. With several
 * merge bases, the merge can also undo a change that only one of them contains.
 */
export async function hasOneMergeBase(
  { github, signal }: GitHubAccess,
  { base }: Pick<ScanTarget, 'base'>,
  { baseSha, headSha }: DiffBase,
): Promise<boolean> {
  // A merge group is built on its base. So the base is the only merge base.
  if (base.kind !== 'branch') return base.kind === 'merge-group';
  if (base.tip === undefined || baseSha === undefined) return false;
  if (base.tip === baseSha) return true;
  const listed = await listComparedCommits(github, { base: base.tip, head: headSha }, signal);
  if (!listed.ok || listed.value === undefined) return false;
  const own = new Set(listed.value.map(({ sha }) => sha));
  // Every merge base is a parent of one of the listed commits. The head contains these commits, and the base branch
  // does not.
  const shared = new Set(listed.value.flatMap(({ parents }) => parents).filter((sha) => !own.has(sha)));
  if (!shared.delete(baseSha) || shared.size > MOST_PARENTS) return false;
  const older = await Promise.all(
    [...shared].map(async (sha) => {
      const found = await mergeBaseByCompare(github, { base: baseSha, head: sha }, signal);
      return found.ok && found.value.sha === sha;
    }),
  );
  return older.every(Boolean);
}
