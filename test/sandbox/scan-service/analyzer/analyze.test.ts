// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the samples are source code in plain strings.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createGitFixture, type FixtureCommit } from '../../../../sandbox/git-fixture.ts';
import { analyze } from '../../../../sandbox/scan-service/analyzer/analyze.ts';
import { changedFiles } from '../../../../sandbox/scan-service/analyzer/changed-lines.ts';
import { LARGEST_FILE_BYTES } from '../../../../sandbox/scan-service/analyzer/source-files.ts';

type Files = NonNullable<FixtureCommit['files']>;

/** A repository with a commit for each version of the files: `v0`, `v1` and so on. */
async function repositoryOf(...versions: Files[]) {
  const commits = versions.map((files, index) => ({ name: `v${index}`, files }));
  const repository = await createGitFixture({ commits, bare: true });
  onTestFinished(() => repository.remove());
  return repository;
}

const file = (content: string | Buffer): Files => ({ 'a.js': content });
const QUERY = 'db.query(\n  `SELECT * FROM t WHERE\n   id = 1`,\n);\n';
const SQL = (value: string) => file(`const sql = ${value};\nlet a;\nlet b;\ndb.query(sql);\n`);
const READ = (value: string) =>
  file(
    `import fs from 'fs';\nconst f = (req) => {\n  const name = ${value};\n  let x;\n  return fs.readFileSync(name);\n};\n`,
  );
const ROOT = (root: string) =>
  file(
    `import fs from 'fs';\nconst root = ${root};\nconst f = (req) => fs.readFileSync(root + req.query.name);\n`,
  );
const CALLBACK = (body: string) =>
  file(`const cp = require('child_process');\ncp.exec('ls ' + d, () => {\n  ${body};\n});\n`);
const MOVED = 'let a;\nlet b;\nlet c;\nlet d;\neval(old);\n';
// In UTF-16, the characters on the second line contain the byte of a line feed.
const WIDE = (last: string) => `let a;\nlet b = '\u010a\u0a0a';\nlet c;\n${last}let d;\n`;
const little = (text: string) => Buffer.from(text, 'utf16le');
const big = (text: string) => little(text).swap16();
const utf16 = (last: string): Files => ({
  'big.js': big(WIDE(last)),
  'big-marked.js': big(`\ufeff${WIDE(last)}`),
  'little.js': little(WIDE(last)),
  'little-marked.js': little(`\ufeff${WIDE(last)}`),
});
const TOKEN = `ghp_${'wWPw5k4aXcaT4fNP'}${'0UcnZwJUVFk6LO0pINUx'}`;

