import type { FileDiff } from './read-diff.ts';

/** The most files and lines of a page. GitHub folds large changes too. */
const MOST_FILES = 100;

/** The files that the page shows, in its order. */
export function shownFiles(files: readonly FileDiff[]): readonly FileDiff[] {
  return files.slice(0, MOST_FILES);
}

/** The anchor of a line of the new side, by the index of its file. */
export function lineId(fileIndex: number, line: number): string {
  return `file-${fileIndex + 1}-line-${line}`;
}
