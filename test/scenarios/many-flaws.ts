import { onTestFinished } from 'vitest';
import { createGitFixture } from '../../sandbox/git-fixture.ts';
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
  const stage = await openStage({ ...options, directory: repository.dir, headSha });
  onTestFinished(() => stage.close());
  return { stage, repository, headSha };
}

function filesWith(flaws: Flaws): Record<string, string> {
  const lines = (['high', 'medium'] as const).flatMap((level) =>
    Array.from({ length: flaws[level] }, (_, index) => LINES[level](`${level}${index}`)),
  );
  const files: Record<string, string> = {};
  for (let at = 0; at < lines.length; at += LINES_PER_FILE) {
    const part = lines.slice(at, at + LINES_PER_FILE);
    files[`src/part${String(at / LINES_PER_FILE).padStart(2, '0')}.js`] = `${part.join('\n')}\n`;
  }
  return files;
}
