import { git } from '../git-process.ts';

/**
 * A line of a diff. `before` is its number in the old file, and `after` is its number in the new file. A removed line
 * has no `after`, and an added line has no `before`.
 */
export interface DiffLine {
  readonly kind: 'added' | 'removed' | 'same';
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly text: string;
}

/** Consecutive lines of a diff. `heading` is git's `@@` line above them. */
export interface Hunk {
  readonly heading: string;
  readonly lines: readonly DiffLine[];
}

export interface FileDiff {
  /** The path after the change. For a deleted file, the path before the change. */
  readonly path: string;
  readonly hunks: readonly Hunk[];
}

/** Reads the changes of text files from git. A renamed file appears as one removed and one added file. */
export async function readDiff(directory: string, base: string, head: string): Promise<FileDiff[]> {
  const options = ['--no-color', '--no-ext-diff', '--no-textconv', '--no-renames', '--unified=3'];
  const answer = await git(directory, ['-c', 'core.quotePath=false', 'diff', ...options, base, head, '--']);
  return parseDiff(answer.toString('utf8'));
}

/** Reads git's unified diff. */
export function parseDiff(diff: string): FileDiff[] {
  return diff
    .split(/^diff --git .*\n/m)
    .slice(1)
    .map((part) => {
      const [header = '', ...hunks] = part.split(/^(?=@@ )/m);
      return { path: pathIn(header), hunks: hunks.map(parseHunk) };
    })
    .filter(({ path }) => path !== '');
}

/**
 * Reads the path in the header of a file. The header of a binary file has no line with `+++` or `---`. The result is
 * then empty.
 */
function pathIn(header: string): string {
  const after = /^\+\+\+ b\/(.*?)\t?$/m.exec(header)?.[1];
  return after ?? /^--- a\/(.*?)\t?$/m.exec(header)?.[1] ?? '';
}

function parseHunk(text: string): Hunk {
  const [heading = '', ...rows] = text.replace(/\n$/, '').split('\n');
  const [, before, after] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(heading) ?? [];
  const next = { before: Number(before), after: Number(after) };
  const lines: DiffLine[] = [];
  for (const row of rows) {
    const line = row.slice(1);
    if (row.startsWith('+'))
      lines.push({ kind: 'added', before: undefined, after: next.after++, text: line });
    else if (row.startsWith('-'))
      lines.push({ kind: 'removed', before: next.before++, after: undefined, text: line });
    else if (row.startsWith(' '))
      lines.push({ kind: 'same', before: next.before++, after: next.after++, text: line });
  }
  return { heading, lines };
}
