// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the samples are source code in plain strings.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createGitFixture, type FixtureCommit, type GitFixture } from '../../../../sandbox/git-fixture.ts';
import { analyze } from '../../../../sandbox/scan-service/analyzer/analyze.ts';
import { changedFiles } from '../../../../sandbox/scan-service/analyzer/changed-lines.ts';
import { LARGEST_FILE_BYTES } from '../../../../sandbox/scan-service/analyzer/source-files.ts';

const made: GitFixture[] = [];
afterEach(async () => {
  await Promise.all(made.splice(0).map((repository) => repository.remove()));
});

async function repositoryOf(...commits: FixtureCommit[]): Promise<GitFixture> {
  const repository = await createGitFixture({ commits, bare: true });
  made.push(repository);
  return repository;
}

/** Analyzes the change from the commit `base` to the commit `head`. */
async function ofChange(
  base: FixtureCommit['files'],
  head: FixtureCommit['files'],
): Promise<{ places: string[]; filesSkipped: number; coverage: unknown[]; changed: string[] }> {
  const repository = await repositoryOf(
    { name: 'base', files: base ?? {} },
    { name: 'head', files: head ?? {} },
  );
  const [from, to] = [repository.id('base'), repository.id('head')];
  const analysis = await analyze({ gitDir: repository.dir, base: from, commit: to });
  const { vulnerabilities, filesRead, codeFilesRead, filesSkipped } = analysis;
  return {
    coverage: [filesRead, codeFilesRead, filesSkipped],
    places: vulnerabilities.map(
      (vulnerability) => `${vulnerability.path}:${vulnerability.shown.start} ${vulnerability.rule.id}`,
    ),
    filesSkipped,
    changed: (await changedFiles(repository.dir, from, to)).files.map(
      (file) => `${file.path} ${file.changed.map((range) => `${range.start}-${range.end}`).join(' ')}`,
    ),
  };
}

