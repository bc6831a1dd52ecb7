import { git } from '../../git-process.ts';
import { listTree, readTexts } from '../analyzer/source-files.ts';

/** The data from which the map of a scan is made. The map is stored for the branches whose tip is the commit. */
export type Survey = Awaited<ReturnType<typeof survey>>;

/**
 * Lists the branches at a commit, and its files with their numbers of lines. Throws if git cannot read a file, for
 * example because a partial clone lacks it.
 */
export async function survey(gitDir: string, commit: string) {
  const format = '--format=%(refname:lstrip=2)';
  const tips = await git(gitDir, ['for-each-ref', '--points-at', commit, format, 'refs/heads']);
  const entries = await listTree(gitDir, commit);
  const blobs = entries.map((entry) => entry.blob);
  const lines = new Map<string, number>();
  for await (const { blob, text } of readTexts(gitDir, blobs)) lines.set(blob, countLines(text));
  return {
    branches: tips.toString('utf8').split('\n').filter(Boolean),
    files: entries.map(({ path, blob }) => ({ path, lines: lines.get(blob) ?? 0 })),
  };
}

/** Counts lines. The last line counts even if no line feed follows it. */
function countLines(text: string): number {
  const feeds = text.split('\n').length - 1;
  return text === '' || text.endsWith('\n') ? feeds : feeds + 1;
}
