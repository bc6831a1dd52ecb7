import { git } from '../../git-process.ts';

/** A regular file of a commit. */
export interface BlobEntry {
  readonly path: string;
  /** Object id of the content. */
  readonly blob: string;
}

/** Larger files are data or bundles. They are skipped, and the scan counts them. */
export const LARGEST_FILE_BYTES = 1024 * 1024;
/** Where git itself looks for a NUL to call a file binary. */
const BINARY_PROBE_BYTES = 8000;

/** Symbolic links and submodules have other modes. */
export function isRegularFile(mode: string): boolean {
  return mode === '100644' || mode === '100755';
}

/** Every regular file of a commit. */
export async function listTree(gitDir: string, commit: string): Promise<BlobEntry[]> {
  const out = await git(gitDir, ['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', commit]);
  return out
    .toString('utf8')
    .split('\0')
    .flatMap((line) => {
      const match = /^(\d+) blob (\w+)\t(.*)$/s.exec(line);
      return match?.[1] !== undefined &&
        match[2] !== undefined &&
        match[3] !== undefined &&
        isRegularFile(match[1])
        ? [{ blob: match[2], path: match[3] }]
        : [];
    });
}

/** The blobs that exist and are not too large, each once. */
export async function readableBlobs(gitDir: string, blobs: readonly string[]): Promise<Set<string>> {
  const sizes = await git(gitDir, ['cat-file', '--batch-check=%(objectname) %(objectsize)'], {
    input: [...new Set(blobs)].map((blob) => `${blob}\n`).join(''),
  });
  const readable = sizes
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      const [blob, size] = line.split(' ');
      return blob !== undefined && Number(size) <= LARGEST_FILE_BYTES ? [blob] : [];
    });
  return new Set(readable);
}

/** Text of each blob; none for one that is binary, too large or missing. */
export async function readTexts(gitDir: string, blobs: readonly string[]): Promise<Map<string, string>> {
  const readable = await readableBlobs(gitDir, blobs);
  const out = await git(gitDir, ['cat-file', '--batch'], {
    input: [...readable].map((blob) => `${blob}\n`).join(''),
  });
  const texts = new Map<string, string>();
  let at = 0;
  while (at < out.length) {
    const headEnd = out.indexOf(0x0a, at);
    const [blob = '', , size] = out.toString('latin1', at, headEnd).split(' ');
    const bytes = out.subarray(headEnd + 1, headEnd + 1 + Number(size));
    if (!bytes.subarray(0, BINARY_PROBE_BYTES).includes(0)) texts.set(blob, bytes.toString('utf8'));
    at = headEnd + 1 + Number(size) + 1;
  }
  return texts;
}
