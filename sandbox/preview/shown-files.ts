import type { FileDiff } from './read-diff.ts';

/** The most files that a page shows. Our choice. GitHub folds large changes too. */
const MOST_FILES = 100;

/** Returns the files that the page shows. */
export function shownFiles(files: readonly FileDiff[]): readonly FileDiff[] {
  return files.slice(0, MOST_FILES);
}

/** Returns the anchor of a line in the new version of a file. `fileIndex` is the index of the file in `shownFiles`. */
export function lineId(fileIndex: number, line: number): string {
  return `file-${fileIndex + 1}-line-${line}`;
}
