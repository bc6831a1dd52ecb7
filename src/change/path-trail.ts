import { ok, type Result } from '../domain/result.ts';
import type { GitHubAccess } from '../github/access.ts';
import { identityOf, readTree, type TreeEntry } from '../github/git-tree.ts';
import type { GitHubError } from '../github/github-error.ts';

/**
 * The entry for each name of a path, from the first folder to the file. The trail ends before the first name that does
 * not exist.
 */
export type PathTrail = readonly TreeEntry[];

export interface FoundEntry {
  /** Undefined if the path does not exist. */
  readonly entry: TreeEntry | undefined;
  readonly trail: PathTrail;
}

/**
 * Looks up a path in the files of a commit, one folder at a time. Does not follow symlinks.
 * @param like the trail of the same path in a different commit, if there is one. If a folder on the path is equal in
 * both commits, the rest of this trail is reused
 */
export async function findEntry(
  { github, signal }: GitHubAccess,
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

/** True if both trails end at the same entry, or if neither trail reaches the file. */
export function leadToSame(path: string, one: PathTrail, other: PathTrail): boolean {
  const names = path.split('/');
  return identityOf(entryAt(one, names)) === identityOf(entryAt(other, names));
}

function entryAt(trail: PathTrail, names: readonly string[]): TreeEntry | undefined {
  return trail[names.length - 1];
}
