import * as v from 'valibot';
import type { Result } from '../domain/result.ts';
import type { GitHubError } from './errors.ts';
import { type GitHubClient, read } from './octokit.ts';
import { Content, ObjectId } from './schemas.ts';

/** An entry of a folder. `other` means a mode that git does not write today. */
export interface TreeEntry {
  readonly kind: 'file' | 'folder' | 'symlink' | 'submodule' | 'other';
  /** The mode as git writes it: `100644`, `100755` and so on. */
  readonly mode: string;
  /** The id of the file, the folder or the submodule's commit. Equal ids mean equal content, byte for byte. */
  readonly sha: string;
  /** The size of a file in bytes; undefined if GitHub does not show it. */
  readonly size: number | undefined;
}

/** A folder of the repository: its entries by name. */
export type Tree = ReadonlyMap<string, TreeEntry>;

const KINDS: ReadonlyMap<string, TreeEntry['kind']> = new Map([
  ['100644', 'file'],
  ['100755', 'file'],
  ['040000', 'folder'],
  ['120000', 'symlink'],
  ['160000', 'submodule'],
]);

const TreeAnswer = v.pipe(
  v.object({
    tree: v.pipe(
      v.array(
        v.object({
          path: v.pipe(v.string(), v.regex(/^[^/]+$/)),
          mode: v.string(),
          sha: ObjectId,
          size: v.optional(v.number()),
        }),
      ),
      // GitHub replaces bytes that are not UTF-8, so two different names can become equal.
      v.check((entries) => new Set(entries.map(({ path }) => path)).size === entries.length),
    ),
    // Rejects an incomplete list, because an entry that is not listed could still exist.
    truncated: v.literal(false),
  }),
  v.transform(({ tree }): Tree => {
    const entryOf = (mode: string, sha: string, size: number | undefined): TreeEntry => {
      return { kind: KINDS.get(mode) ?? 'other', mode, sha, size };
    };
    return new Map(tree.map(({ path, mode, sha, size }) => [path, entryOf(mode, sha, size)]));
  }),
);

/**
 * Reads one folder. Does not use the contents API, which shows no modes, follows symlinks, and lists submodules as
 * files.
 * @param sha the id of a tree or a commit; a commit stands for its root folder
 */
export function readTree(github: GitHubClient, sha: string): Promise<Result<Tree, GitHubError>> {
  return read(github, {
    operation: 'read a folder of the repository',
    permission: 'contents: read',
    route: 'GET /repos/{owner}/{repo}/git/trees/{tree_sha}',
    parameters: { tree_sha: sha },
    answer: TreeAnswer,
  });
}

/** Reads one folder. @param sha the id of a tree or a commit; a commit stands for its root folder */
export type ReadTree = (sha: string) => Promise<Result<Tree, GitHubError>>;

/** Returns a `readTree` that reads each folder only once. */
export function treesOnce(github: GitHubClient): ReadTree {
  const read = new Map<string, Promise<Result<Tree, GitHubError>>>();
  return (sha) => {
    const answer = read.get(sha) ?? readTree(github, sha);
    read.set(sha, answer);
    return answer;
  };
}

/**
 * Describes an entry. Two descriptions are equal only if mode and content are equal. Making a file executable changes
 * the description.
 */
export function identityOf(entry: TreeEntry | undefined): string {
  return `${entry?.mode} ${entry?.sha}`;
}

/** Reads the bytes of a file. The id comes from a tree. */
export function readBlob(github: GitHubClient, sha: string) {
  return read(github, {
    operation: 'read a file of the repository',
    permission: 'contents: read',
    route: 'GET /repos/{owner}/{repo}/git/blobs/{file_sha}',
    parameters: { file_sha: sha },
    answer: Content,
  });
}
