import type { FixtureDescription } from '../src/sandbox/git-fixture.ts';

/** One file each, all of them at or above the default severity threshold. */
const FLAWED_FILES: readonly string[] = [
  "import { exec } from 'node:child_process';\n\nexport const pack = (request) => exec('tar czf ' + request.query.name);\n",
  'export const find = (db, name) => db.query("SELECT * FROM orders WHERE name = \'" + name + "\'");\n',
  'export const run = (request) => eval(request.body.code);\n',
  "import https from 'node:https';\n\nexport const agent = new https.Agent({ rejectUnauthorized: false });\n",
];
const CLEAN_FILE = 'export const add = (a, b) => a + b;\n';

/** A base branch, and a branch `change` that adds as many flaws as asked for beside a harmless file. */
export function flawedRepository(flaws: number): FixtureDescription {
  const files = Array.from({ length: flaws }, (_, index): [string, string] => [
    `src/flawed-${index + 1}.js`,
    FLAWED_FILES[index % FLAWED_FILES.length] ?? '',
  ]);
  return {
    branches: { main: 'base', change: 'change' },
    commits: [
      { name: 'base', files: { 'README.md': '# Shop\n' } },
      { name: 'change', files: { 'src/add.js': CLEAN_FILE, ...Object.fromEntries(files) } },
    ],
  };
}
