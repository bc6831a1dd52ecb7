import { err, ok, type Result } from '../domain/result.ts';
import { identityOf, type ReadTree, type Tree, type TreeEntry } from '../github/git-tree.ts';
import { EMPTY, MOST_FOLDERS, type NoList } from './changed-files.ts';

interface BranchFolder {
  /** Empty for the root folder. The path of every other folder ends with `/`. */
  readonly path: string;
  /** The SHA of the folder at the merge base. Undefined if the merge base does not have the folder. */
  readonly base: string | undefined;
  readonly tip: string | undefined;
  /** Paths of changed files, relative to this folder. */
  readonly below: readonly string[];
}

/**
 * Looks for a changed file that the base branch, too, has changed, moved or deleted since the merge base.
 *
 * For a moved file, the merge applies the change at the new path. That path is not in the list of changed files.
 * @param paths of the changed files
 * @returns the path of the first such file, or of a folder above it that the base branch has moved or deleted;
 * undefined if there is none
 */
export async function findMovedPath(
  readTree: ReadTree,
  { baseSha, tip }: { readonly baseSha: string; readonly tip: string },
  paths: readonly string[],
): Promise<Result<string | undefined, NoList>> {
  if (baseSha === tip) return ok(undefined);
  const folders: BranchFolder[] = [{ path: '', base: baseSha, tip, below: paths }];
  // The loop itself adds folders to this list.
  for (const [index, folder] of folders.entries()) {
    if (index >= MOST_FOLDERS) return err(undefined);
    const read = (sha: string | undefined) => (sha === undefined ? EMPTY : readTree(sha));
    const [before, now] = await Promise.all([read(folder.base), read(folder.tip)]);
    if (!before.ok) return before;
    if (!now.ok) return now;
    const compared = compare(folder, before.value, now.value);
    if (compared.moved !== undefined) return ok(compared.moved);
    folders.push(...compared.folders);
  }
  return ok(undefined);
}

function compare({ path, below }: BranchFolder, before: Tree, now: Tree) {
  const folders: BranchFolder[] = [];
  for (const [name, paths] of Map.groupBy(below, firstName)) {
    const [base, tip] = [before.get(name), now.get(name)];
    if (identityOf(base) === identityOf(tip)) continue;
    const folder = paths.includes(name) ? undefined : stillFolder(base, tip);
    if (folder === undefined) return { moved: path + name, folders };
    const rest = paths.map((each) => each.slice(name.length + 1));
    folders.push({ ...folder, path: `${path}${name}/`, below: rest });
  }
  return { moved: undefined, folders };
}

function firstName(path: string): string {
  return path.split('/', 1).join();
}

/**
 * Returns the SHAs of a folder at the merge base and at the tip. Undefined if it is no folder at the tip, or was a file
 * at the merge base. If the folder is new at the tip, `base` is undefined.
 */
function stillFolder(
  base: TreeEntry | undefined,
  tip: TreeEntry | undefined,
): Pick<BranchFolder, 'base' | 'tip'> | undefined {
  if (tip?.kind !== 'folder' || (base !== undefined && base.kind !== 'folder')) return undefined;
  return { base: base?.sha, tip: tip.sha };
}
