import { createHash } from 'node:crypto';
import {
  composeGuidance,
  countCharacters,
  type GuidanceSource,
  LONGEST_GUIDANCE,
} from '../domain/guidance.ts';
import { err, explainStop, type NotScanned, ok, type Result, stopCause } from '../domain/result.ts';
import type { DiffBase, ScanTarget } from '../domain/target.ts';
import { causeOf, fixOf, type GitHubError } from '../github/errors.ts';
import { readBlob, readTree, type Tree, type TreeEntry } from '../github/git-tree.ts';
import type { GitHubAccess } from '../github/octokit.ts';
import { readBranchTip } from '../github/pull-request-state.ts';
import { accessRefused } from './superseded.ts';

/** Looks up a path in the files of a commit, one folder at a time. Does not follow symlinks. */
async function findEntry(
  { github, signal }: GitHubAccess,
  commitSha: string,
  path: string,
): Promise<Result<TreeEntry | undefined, GitHubError>> {
  let entry: TreeEntry | undefined;
  let folderSha: string | undefined = commitSha;
  for (const name of path.split('/')) {
    if (folderSha === undefined) return ok(undefined);
    const folder: Result<Tree, GitHubError> = await readTree(github.until(signal), folderSha);
    if (!folder.ok) return folder;
    entry = folder.value.get(name);
    folderSha = entry?.kind === 'folder' ? entry.sha : undefined;
  }
  return ok(entry);
}

/** The file that the input `guidance-file` names. */
export interface GuidanceFile extends GuidanceSource {
  readonly text: string;
}

/** UTF-8 uses at most four bytes per character. */
const MOST_BYTES = 4 * LONGEST_GUIDANCE;

/**
 * Returns the commit from which the guidance is read. Undefined if it is not known. The guidance never comes from a
 * commit of the change.
 *
 * The commit that a merge group is built on can belong to the change. So a merge group uses the base of the scan.
 */
export function guidanceCommit(
  { base, headSha }: Pick<ScanTarget, 'base' | 'headSha'>,
  diffBase: DiffBase | undefined,
): string | undefined {
  switch (base.kind) {
    case 'branch':
      return base.tip;
    case 'merge-group':
    case 'push':
      return diffBase?.baseSha;
    case 'none':
      return headSha;
  }
}

/**
 * Reads the commit for the guidance of a layer of a stack: the tip of the branch on which the stack is built. The base
 * branch of a layer can be its author's, so it never stands in. Returns an error if there is no such branch.
 * @param trunk undefined if the branch is not known
 */
export async function readTrunkCommit(
  { github, signal }: GitHubAccess,
  path: string,
  trunk: string | undefined,
): Promise<Result<string, NotScanned>> {
  if (trunk === undefined) return err(TRUNK_UNKNOWN);
  const tip = await readBranchTip(github.until(signal), trunk);
  if (!tip.ok) return err(unreadable(`\`${path}\` of the branch below the stack`, tip.error, signal));
  return tip.value.kind === 'gone' ? err(TRUNK_UNKNOWN) : ok(tip.value.sha);
}

/** @param commitSha the result of `guidanceCommit` or `readTrunkCommit` */
export async function readGuidanceFile(
  { github, signal }: GitHubAccess,
  path: string,
  commitSha: string | undefined,
): Promise<Result<GuidanceFile, NotScanned>> {
  if (commitSha === undefined) return err(COMMIT_UNKNOWN);
  const where = `\`${path}\` at commit \`${commitSha.slice(0, 7)}\` of the base side`;
  const found = await findEntry({ github, signal }, commitSha, path);
  if (!found.ok) return err(unreadable(where, found.error, signal));
  const entry = found.value;
  if (entry === undefined) return err(absent(where));
  if (entry.kind !== 'file') return err(wrong(where, KINDS[entry.kind], USE_A_FILE));
  if ((entry.size ?? 0) > MOST_BYTES) return err(tooLong(where));
  const bytes = await readBlob(github.until(signal), entry.sha);
  if (!bytes.ok) return err(unreadable(where, bytes.error, signal));
  const text = decode(bytes.value);
  if (text === undefined) return err(wrong(where, 'not UTF-8 text', 'Save it as UTF-8'));
  if (text.trim() === '') return err(wrong(where, 'empty', 'Write the guidance into it'));
  const characters = countCharacters(text);
  if (characters > LONGEST_GUIDANCE) return err(tooLong(where));
  const hash = createHash('sha256').update(text).digest('hex');
  return ok({ path, commitSha, characters, hash, text });
}

/**
 * Decodes UTF-8. Returns undefined if the bytes are not UTF-8 text, or contain a NUL character. UTF-16 text can be
 * valid UTF-8, but then contains NUL characters.
 */
function decode(bytes: Buffer): string | undefined {
  let text: string | undefined;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // `text` stays undefined, because the bytes are not UTF-8.
  }
  return text?.includes('\0') ? undefined : text;
}

/** Composes the guidance to send. @param stored the guidance that the service stores; null if there is none */
export function withStoredGuidance(
  { path, text }: Pick<GuidanceFile, 'path' | 'text'>,
  stored: string | null,
): Result<string, NotScanned> {
  const whole = composeGuidance(stored, text);
  const isTooLong = countCharacters(whole) > LONGEST_GUIDANCE;
  return isTooLong ? err(tooLong(`\`${path}\` with the stored guidance`)) : ok(whole);
}

/** @param what the name of the text that is too long: the file, or the file with the stored guidance */
function tooLong(what: string): NotScanned {
  return wrong(what, `longer than ${LONGEST_GUIDANCE} characters`, 'Shorten the file');
}

function wrong(where: string, what: string, next: string): NotScanned {
  return {
    reason: 'configuration',
    cause: `The guidance file ${where} is ${what}.`,
    nextStep: `${next} in the base branch, then re-run this job.`,
  };
}

const USE_A_FILE = 'Put a regular file there';

const KINDS = {
  folder: 'a folder, not a file',
  symlink: 'a symlink, not a file',
  submodule: 'a submodule, not a file',
  other: 'not a regular file',
} as const;

function absent(where: string): NotScanned {
  return {
    reason: 'configuration',
    cause: `There is no file ${where}. Scangate never reads \`guidance-file\` from the change itself.`,
    nextStep:
      'Check the path. If the file is new, merge it into the base branch first, and set `guidance-file` after that.',
  };
}

const COMMIT_UNKNOWN: NotScanned = {
  reason: 'service-error',
  cause: 'Could not read the newest commit of the base branch, so `guidance-file` could not be read.',
  nextStep: 'Re-run this job. If it fails again, add `contents: read` to its `permissions` and push.',
};

const TRUNK_UNKNOWN: NotScanned = {
  reason: 'service-error',
  cause: 'GitHub did not show the branch on which the stack is built, so `guidance-file` could not be read.',
  nextStep: 'Check the base branch of the stack, then push.',
};

function unreadable(where: string, error: GitHubError, signal: AbortSignal): NotScanned {
  const cause = `Could not read the guidance file ${where}. ${causeOf(error)}`;
  if (error.kind === 'stopped') {
    return explainStop(stopCause(signal), 'it read the guidance file');
  }
  return accessRefused(error, cause) ?? { reason: 'service-error', cause, nextStep: fixOf(error) };
}
