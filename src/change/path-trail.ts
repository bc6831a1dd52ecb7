import { ok, type Result } from '../domain/result.ts';
import { identityOf, readTree, type TreeEntry } from '../github/git-tree.ts';
import type { GitHubError } from '../github/github-error.ts';
import type { GitHubClient } from '../github/octokit.ts';

/** What stands for each name of a path, from the first folder down; shorter where a name is not there. */
export type PathTrail = readonly TreeEntry[];

export interface FoundEntry {
  /** Undefined where there is nothing at the path. */
  readonly entry: TreeEntry | undefined;
  readonly trail: PathTrail;
}

/**
 * Looks a path up in the files of a commit, one folder after the other. A symlink on the way is not followed.
 * @param like the trail of another commit, or none: where a folder on the way is the same, the rest of the way is, too
 */
export async function findEntry(
  { github, signal }: { readonly github: GitHubClient; readonly signal: AbortSignal },
  commitSha: string,
  path: string,
  ...like: PathTrail
): Promise<Result<FoundEntry, GitHubError>> {
  const names = path.split('/');
  const trail: TreeEntry[] = [];
  let sha = commitSha;
  for (const [depth, name] of names.entries()) {
    const tree = await readTree(github, sha, signal);
    if (!tree.ok) return tree;
    const entry = tree.value.get(name);
    if (entry === undefined) return ok({ entry: undefined, trail });
    trail.push(entry);
    if (identityOf(entry) === identityOf(like[depth]))
      return ok({ entry: entryAt(like, names), trail: like });
    if (depth < names.length - 1 && entry.kind !== 'folder') return ok({ entry: undefined, trail });
    sha = entry.sha;
  }
  return ok({ entry: entryAt(trail, names), trail });
}

/** Is the same there at both ends, or nothing at either? */
export function leadToSame(path: string, one: PathTrail, other: PathTrail): boolean {
  const names = path.split('/');
  return identityOf(entryAt(one, names)) === identityOf(entryAt(other, names));
}

function entryAt(trail: PathTrail, names: readonly string[]): TreeEntry | undefined {
  return trail[names.length - 1];
}
