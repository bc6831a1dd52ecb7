import { git } from '../../git-process.ts';
import type { LineRange } from './flaw.ts';
import { type BlobEntry, isRegularFile } from './source-files.ts';

/** A file that the change added or altered, with the lines of its new side that are new or different. */
export interface ChangedFile extends BlobEntry {
  readonly changed: readonly LineRange[];
}

/**
 * Neither configuration nor attributes of the scanned repository may alter or hide lines: no external
 * programs, no text conversion, and `--text` because a `-diff` attribute would otherwise call a file binary.
 */
const PLAIN = [
  '--no-ext-diff',
  '--no-textconv',
  '--text',
  '--no-color',
  '--find-renames',
  '--ignore-submodules=none',
];

/** Exactly what changed between two commits. Deleted and merely renamed files have no changed line. */
export async function changedFiles(gitDir: string, base: string, commit: string): Promise<ChangedFile[]> {
  const between = ['--end-of-options', base, commit, '--'];
  const raw = await git(gitDir, ['diff', '--raw', '-z', '--no-abbrev', ...PLAIN, ...between]);
  const patch = await git(gitDir, ['diff', '--unified=0', '--inter-hunk-context=0', ...PLAIN, ...between]);
  const hunks = hunksOfSections(patch.toString('latin1'));
  const files: ChangedFile[] = [];
  let section = 0;
  for (const record of rawRecords(raw.toString('utf8'))) {
    // git writes a change of type as a deletion and an addition.
    section += record.status === 'T' ? 2 : 1;
    const changed = hunks[section - 1] ?? [];
    if (isRegularFile(record.mode) && changed.length > 0)
      files.push({ path: record.path, blob: record.blob, changed });
  }
  if (section !== hunks.length) throw new Error('the patch and the list of changed files do not agree');
  return files;
}

/** Do the two commits hold the same files? */
export async function isSameTree(gitDir: string, base: string, commit: string): Promise<boolean> {
  const raw = await git(gitDir, [
    'diff',
    '--raw',
    '-z',
    '--ignore-submodules=none',
    '--end-of-options',
    base,
    commit,
    '--',
  ]);
  return raw.length === 0;
}

interface RawRecord {
  readonly status: string;
  readonly mode: string;
  readonly blob: string;
  readonly path: string;
}

/** `:<old mode> <new mode> <old id> <new id> <status>`, then one path, or two for a rename or copy. */
function rawRecords(text: string): RawRecord[] {
  const fields = text.split('\0');
  const records: RawRecord[] = [];
  for (let at = 0; at + 1 < fields.length; ) {
    const [, mode = '', , blob = '', status = ''] = (fields[at] ?? '').split(' ');
    const paths = /^[RC]/.test(status) ? 2 : 1;
    records.push({ status: status.charAt(0), mode, blob, path: fields[at + paths] ?? '' });
    at += 1 + paths;
  }
  return records;
}

/** For each `diff --git` section the line ranges of its new side. Content lines begin with `+`, `-` or `\`. */
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
