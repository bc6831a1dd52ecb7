import type { FileDiff } from './read-diff.ts';

/** The most files and lines that a page shows. GitHub folds large changes too. */
const MOST_FILES = 100;

/** The files that the page shows, in its order. */
export function shownFiles(files: readonly FileDiff[]): readonly FileDiff[] {
  return files.slice(0, MOST_FILES);
}

/** The anchor of a line in the new version of a file. The file is named by its index. */
export function lineId(fileIndex: number, line: number): string {
  return `file-${fileIndex + 1}-line-${line}`;
}
