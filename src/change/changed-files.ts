import { err, type NotScanned, ok, type Result } from '../domain/result.ts';
import type { DiffBase, ScanTarget } from '../domain/target.ts';
import type { ScanOutcome } from '../domain/verdict.ts';
import { comparisonIsEmpty, listComparedCommits, mergeBaseByCompare } from '../github/compare.ts';
import { causeOf, fixOf, type GitHubError } from '../github/errors.ts';
import { identityOf, type ReadTree, type Tree, type TreeEntry } from '../github/git-tree.ts';
import type { GitHubAccess, GitHubClient } from '../github/octokit.ts';

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

/**
 * Decides the outcome if the service found no change. It is `unchanged` only if Scangate computed the merge base, and
 * GitHub lists no changed file.
 */
export async function confirmEmptyDiff(
  github: GitHubClient,
  { baseSha, headSha, how }: DiffBase,
  signal: AbortSignal,
): Promise<ScanOutcome> {
  if (baseSha === undefined) return { kind: 'not-scanned', failure: EMPTY_WITHOUT_BASE };
  if (how === 'input') return { kind: 'not-scanned', failure: EMPTY_FROM_GIVEN_BASE };
  const empty = await comparisonIsEmpty(github, baseSha, headSha, signal);
  if (!empty.ok) {
    return {
      kind: 'not-scanned',
      failure: {
        reason: 'service-error',
        cause: `The service found no change, and GitHub could not confirm that. ${causeOf(empty.error)}`,
        nextStep: fixOf(empty.error) || 'Re-run this job.',
      },
    };
  }
  if (empty.value) return { kind: 'unchanged' };
  return {
    kind: 'not-scanned',
    failure: {
      reason: 'configuration',
      cause:
        'The service found no change, but GitHub lists changed files. The service scanned another commit.',
      nextStep:
        'The service may not read the field `commit`. Set the field that it reads in `launch-parameters` and push.',
    },
  };
}

const EMPTY_WITHOUT_BASE: NotScanned = {
  reason: 'configuration',
  cause: 'The service looked for a change, although this event needs a scan of all files.',
  nextStep: 'Set `preset` to a preset that is not a diff preset and push.',
};

const EMPTY_FROM_GIVEN_BASE: NotScanned = {
  reason: 'configuration',
  cause: 'The service found no change between the base set in the workflow and the head.',
  nextStep:
    'Remove the base from `base-commit` and `launch-parameters` and push. Scangate then uses the merge base.',
};
