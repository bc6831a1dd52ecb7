import { onTestFinished } from 'vitest';
import { createGitFixture } from '../../sandbox/git-fixture.ts';
import { type Analysis, type AnalysisTarget, analyze } from '../../sandbox/scan-service/analyzer/analyze.ts';
import { openStage, type TestStageOptions } from '../support/driver/stage.ts';
import type { Scene } from './story.ts';

/** One line each, which the analyzer flags: a broken query is HIGH, a switched off certificate check MEDIUM. */
const LINES = {
  high: (name: string) =>
    `export const ${name} = (db, x) => db.query("SELECT * FROM ${name} WHERE x = '" + x + "'");`,
  medium: (name: string) =>
    `export const ${name} = (https) => new https.Agent({ rejectUnauthorized: false });`,
};
const LINES_PER_FILE = 40;

export interface Flaws {
  readonly high: number;
  readonly medium: number;
}

/** A stage whose pull request adds so many flaws; it is taken down when the running test is over. */
export async function prepareFlaws(
  flaws: Flaws,
  options: Partial<Omit<TestStageOptions, 'directory' | 'headSha'>> = {},
): Promise<Scene> {
  const repository = await createGitFixture({
    branches: { main: 'start', change: 'flawed' },
    commits: [
      { name: 'start', files: { 'README.md': '# App\n' } },
      { name: 'flawed', files: filesWith(flaws) },
    ],
  });
  onTestFinished(() => repository.remove());
  const headSha = repository.id('flawed');
  const stage = await openStage({
    ...options,
    service: { ...options.service, analyze: (target) => analyzeFirst(target, flaws) },
    directory: repository.dir,
    headSha,
  });
  onTestFinished(() => stage.close());
  return { stage, repository, headSha };
}

interface Line {
  readonly level: keyof Flaws;
  readonly text: string;
  readonly path: string;
  readonly number: number;
}

function linesWith(flaws: Flaws): Line[] {
  const texts = (['high', 'medium'] as const).flatMap((level) =>
    Array.from({ length: flaws[level] }, (_, index) => ({ level, text: LINES[level](`${level}${index}`) })),
  );
  return texts.map((line, at) => {
    const file = String(Math.floor(at / LINES_PER_FILE)).padStart(2, '0');
    return { ...line, path: `src/part${file}.js`, number: (at % LINES_PER_FILE) + 1 };
  });
}

function filesWith(flaws: Flaws): Record<string, string> {
  const files: Record<string, string> = {};
  for (const { path, text } of linesWith(flaws)) files[path] = `${files[path] ?? ''}${text}\n`;
  return files;
}

/** The analyzer reads the first file with each level; the other lines differ from its lines in their number alone. */
async function analyzeFirst(target: AnalysisTarget, flaws: Flaws): Promise<Analysis> {
  const lines = linesWith(flaws);
  const first = Object.fromEntries(lines.toReversed().map(({ level, path }) => [level, path]));
  const read = await analyze({ ...target, inScope: (path) => Object.values(first).includes(path) });
  const found = lines.flatMap(({ level, text, path, number }) => {
    const like = read.flaws.find(({ rule }) => rule.severity === level.toUpperCase());
    const shown = { start: number, end: number };
    return like === undefined ? [] : [{ ...like, path, places: [shown] as const, shown, snippet: text }];
  });
  return { ...read, flaws: found, filesRead: new Set(lines.map(({ path }) => path)).size };
}
