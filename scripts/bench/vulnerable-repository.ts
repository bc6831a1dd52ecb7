import type { FixtureDescription } from '../../sandbox/git-fixture.ts';

const CLEAN_FILE = 'export const add = (a, b) => a + b;\n';
const VULNERABILITIES_PER_FILE = 40;

/**
 * Describes a repository with a base branch and a branch `change`. The first commit of `change` adds a harmless file.
 * The second adds the vulnerabilities. Their severity is at or above the default threshold.
 * @param crowded false: one vulnerability in each file; true: forty, so that thousands of them need few files
 */
export function vulnerableRepository(vulnerabilities: number, crowded = false): FixtureDescription {
  const perFile = crowded ? VULNERABILITIES_PER_FILE : 1;
  const lines = Array.from({ length: vulnerabilities }, (_, index) => vulnerableLine(index));
  const files = Array.from({ length: Math.ceil(vulnerabilities / perFile) }, (_, index) => [
    `src/vulnerable-${index}.js`,
    `${lines.slice(index * perFile, (index + 1) * perFile).join('\n')}\n`,
  ]);
  return {
    bare: true,
    branches: { main: 'base', change: 'change' },
    commits: [
      { name: 'base', files: { 'README.md': '# Shop\n' } },
      { name: 'earlier', files: { 'src/add.js': CLEAN_FILE } },
      { name: 'change', files: { 'src/same.js': CLEAN_FILE, ...Object.fromEntries(files) } },
    ],
  };
}

function vulnerableLine(number: number): string {
  return `export const find${number} = (db, x) => db.query("SELECT * FROM t${number} WHERE x = '" + x + "'");`;
}
