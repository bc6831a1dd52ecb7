import { git } from '../../git-process.ts';
import { listTree, readTexts } from '../analyzer/source-files.ts';

/** What a scan's map is drawn from. */
export interface Survey {
  /** The branches whose tip is the commit: it is their map. */
  readonly branches: readonly string[];
  readonly files: readonly SurveyedFile[];
}

export interface SurveyedFile {
  readonly path: string;
  /** 0 for a binary file, and for one larger than the analyzer reads. */
  readonly lines: number;
}

/** Reads the tree of a commit. Throws when git cannot, as for files that a partial clone does not hold. */
export async function survey(gitDir: string, commit: string): Promise<Survey> {
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

/** A last line without a line feed is a line too. */
function countLines(text: string): number {
  const feeds = text.split('\n').length - 1;
  return text === '' || text.endsWith('\n') ? feeds : feeds + 1;
}
