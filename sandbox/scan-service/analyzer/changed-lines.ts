import { createGitCache } from '../../git-cache.ts';
import { git } from '../../git-process.ts';
import { type BlobEntry, isRegularFile, LARGEST_FILE_BYTES, sizesOf } from './source-files.ts';
import type { LineRange } from './vulnerability.ts';

/** A file that the change added or altered. `changed` has the added and altered lines of the new version. */
export interface ChangedFile extends BlobEntry {
  readonly changed: readonly LineRange[];
}

/**
 * The configuration and the attributes of the scanned repository must not hide lines. So git runs no external programs
 * and no text conversion. Without `--text`, an attribute `-diff` would make git treat a file as binary.
 */
const PLAIN = ['--no-ext-diff', '--no-textconv', '--text', '--no-color', '--ignore-submodules=none'];

const RAW = ['diff', '--raw', '-z', '--no-abbrev', ...PLAIN];

/** Throws if the repository lacks an object that a scan of the change has to read. */
export async function refuseIncomplete(gitDir: string, base: string, commit: string): Promise<void> {
  await tooLargeOf(gitDir, await listChanges(gitDir, base, commit));
}

/**
 * Returns what changed between two commits. Files that were only deleted or renamed have no changed lines. Throws
 * `MissingObjects` if the repository lacks an object that has to be compared. `leftOut` has the paths of submodules, and
 * of files that were too large before or after the change.
 */
export async function changedFiles(gitDir: string, base: string, commit: string) {
  const between = ['--end-of-options', base, commit, '--'];
  const all = await listChanges(gitDir, base, commit);
  const tooLarge = await tooLargeOf(gitDir, all);
  // Leaves out files that are too large: git would take too long to compare them line by line.
  const readable = [...between, ...tooLarge.map((record) => `:(top,exclude,literal)${record.path}`)];
  const list = mayRename(all)
    ? rawRecords((await git(gitDir, [...RAW, '--find-renames', ...readable])).toString('utf8'))
    : all.filter((record) => !tooLarge.includes(record));
  const zero = ['--unified=0', '--inter-hunk-context=0'];
  const patch = await git(gitDir, ['diff', ...zero, ...PLAIN, '--find-renames', ...readable]);
  return {
    files: withLines(list, hunksOfSections(patch.toString('latin1'))),
    leftOut: [
      ...tooLarge.filter(({ mode }) => isRegularFile(mode)),
      ...all.filter(({ mode }) => mode === SUBMODULE),
    ].map(({ path }) => path),
  };
}

const lists = createGitCache<readonly RawRecord[]>();

/** Lists a renamed file as one deleted and one added file. */
async function listChanges(gitDir: string, base: string, commit: string): Promise<readonly RawRecord[]> {
  const list = await lists.recall(gitDir, [base, commit], async () => {
    const out = await git(gitDir, [...RAW, '--no-renames', '--end-of-options', base, commit, '--']);
    return rawRecords(out.toString('utf8'));
  });
  return list ?? [];
}

/** True if the list may contain a rename: it has both an added and a deleted file. */
function mayRename(records: readonly RawRecord[]): boolean {
  const statuses = new Set(records.map(({ status }) => status));
  return statuses.has('A') && statuses.has('D');
}

const SUBMODULE = '160000';

/** Returns the files that are too large before or after the change. */
async function tooLargeOf(gitDir: string, records: readonly RawRecord[]): Promise<RawRecord[]> {
  const isRename = mayRename(records);
  const sides = ({ status, oldMode, oldBlob, mode, blob }: RawRecord) => [
    ...(isRegularFile(oldMode) && (status !== 'D' || isRename) ? [oldBlob] : []),
    ...(isRegularFile(mode) ? [blob] : []),
  ];
  const sizes = await sizesOf(gitDir, records.flatMap(sides));
  return records.filter((record) =>
    sides(record).some((blob) => (sizes.get(blob) ?? 0) > LARGEST_FILE_BYTES),
  );
}

/** Adds the changed lines to each file. The sections of the patch have the same order as the records. */
function withLines(
  records: readonly RawRecord[],
  sections: readonly (readonly LineRange[])[],
): ChangedFile[] {
  const files: ChangedFile[] = [];
  let section = 0;
  for (const { status, mode, path, blob } of records) {
    // Git shows a change of the file type as two sections: a deletion and an addition.
    section += status === 'T' ? 2 : 1;
    const changed = sections[section - 1] ?? [];
    if (isRegularFile(mode) && changed.length > 0) files.push({ path, blob, changed });
  }
  if (section !== sections.length) throw new Error('the patch and the list of changed files do not agree');
  return files;
}

type RawRecord = ReturnType<typeof rawRecords>[number];

/** Parses `:<old mode> <new mode> <old id> <new id> <status>` and a path. A rename or a copy has two paths. */
function rawRecords(text: string) {
  const fields = text.split('\0');
  const records = [];
  for (let at = 0; at + 1 < fields.length; ) {
    const [oldMode = '', mode = '', oldBlob = '', blob = '', status = ''] = (fields[at] ?? '')
      .slice(1)
      .split(' ');
    const paths = /^[RC]/.test(status) ? 2 : 1;
    records.push({ status: status.charAt(0), oldMode, oldBlob, mode, blob, path: fields[at + paths] ?? '' });
    at += 1 + paths;
  }
  return records;
}

/**
 * Returns the changed lines for each `diff --git` section. The line numbers are those of the new version. No line of
 * content looks like a header, because git puts `+`, `-` or `\` before it.
 */
function hunksOfSections(patch: string): LineRange[][] {
  const sections: LineRange[][] = [];
  for (const line of patch.split('\n')) {
    if (line.startsWith('diff --git ')) sections.push([]);
    const hunk = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk === null) continue;
    const start = Number(hunk[1]);
    const count = Number(hunk[2] ?? 1);
    if (count > 0) sections.at(-1)?.push({ start, end: start + count - 1 });
  }
  return sections;
}
