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

/** Reads the tree of a commit. Throws when git cannot. */
export async function survey(gitDir: string, commit: string): Promise<Survey> {
  const format = '--format=%(refname:lstrip=2)';
  const tips = await git(gitDir, ['for-each-ref', '--points-at', commit, format, 'refs/heads']);
  const entries = await listTree(gitDir, commit);
  const texts = await readTexts(
    gitDir,
    entries.map((entry) => entry.blob),
  );
  return {
    branches: tips.toString('utf8').split('\n').filter(Boolean),
    files: entries.map(({ path, blob }) => ({ path, lines: countLines(texts.get(blob) ?? '') })),
  };
}

/** A last line without a line feed is a line too. */
function countLines(text: string): number {
  const feeds = text.split('\n').length - 1;
  return text === '' || text.endsWith('\n') ? feeds : feeds + 1;
}
