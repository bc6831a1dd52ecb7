import type { FixtureDescription } from '../../sandbox/git-fixture.ts';

/** Each file has one vulnerability. Its severity is at or above the default threshold. */
const VULNERABLE_FILES: readonly string[] = [
  "import { exec } from 'node:child_process';\n\nexport const pack = (request) => exec('tar czf ' + request.query.name);\n",
  'export const find = (db, name) => db.query("SELECT * FROM orders WHERE name = \'" + name + "\'");\n',
  'export const run = (request) => eval(request.body.code);\n',
  "import https from 'node:https';\n\nexport const agent = new https.Agent({ rejectUnauthorized: false });\n",
];
const CLEAN_FILE = 'export const add = (a, b) => a + b;\n';

/**
 * Describes a repository with a base branch and a branch `change`. The first commit of `change` adds a harmless file.
 * The second adds the vulnerabilities.
 * @param crowded false: one vulnerability in each file; true: forty, so that thousands of them need few files
 */
export function vulnerableRepository(vulnerabilities: number, crowded = false): FixtureDescription {
  const files = crowded ? crowdedFiles(vulnerabilities) : singleFiles(vulnerabilities);
  return {
    bare: true,
    branches: { main: 'base', change: 'change' },
    commits: [
      { name: 'base', files: { 'README.md': '# Shop\n' } },
      { name: 'earlier', files: { 'src/add.js': CLEAN_FILE } },
      { name: 'change', files: { 'src/same.js': CLEAN_FILE, ...files } },
    ],
  };
}

function singleFiles(vulnerabilities: number): Record<string, string> {
  const files = Array.from({ length: vulnerabilities }, (_, index) => [
    `src/vulnerable-${index + 1}.js`,
    VULNERABLE_FILES[index % VULNERABLE_FILES.length] ?? '',
  ]);
  return Object.fromEntries(files);
}

const VULNERABILITIES_PER_FILE = 40;

function crowdedFiles(vulnerabilities: number): Record<string, string> {
  const files: Record<string, string> = {};
  for (let at = 0; at < vulnerabilities; at += VULNERABILITIES_PER_FILE) {
    const lines = Array.from(
      { length: Math.min(VULNERABILITIES_PER_FILE, vulnerabilities - at) },
      (_, index) => queryLine(at + index),
    );
    files[`src/crowded-${at / VULNERABILITIES_PER_FILE}.js`] = `${lines.join('\n')}\n`;
  }
  return files;
}

function queryLine(number: number): string {
  return `export const find${number} = (db, x) => db.query("SELECT * FROM t${number} WHERE x = '" + x + "'");`;
}