describe('a diff analysis', () => {
  it('a diff analysis reports a vulnerability on an added line, but not on an existing line', async () => {
    const { places } = await ofChange(
      { 'a.js': 'eval(old);\n' },
      { 'a.js': 'eval(old);\nlet x;\neval(fresh);\n' },
    );
    expect(places).toEqual(['a.js:3 code-injection']);
  });

  it('a diff analysis reports a vulnerability of several lines if the change touches one of them', async () => {
    const before = 'db.query(\n  `SELECT * FROM t WHERE\n   id = 1`,\n);\n';
    const { places } = await ofChange({ 'a.js': before }, { 'a.js': before.replace('1', '${id}') });
    expect(places).toEqual(['a.js:1 sql-injection']);
  });

  it('if only the line that builds a query changed, a diff analysis reports a vulnerability on this line', async () => {
    const code = (value: string) => `const sql = ${value};\nlet a;\nlet b;\ndb.query(sql);\n`;
    const { places } = await ofChange(
      { 'a.js': code("'SELECT 1'") },
      { 'a.js': code('`SELECT x FROM ${t}`') },
    );
    expect(places).toEqual(['a.js:1 sql-injection']);
  });

  it('if only the line that reads a request changed, a diff analysis reports a vulnerability on this line', async () => {
    const code = (value: string) =>
      `import fs from 'fs';\nconst f = (req) => {\n  const name = ${value};\n  let x;\n  return fs.readFileSync(name);\n};\n`;
    const { places } = await ofChange({ 'a.js': code("'a.txt'") }, { 'a.js': code('req.query.name') });
    expect(places).toEqual(['a.js:3 path-traversal']);
  });

  it('a diff analysis reports nothing if only a harmless value next to a dangerous value changed', async () => {
    const code = (root: string) =>
      `import fs from 'fs';\nconst root = ${root};\nconst f = (req) => fs.readFileSync(root + req.query.name);\n`;
    expect((await ofChange({ 'a.js': code("'a/'") }, { 'a.js': code("'b/'") })).places).toEqual([]);
  });

  it('a diff analysis reports a credential once even if two rules match', async () => {
    const token = `ghp_${'wWPw5k4aXcaT4fNP'}${'0UcnZwJUVFk6LO0pINUx'}`;
    const { places } = await ofChange(
      {},
      { 'a.js': `const token = '${token}';\nconst password = '${'hunter2'}hunter2';\n` },
    );
    expect(places).toEqual(['a.js:1 credential-github', 'a.js:2 hard-coded-credential']);
  });

  it('a diff analysis reports nothing if only the callback of a dangerous call changed', async () => {
    const code = (body: string) =>
      `const cp = require('child_process');\ncp.exec('ls ' + d, () => {\n  ${body};\n});\n`;
    expect((await ofChange({ 'a.js': code('a()') }, { 'a.js': code('b()') })).places).toEqual([]);
  });

  it('a diff analysis reports nothing for deleted lines, deleted files and renamed files', async () => {
    const { places, changed } = await ofChange(
      { 'a.js': 'let a;\neval(x);\n', 'gone.js': 'eval(y);\n', 'old.js': 'let a;\nlet b;\neval(z);\n' },
      { 'a.js': 'let a;\n', 'gone.js': null, 'old.js': null, 'new name.js': 'let a;\nlet b;\neval(z);\n' },
    );
    expect(places).toEqual([]);
    expect(changed).toEqual([]);
  });

  it('a diff analysis reports only the altered line of a file that was renamed and altered', async () => {
    const body = 'let a;\nlet b;\nlet c;\nlet d;\neval(old);\n';
    const { changed } = await ofChange({ 'o.js': body }, { 'o.js': null, 'n.js': `${body}eval(fresh);\n` });
    expect(changed).toEqual(['n.js 6-6']);
  });

  it('a diff analysis finds the changed lines of files with unusual names and contents', async () => {
    const { changed } = await ofChange(
      { 'b.txt': 'one\ntwo\nthree\nfour\n' },
      {
        'b.txt': 'one\n2\nthree\nfour\nfive',
        'dir/with "quote" and\ttab.js': 'x\ny\n',
        'ünïcode.js': 'diff --git a/x b/x\n@@ -1 +99,9 @@\n',
        'empty.js': '',
      },
    );
    expect(changed).toEqual(['b.txt 2-2 5-5', 'dir/with "quote" and\ttab.js 1-2', 'ünïcode.js 1-2']);
  });

  it('a diff analysis ignores the `.gitattributes` of the scanned repository', async () => {
    const { places } = await ofChange(
      { 'a.js': 'let x;\n' },
      { '.gitattributes': '* -diff -text\n*.js binary\n', 'a.js': 'let x;\neval(x);\n' },
    );
    expect(places).toEqual(['a.js:2 code-injection']);
  });

  it('a diff analysis counts the binary files and large files that it does not read', async () => {
    const { places, filesSkipped } = await ofChange(
      {},
      { 'a.js': 'eval(a)\n', 'b.js': 'eval(b)\n\0', 'c.js': `eval(c)\n${' '.repeat(LARGEST_FILE_BYTES)}` },
    );
    expect(places).toEqual(['a.js:1 code-injection']);
    expect(filesSkipped).toBe(2);
  });

  it('a diff analysis fails if a changed file is missing from the repository', async () => {
    const repository = await repositoryOf(
      { name: 'base', files: { 'a.js': '', 'gone.js': 'x\n' } },
      { name: 'head', files: { 'a.js': 'eval(x);\n', 'gone.js': 'eval(y);\n' } },
    );
    const blob = await repository.git('rev-parse', 'main:gone.js');
    await rm(join(repository.dir, 'objects', blob.slice(0, 2), blob.slice(2)));
    const target = { gitDir: repository.dir, base: repository.id('base'), commit: repository.id('head') };
    await expect(analyze(target)).rejects.toThrow(`The repository does not hold the content ${blob}.`);
  });

  it.each(['utf-16le', 'utf-16be'] as const)(
    'a diff analysis reads a file in %s with or without a byte order mark',
    async (encoding) => {
      const utf16 = (text: string) => {
        const bytes = Buffer.from(text, 'utf16le');
        return encoding === 'utf-16le' ? bytes : bytes.swap16();
      };
      // In UTF-16, the characters on the second line contain the byte of a line feed.
      const lines = (last: string) => `let a;\nlet b = '\u010a\u0a0a';\nlet c;\n${last}let d;\n`;
      const { places, filesSkipped, coverage } = await ofChange(
        { 'marked.js': utf16(`\ufeff${lines('')}`), 'plain.js': utf16(lines('')) },
        { 'marked.js': utf16(`\ufeff${lines('eval(x);\n')}`), 'plain.js': utf16(lines('eval(x);\n')) },
      );
      expect(places).toEqual(['marked.js:4 code-injection', 'plain.js:4 code-injection']);
      expect([filesSkipped, coverage]).toEqual([0, [2, 2, 0]]);
    },
  );

  it('a diff analysis reads a file of 1.2 MB', async () => {
    const { places, coverage } = await ofChange(
      {},
      { 'a.js': `${`// ${'x'.repeat(96)}\n`.repeat(12_000)}eval(x);\n` },
    );
    expect(places).toEqual(['a.js:12001 code-injection']);
    expect(coverage).toEqual([1, 1, 0]);
  });

  it('a diff analysis counts the files that it read and the files that it skipped', async () => {
    const { coverage } = await ofChange(
      { 'gone.js': '1;\n' },
      { 'a.py': 'import os\n', 'b.ts': 'export {};\n', 'c.bin': '\0\n\0', 'gone.js': null },
    );
    expect(coverage).toEqual([2, 1, 1]);
  });

  it('a diff analysis counts a changed submodule as skipped', async () => {
    const repository = await repositoryOf(
      { name: 'base', files: { 'a.js': '' } },
      { name: 'head', files: { module: { submodule: 'c'.repeat(40) } } },
    );
    const target = { gitDir: repository.dir, base: repository.id('base'), commit: repository.id('head') };
    expect(await analyze(target)).toMatchObject({
      filesRead: 0,
      filesSkipped: 1,
    });
  });

  it('a diff analysis reads the given commit even if another commit is checked out', async () => {
    const repository = await createGitFixture({
      commits: [
        { name: 'base', files: { 'a.js': '' } },
        { name: 'bad', files: { 'a.js': 'eval(x);\n' } },
        { name: 'fixed', files: { 'a.js': '' } },
      ],
    });
    made.push(repository);
    const target = { gitDir: repository.dir, base: repository.id('base'), commit: repository.id('bad') };
    expect((await analyze(target)).vulnerabilities).toHaveLength(1);
    expect(await repository.git('status', '--porcelain')).toBe('');
  });
});

describe('a full analysis', () => {
  it('a full analysis reports vulnerabilities in files that the commit did not change', async () => {
    const repository = await repositoryOf(
      { name: 'a', files: { 'x/b.js': 'eval(x);\n' } },
      { name: 'b', files: { 'a.txt': '' } },
    );
    const { vulnerabilities } = await analyze({
      gitDir: repository.dir,
      base: null,
      commit: repository.id('b'),
    });
    expect(vulnerabilities.map((vulnerability) => vulnerability.path)).toEqual(['x/b.js']);
  });

  it('a full analysis and a diff analysis give a repeated vulnerability the same occurrence number', async () => {
    const repository = await repositoryOf(
      { name: 'base', files: { 'a.js': 'eval(x);\n' } },
      { name: 'head', files: { 'a.js': 'eval(x);\nlet y;\neval(x);\n' } },
    );
    const commit = repository.id('head');
    const full = await analyze({ gitDir: repository.dir, base: null, commit });
    const diff = await analyze({ gitDir: repository.dir, base: repository.id('base'), commit });
    expect(full.vulnerabilities.map((vulnerability) => vulnerability.occurrence)).toEqual([0, 1]);
    expect(diff.vulnerabilities.map((vulnerability) => vulnerability.occurrence)).toEqual([1]);
  });

  it('a full analysis fails for a commit that does not exist', async () => {
    const repository = await repositoryOf({ name: 'a', files: { 'b.js': '' } });
    await expect(analyze({ gitDir: repository.dir, base: null, commit: '0'.repeat(40) })).rejects.toThrow(
      'git ls-tree',
    );
  });
});
