import { createGitCache } from '../../git-cache.ts';
import { GitError, git, runGit } from '../../git-process.ts';
import { decodeText } from './decode-text.ts';

/** A regular file of a commit. */
export interface BlobEntry {
  readonly path: string;
  /** The object id of the file's content. */
  readonly blob: string;
}

/**
 * The largest file that a scan reads. Our choice: larger files are usually data or generated code. The scan counts them
 * as skipped.
 */
export const LARGEST_FILE_BYTES = 4 * 1024 * 1024;
/** The most bytes of files that are read at once. Our choice. */
const BATCH_BYTES = 32 * 1024 * 1024;

/** The repository lacks an object that has to be read. It is corrupt, or a partial clone. */
export class MissingObjects extends GitError {}

/** True for a regular file. False for a symbolic link or a submodule. */
export function isRegularFile(mode: string): boolean {
  return mode === '100644' || mode === '100755';
}

/**
 * The cache of `listTree`. A full scan lists the same tree twice: for the map of the audit areas, and to search the
 * files.
 */
const trees = createGitCache<readonly BlobEntry[]>(10);

/** Lists all regular files of a commit. */
export async function listTree(gitDir: string, commit: string): Promise<readonly BlobEntry[]> {
  return (await trees.recall(gitDir, [commit], () => readTree(gitDir, commit))) ?? [];
}

async function readTree(gitDir: string, commit: string): Promise<BlobEntry[]> {
  const out = await git(gitDir, ['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', commit]);
  return out
    .toString('utf8')
    .split('\0')
    .flatMap((line) => {
      const [, mode = '', blob = '', path = ''] = /^(\d+) blob (\w+)\t(.*)$/s.exec(line) ?? [];
      return isRegularFile(mode) ? [{ blob, path }] : [];
    });
}

/**
 * The sizes of blobs. The outer key is the repository, and the inner key is the blob id. The size of a blob never
 * changes.
 */
const knownSizes = new Map<string, Map<string, number>>();

/** Returns the size of each blob in bytes. Throws `MissingObjects` if the repository lacks a blob. */
export async function sizesOf(gitDir: string, blobs: readonly string[]): Promise<Map<string, number>> {
  const known = knownSizes.get(gitDir) ?? new Map<string, number>();
  knownSizes.set(gitDir, known);
  const asked = [...new Set(blobs)].filter((blob) => !known.has(blob));
  if (asked.length > 0) for (const [blob, size] of await readSizes(gitDir, asked)) known.set(blob, size);
  return new Map(blobs.map((blob) => [blob, known.get(blob) ?? 0]));
}

async function readSizes(gitDir: string, blobs: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const input = blobs.map((blob) => `${blob}\n`).join('');
  const asked = ['cat-file', '--batch-check=%(objectname) %(objectsize)'];
  const { code, stdout, stderr } = await runGit(gitDir, asked, { input });
  // In a partial clone, git ends at the first object that is missing.
  const missing =
    code === 0 ? /^(\w+) missing$/m.exec(stdout.toString('latin1')) : /\b([0-9a-f]{40,})\b/.exec(stderr);
  if (code !== 0 || missing !== null) throw new MissingObjects(describeMissing(missing?.[1], stderr));
  return new Map(
    stdout
      .toString('latin1')
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' '))
      .map(([blob = '', size]) => [blob, Number(size)]),
  );
}

function describeMissing(blob: string | undefined, answer: string): string {
  if (blob === undefined) return `git cannot read the repository: ${answer.trim()}`;
  return `The repository does not hold the content ${blob}. In a partial clone, run \`git fetch --refetch --no-filter\`.`;
}

/** The text of a file. */
export interface SourceText {
  readonly blob: string;
  readonly text: string;
  /** The bytes of the file. Git counts the lines in these bytes, not in the text. */
  readonly bytes: Buffer;
}

/** Reads the texts of these blobs. Leaves out blobs that are binary or too large. Throws `MissingObjects`. */
export async function* readTexts(gitDir: string, blobs: readonly string[]): AsyncGenerator<SourceText> {
  const sizes = await sizesOf(gitDir, blobs);
  let batch: string[] = [];
  let bytes = 0;
  for (const [blob, size] of sizes) {
    if (size > LARGEST_FILE_BYTES) continue;
    if (bytes + size > BATCH_BYTES) {
      yield* readBatch(gitDir, batch);
      batch = [];
      bytes = 0;
    }
    batch.push(blob);
    bytes += size;
  }
  yield* readBatch(gitDir, batch);
}

async function* readBatch(gitDir: string, blobs: readonly string[]): AsyncGenerator<SourceText> {
  if (blobs.length === 0) return;
  const out = await git(gitDir, ['cat-file', '--batch'], {
    input: blobs.map((blob) => `${blob}\n`).join(''),
  });
  let at = 0;
  while (at < out.length) {
    const headEnd = out.indexOf(0x0a, at);
    const [blob = '', type, size] = out.toString('latin1', at, headEnd).split(' ');
    if (type === 'missing') throw new MissingObjects(describeMissing(blob, ''));
    const bytes = out.subarray(headEnd + 1, headEnd + 1 + Number(size));
    const text = decodeText(bytes);
    if (text !== undefined) yield { blob, text, bytes };
    at = headEnd + 1 + Number(size) + 1;
  }
}