const CHANGES: Readonly<Record<string, readonly [before: Files, after: Files]>> = {
  'an added line': [file('eval(old);\n'), file('eval(old);\nlet x;\neval(fresh);\n')],
  'one of several lines': [file(QUERY), file(QUERY.replace('1', '${id}'))],
  'only the line that builds a query': [SQL("'SELECT 1'"), SQL('`SELECT x FROM ${t}`')],
  'only the line that reads a request': [READ("'a.txt'"), READ('req.query.name')],
  'only a harmless value next to a dangerous one': [ROOT("'a/'"), ROOT("'b/'")],
  'only the callback of a dangerous call': [CALLBACK('a()'), CALLBACK('b()')],
  'a credential that two rules match': [
    {},
    file(`const token = '${TOKEN}';\nconst password = '${'hunter2'}hunter2';\n`),
  ],
  'deleted lines, deleted files and renamed files': [
    { 'a.js': 'let a;\neval(x);\n', 'gone.js': 'eval(y);\n', 'old.js': 'let a;\nlet b;\neval(z);\n' },
    { 'a.js': 'let a;\n', 'gone.js': null, 'old.js': null, 'new name.js': 'let a;\nlet b;\neval(z);\n' },
  ],
  'a file that was renamed and altered': [
    { 'o.js': MOVED },
    { 'o.js': null, 'n.js': `${MOVED}eval(fresh);\n` },
  ],
  'unusual names and contents': [
    { 'b.txt': 'one\ntwo\nthree\nfour\n' },
    {
      'b.txt': 'one\n2\nthree\nfour\nfive',
      'dir/with "quote" and\ttab.js': 'x\ny\n',
      'ünïcode.js': 'diff --git a/x b/x\n@@ -1 +99,9 @@\n',
      'empty.js': '',
    },
  ],
  'a `.gitattributes` that hides changes': [
    file('let x;\n'),
    { '.gitattributes': '* -diff -text\n*.js binary\n', 'a.js': 'let x;\neval(x);\n' },
  ],
  'binary files and large files': [
    {},
    {
      'a.js': 'eval(a)\n',
      'b.js': 'eval(b)\n\0',
      'c.js': `eval(c)\n${' '.repeat(LARGEST_FILE_BYTES)}`,
      'd.bin': '\0\n\0',
      'e.py': 'import os\n',
    },
  ],
  'files in UTF-16': [utf16(''), utf16('eval(x);\n')],
  'a file of 1.2 MB': [{}, file(`${`// ${'x'.repeat(96)}\n`.repeat(12_000)}eval(x);\n`)],
  'a submodule': [file(''), { module: { submodule: 'c'.repeat(40) } }],
};

test('a diff analysis reports vulnerabilities of changed lines, and counts the files', async () => {
  const texts: string[] = [];
  for (const [name, versions] of Object.entries(CHANGES)) {
    const repository = await repositoryOf(...versions);
    const [base, commit] = [repository.id('v0'), repository.id('v1')];
    const found = await analyze({ gitDir: repository.dir, base, commit });
    const { files } = await changedFiles(repository.dir, base, commit);
    texts.push(
      `# ${name}`,
      ...files.map(({ path, changed }) =>
        ['changed:', path, ...changed.map(({ start, end }) => `${start}-${end}`)].join(' '),
      ),
      ...found.vulnerabilities.map(({ path, shown, rule }) => `found: ${path}:${shown.start} ${rule.id}`),
      `read ${found.filesRead} files, ${found.codeFilesRead} of code, skipped ${found.filesSkipped}\n`,
    );
  }
  await expect(texts.join('\n')).toMatchFileSnapshot('changes.golden.txt');
});

test('a full analysis reports unchanged code, and counts occurrences like a diff analysis', async () => {
  const repository = await repositoryOf(
    { 'x/b.js': 'eval(x);\n' },
    { 'x/b.js': 'eval(x);\nlet y;\neval(x);\n' },
    { 'a.txt': '' },
  );
  const occurrences = async (base: string | null, commit: string) => {
    const from = base === null ? null : repository.id(base);
    const found = await analyze({ gitDir: repository.dir, base: from, commit: repository.id(commit) });
    return found.vulnerabilities.map(({ path, occurrence }) => `${path} ${occurrence}`);
  };
  expect(await occurrences(null, 'v2')).toEqual(['x/b.js 0', 'x/b.js 1']);
  expect(await occurrences('v0', 'v1')).toEqual(['x/b.js 1']);
  // The analysis reads the given commit, not the newest one.
  expect(await occurrences(null, 'v0')).toEqual(['x/b.js 0']);
});

test('an analysis fails if a file or the commit is missing from the repository', async () => {
  const repository = await repositoryOf(file('let x;\n'), { ...file('eval(x);\n'), 'gone.js': 'eval(y);\n' });
  const blob = await repository.git('rev-parse', 'main:gone.js');
  await rm(join(repository.dir, 'objects', blob.slice(0, 2), blob.slice(2)));
  const target = { gitDir: repository.dir, base: repository.id('v0'), commit: repository.id('v1') };
  await expect(analyze(target)).rejects.toThrow(`The repository does not hold the content ${blob}.`);
  const unknown = { ...target, base: null, commit: '0'.repeat(40) };
  await expect(analyze(unknown)).rejects.toThrow('git ls-tree');
});
