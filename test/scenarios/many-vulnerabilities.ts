import { onTestFinished } from 'vitest';
import { createGitFixture } from '../../sandbox/git-fixture.ts';
import { type Analysis, type AnalysisTarget, analyze } from '../../sandbox/scan-service/analyzer/analyze.ts';
import { openEnvironment, type TestEnvironmentOptions } from '../support/driver/environment.ts';
import type { Scenario } from './scenario.ts';

/** Vulnerable lines. An SQL injection is HIGH, and a disabled certificate check is MEDIUM. */
const LINES = {
  high: (name: string) =>
    `export const ${name} = (db, x) => db.query("SELECT * FROM ${name} WHERE x = '" + x + "'");`,
  medium: (name: string) =>
    `export const ${name} = (https) => new https.Agent({ rejectUnauthorized: false });`,
};
const LINES_PER_FILE = 40;

export interface Vulnerabilities {
  readonly high: number;
  readonly medium: number;
}

/** Creates a scenario whose pull request adds this many vulnerabilities. */
export async function prepareVulnerabilities(
  vulnerabilities: Vulnerabilities,
  options: Partial<Omit<TestEnvironmentOptions, 'directory' | 'headSha'>> = {},
): Promise<Scenario> {
  const repository = await createGitFixture({
    bare: true,
    branches: { main: 'start', change: 'vulnerable' },
    commits: [
      { name: 'start', files: { 'README.md': '# App\n' } },
      { name: 'vulnerable', files: filesWith(vulnerabilities) },
    ],
  });
  onTestFinished(() => repository.remove());
  const headSha = repository.id('vulnerable');
  const environment = await openEnvironment({
    ...options,
    service: { ...options.service, analyze: (target) => analyzeFirst(target, vulnerabilities) },
    directory: repository.dir,
    headSha,
  });
  onTestFinished(() => environment.close());
  return { environment, repository, headSha };
}

interface Line {
  readonly level: keyof Vulnerabilities;
  readonly text: string;
  readonly path: string;
  readonly number: number;
}

function linesWith(vulnerabilities: Vulnerabilities): Line[] {
  const texts = (['high', 'medium'] as const).flatMap((level) =>
    Array.from({ length: vulnerabilities[level] }, (_, index) => ({
      level,
      text: LINES[level](`${level}${index}`),
    })),
  );
  return texts.map((line, at) => {
    const file = String(Math.floor(at / LINES_PER_FILE)).padStart(2, '0');
    return { ...line, path: `src/part${file}.js`, number: (at % LINES_PER_FILE) + 1 };
  });
}

function filesWith(vulnerabilities: Vulnerabilities): Record<string, string> {
  const files: Record<string, string> = {};
  for (const { path, text } of linesWith(vulnerabilities)) files[path] = `${files[path] ?? ''}${text}\n`;
  return files;
}

/** Analyzes only the first file of each level. Every line of the level gets a copy of the finding in that file. */
async function analyzeFirst(target: AnalysisTarget, vulnerabilities: Vulnerabilities): Promise<Analysis> {
  const lines = linesWith(vulnerabilities);
  const first = Object.fromEntries(lines.toReversed().map(({ level, path }) => [level, path]));
  const read = await analyze({ ...target, inScope: (path) => Object.values(first).includes(path) });
  const found = lines.flatMap(({ level, text, path, number }) => {
    const like = read.vulnerabilities.find(({ rule }) => rule.severity === level.toUpperCase());
    const shown = { start: number, end: number };
    return like === undefined ? [] : [{ ...like, path, places: [shown] as const, shown, snippet: text }];
  });
  return { ...read, vulnerabilities: found, filesRead: new Set(lines.map(({ path }) => path)).size };
}
