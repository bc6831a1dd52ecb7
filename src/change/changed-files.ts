import { err, ok, type Result } from '../domain/result.ts';
import { identityOf, type ReadTree, type Tree, type TreeEntry } from '../github/git-tree.ts';
import type { GitHubError } from '../github/github-error.ts';

/** A path at which base and head differ. A renamed file is two of them: the old path and the new one. */
export interface ChangedFile {
  readonly path: string;
  /** The entry in the base and the entry in the head; undefined if the path does not exist there. Never a folder. */
  readonly entries: readonly TreeEntry[];
}

/**
 * Why there is no list. An error: GitHub does not show it. Undefined: there are more files or folders than our limits.
 */
export type NoList = GitHubError | undefined;

/** Our choice, equal to the number of files in GitHub's comparison. */
export const MOST_FILES = 300;
/** Our choice; each folder takes two requests. */
export const MOST_FOLDERS = 30;

interface Folder {
  /** Empty for the root folder, otherwise with a `/` at the end. */
  readonly path: string;
  /** Undefined if it is not a folder on that side. */
  readonly base: string | undefined;
  readonly head: string | undefined;
}

/**
 * Lists the files that differ between two commits by comparing their folders. The list is complete, shows the mode on
 * both sides, and does not guess renames. A folder that is equal on both sides is not read. GitHub's own lists of
 * changed files show no modes, and end after some hundred files.
 * @param isWanted called for each file; after the first false, reading stops and that file is the last of the list
 */
export async function listChangedFiles(
  readTree: ReadTree,
  { baseSha, headSha }: { readonly baseSha: string; readonly headSha: string },
  isWanted: (file: ChangedFile) => boolean,
): Promise<Result<readonly ChangedFile[], NoList>> {
  const files: ChangedFile[] = [];
  const folders: Folder[] = [{ path: '', base: baseSha, head: headSha }];
  // The list grows during the loop.
  for (const [index, { path, base, head }] of folders.entries()) {
    if (index >= MOST_FOLDERS) return err(undefined);
    const read = (sha: string | undefined) => (sha === undefined ? EMPTY : readTree(sha));
    const [before, after] = await Promise.all([read(base), read(head)]);
    if (!before.ok) return before;
    if (!after.ok) return after;
    const changed = compareFolders(path, before.value, after.value);
    for (const file of changed.files) {
      files.push(file);
      if (!isWanted(file)) return ok(files);
    }
    if (files.length > MOST_FILES) return err(undefined);
    folders.push(...changed.folders);
  }
  return ok(files);
}

/** A folder that does not exist has no entries. */
export const EMPTY = ok<Tree>(new Map());

function compareFolders(path: string, base: Tree, head: Tree) {
  const files: ChangedFile[] = [];
  const folders: Folder[] = [];
  for (const name of new Set([...base.keys(), ...head.keys()])) {
    const [before, after] = [base.get(name), head.get(name)];
    if (identityOf(before) === identityOf(after)) continue;
    const entries = [before, after].filter((entry) => entry !== undefined);
    const below = [before, after].map((entry) => (entry?.kind === 'folder' ? entry.sha : undefined));
    if (below.some((sha) => sha !== undefined)) {
      folders.push({ path: `${path}${name}/`, base: below[0], head: below[1] });
    }
    const ends = entries.filter(({ kind }) => kind !== 'folder');
    if (ends.length > 0) files.push({ path: path + name, entries: ends });
  }
  return { files, folders };
}
