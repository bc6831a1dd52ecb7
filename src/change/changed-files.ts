import { err, ok, type Result } from '../domain/result.ts';
import { identityOf, type ReadTree, type Tree, type TreeEntry } from '../github/git-tree.ts';
import type { GitHubError } from '../github/github-error.ts';

/** A path at which base and head differ. A renamed file counts as two paths: the old one and the new one. */
export interface ChangedFile {
  readonly path: string;
  /**
   * The entry in the base, then the entry in the head. If a commit lacks the path or has a folder there, its entry is
   * left out.
   */
  readonly entries: readonly TreeEntry[];
}

/** Why there is no list: the error of GitHub, or undefined if the change exceeds our limits of files or folders. */
export type NoList = GitHubError | undefined;

/** Our choice. GitHub's comparison has the same limit. */
export const MOST_FILES = 300;
/** Our choice. Each folder takes two requests. */
export const MOST_FOLDERS = 30;

interface Folder {
  /** Empty for the root folder. The path of every other folder ends with `/`. */
  readonly path: string;
  /** The SHA of the folder in the base. Undefined if the base has no such folder. */
  readonly base: string | undefined;
  readonly head: string | undefined;
}

/**
 * Lists the files that differ between two commits. Compares their folders, and does not read folders that are equal.
 *
 * GitHub's own lists of changed files show no file modes. This list shows the mode in both commits. A renamed file is
 * listed as a removed path and an added path.
 * @param isWanted is called for each file. When it returns false, the list ends with that file
 */
export async function listChangedFiles(
  readTree: ReadTree,
  { baseSha, headSha }: { readonly baseSha: string; readonly headSha: string },
  isWanted: (file: ChangedFile) => boolean,
): Promise<Result<readonly ChangedFile[], NoList>> {
  const files: ChangedFile[] = [];
  const folders: Folder[] = [{ path: '', base: baseSha, head: headSha }];
  // The loop itself adds folders to this list.
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

/** The tree of a folder that does not exist. */
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
