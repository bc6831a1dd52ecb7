import { err, explainStop, type NotScanned, ok, type Result, stopCause } from '../domain/result.ts';
import type { DiffBase } from '../domain/target.ts';
import type { ScanOutcome } from '../domain/verdict.ts';
import { comparisonIsEmpty, listComparedCommits, mergeBaseByCompare } from '../github/compare.ts';
import { causeOf, fixOf, type GitHubError } from '../github/errors.ts';
import { identityOf, type ReadTree, type Tree, type TreeEntry } from '../github/git-tree.ts';
import type { GitHub, GitHubAccess } from '../github/octokit.ts';

/** A path at which base and head differ. A renamed file counts as two paths: the old one and the new one. */
export interface ChangedFile {
  readonly path: string;
  /**
   * The entry in the base, then the entry in the head. If a commit lacks the path or has a folder there, its entry is
   * left out.
   */
  readonly entries: readonly TreeEntry[];
  /**
   * The path of this file if the base branch, too, has changed, moved or deleted it since the merge base. The path of a
   * folder above it if the base branch has moved or deleted that folder. Otherwise undefined.
   *
   * For a moved file, the merge applies the change at the new path, which is no path of the change.
   */
  readonly moved: string | undefined;
}

/** Why there are no more files. `why` is a clause. `error` is undefined if the change exceeds our limits. */
export interface Unlisted {
  readonly why: string;
  readonly error: GitHubError | undefined;
}

const UNREAD = 'the changed files could not be read';
const TIP_UNREAD = 'the files of the base branch could not be read';

/** Our choice. GitHub's comparison has the same limit. */
export const MOST_FILES = 300;
/** Our choice. Each folder takes two or three requests. */
export const MOST_FOLDERS = 30;

const TOO_MANY: Unlisted = {
  why: `more than ${MOST_FILES} files or ${MOST_FOLDERS} folders changed`,
  error: undefined,
};

interface Folder {
  /** Empty for the root folder. The path of every other folder ends with `/`. */
  readonly path: string;
  /** The SHA of the folder in each of the three commits. Undefined if the commit has no such folder. */
  readonly base: string | undefined;
  readonly head: string | undefined;
  readonly tip: string | undefined;
  /** The path of this folder, or of one above it, if the base branch has moved or deleted that folder. */
  readonly moved: string | undefined;
}

/** The commits of a change whose files are compared. */
export interface ComparedCommits {
  readonly baseSha: string;
  readonly headSha: string;
  /** The newest commit of the base branch. If that branch cannot have moved a file, this is `baseSha`. */
  readonly tip: string;
}

/** The tree of a folder that does not exist. */
const EMPTY = ok<Tree>(new Map());

/**
 * Finds the files that differ between base and head, one by one. Compares the folders of the two commits and of the tip
 * of the base branch, and does not read folders that are equal in base and head. After an error, there are no more
 * files.
 *
 * GitHub's own lists of changed files show no file modes. These files show the mode in both commits.
 */
export async function* changedFiles(
  readTree: ReadTree,
  { baseSha, headSha, tip }: ComparedCommits,
): AsyncGenerator<Result<ChangedFile, Unlisted>, void> {
  const folders: Folder[] = [{ path: '', base: baseSha, head: headSha, tip, moved: undefined }];
  const read = (sha: string | undefined) => (sha === undefined ? EMPTY : readTree(sha));
  let count = 0;
  // The loop itself adds folders to this list.
  for (const [index, folder] of folders.entries()) {
    if (index >= MOST_FOLDERS) return yield err(TOO_MANY);
    const [base, head, now] = await Promise.all([read(folder.base), read(folder.head), read(folder.tip)]);
    if (!base.ok) return yield err({ why: UNREAD, error: base.error });
    if (!head.ok) return yield err({ why: UNREAD, error: head.error });
    if (!now.ok) return yield err({ why: TIP_UNREAD, error: now.error });
    for (const name of new Set([...base.value.keys(), ...head.value.keys()])) {
      const [before, after, atTip] = [base.value.get(name), head.value.get(name), now.value.get(name)];
      if (identityOf(before) === identityOf(after)) continue;
      const path = folder.path + name;
      const isSame = identityOf(before) === identityOf(atTip);
      const entries = [before, after].filter((entry) => entry !== undefined);
      if (entries.some(({ kind }) => kind === 'folder')) {
        const isKept = isSame || (atTip?.kind === 'folder' && (before?.kind ?? 'folder') === 'folder');
        const [ofBase, ofHead, ofTip] = [before, after, atTip].map(folderSha);
        const moved = folder.moved ?? (isKept ? undefined : path);
        folders.push({ path: `${path}/`, base: ofBase, head: ofHead, tip: ofTip, moved });
      }
      const ends = entries.filter(({ kind }) => kind !== 'folder');
      if (ends.length === 0) continue;
      count += 1;
      if (count > MOST_FILES) return yield err(TOO_MANY);
      yield ok({ path, entries: ends, moved: folder.moved ?? (isSame ? undefined : path) });
    }
  }
}

function folderSha(entry: TreeEntry | undefined): string | undefined {
  return entry?.kind === 'folder' ? entry.sha : undefined;
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
  { baseSha, headSha, tip }: ComparedCommits,
): Promise<boolean> {
  if (tip === baseSha) return true;
  const listed = await listComparedCommits(github.until(signal), { base: tip, head: headSha });
  if (!listed.ok || listed.value === undefined) return false;
  const own = new Set(listed.value.map(({ sha }) => sha));
  // Every merge base is a parent of one of the listed commits. The head contains these commits, and the base branch
  // does not.
  const shared = new Set(listed.value.flatMap(({ parents }) => parents).filter((sha) => !own.has(sha)));
  if (!shared.delete(baseSha) || shared.size > MOST_PARENTS) return false;
  const older = await Promise.all(
    [...shared].map(async (sha) => {
      const found = await mergeBaseByCompare(github.until(signal), { base: baseSha, head: sha });
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
  github: GitHub,
  { baseSha, headSha, how }: DiffBase,
  signal: AbortSignal,
): Promise<ScanOutcome> {
  if (baseSha === undefined) return { kind: 'not-scanned', failure: EMPTY_WITHOUT_BASE };
  if (how === 'input') return { kind: 'not-scanned', failure: EMPTY_FROM_GIVEN_BASE };
  const empty = await comparisonIsEmpty(github.until(signal), baseSha, headSha);
  if (!empty.ok) return { kind: 'not-scanned', failure: unconfirmed(empty.error, signal) };
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

function unconfirmed(error: GitHubError, signal: AbortSignal): NotScanned {
  if (error.kind === 'stopped')
    return explainStop(stopCause(signal), 'it could confirm that nothing changed');
  return {
    reason: 'service-error',
    cause: `The service found no change, and GitHub could not confirm that. ${causeOf(error)}`,
    nextStep: fixOf(error),
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
