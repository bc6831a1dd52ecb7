import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isPlainPath,
  matchesEverything,
  matchesExtension,
  matchesPath,
  pathFault,
  readPathPatterns,
} from '../../../src/domain/path-patterns.ts';
import { rounds } from '../../support/rounds.ts';

function matches(lines: readonly string[], path: string): boolean {
  const { patterns, slips } = readPathPatterns(lines.join('\n'));
  expect(slips).toEqual([]);
  return matchesPath(patterns, path);
}

/** Each row: the patterns, the paths that they match, and the paths that they do not match. */
type Row = readonly [lines: readonly string[], those: readonly string[], others: readonly string[]];

test.each<Row>([
  [['*'], ['README.md', 'server.rb'], ['docs/README.md']],
  [['*.jsx?'], ['page.js', 'page.jsx'], ['page.jsxx', 'page.j', 'src/page.js', 'page.jsy']],
  [['**'], ['all/the/files.md', 'README.md', '.github/workflows/ci.yml'], []],
  [['*.js'], ['app.js', 'index.js'], ['src/app.js', 'app.json', 'app.JS']],
  [['**.js'], ['index.js', 'js/index.js', 'src/js/app.js'], ['src/js/app.ts', 'index.js/readme']],
  [['docs/*'], ['docs/README.md', 'docs/file.txt'], ['docs/a/b.md', 'docs', 'src/docs/README.md']],
  [['docs/**'], ['docs/README.md', 'docs/mona/octocat.txt'], ['docs', 'docs2/README.md', 'my/docs/a.md']],
  [['docs/**/*.md'], ['docs/README.md', 'docs/a/markdown/file.md'], ['docsREADME.md', 'docs/a.txt']],
  [['**/docs/**'], ['docs/hello.md', 'dir/docs/my-file.txt'], ['mydocs/hello.md', 'docs', 'dir/docs']],
  [['**/README.md'], ['README.md', 'js/README.md'], ['MYREADME.md', 'js/MYREADME.md', 'readme.md']],
  [['**/*src/**'], ['a/src/app.js', 'my-src/code/js/app.js', 'src/a.js'], ['a/srcs/app.js', 'src']],
  [['**/*-post.md'], ['my-post.md', 'path/their-post.md'], ['post.md', 'path/post.md']],
  [['**/migrate-*.sql'], ['migrate-10909.sql', 'db/migrate-v1.0.sql'], ['immigrate-1.sql']],
  [['*.md', '!README.md'], ['hello.md'], ['README.md', 'docs/hello.md']],
  [['*.md', '!README.md', 'README*'], ['hello.md', 'README.md', 'README.doc'], []],
  // GitHub's examples for filters of branches and tags. Their patterns use the same characters as patterns of paths.
  [['*feature'], ['mona-feature', 'feature', 'ver-10-feature'], ['a/feature', 'features']],
  [['v[12].[0-9]+.[0-9]+'], ['v1.10.1', 'v2.0.0'], ['v3.0.0', 'v1..0', 'v1.0', 'v1x0x0']],
  [['[CB]at'], ['Cat', 'Bat'], ['at', 'cat', 'CBat', 'Rat']],
])('each documented list of patterns matches exactly the documented paths: %j', expectMatches);

test.each<Row>([
  [['a+b'], ['ab', 'aaab'], ['b', 'a+b', 'aa']],
  [['[ab][X-Z]'], ['aX', 'bZ'], ['cX', 'aA', 'aa', 'a-']],
  [['[0-9a-z]+.txt'], ['a1.txt', 'z.txt'], ['.txt', 'A.txt', 'a_.txt']],
  [
    ['a\\+b', 'src/\\+page'],
    ['a+b', 'src/+page'],
    ['ab', 'aab'],
  ],
  [
    ['a\\?', 'a\\*b', '\\{a\\}', "a\\'"],
    ['a?', 'a*b', '{a}', "a'"],
    ['a', 'axb'],
  ],
  [['src/\\[id\\]/**'], ['src/[id]/page.tsx'], ['src/i/page.tsx', 'src/id/page.tsx']],
  [
    ['\\!keep', 'a!b', '\\#notes', 'a\\,c'],
    ['!keep', 'a!b', '#notes', 'a,c'],
    ['keep', 'notes', 'a', 'c'],
  ],
  [
    ['(auth)/a.b$', 'a|b', '^a$'],
    ['(auth)/a.b$', 'a|b', '^a$'],
    ['auth/a.b', '(auth)/axb$', 'a', 'b'],
  ],
  [
    ['my docs/**', 'a - b', "it's"],
    ['my docs/a b.md', 'a - b', "it's"],
    ['mydocs/a.md', 'a b', 'its'],
  ],
  [
    ['cc:/a', 'docs/a:b'],
    ['cc:/a', 'docs/a:b'],
    ['c:/a', 'docs/a'],
  ],
  [['*.*'], ['a.b', '.env', '...'], ['Makefile', 'a/b.c']],
  [['**/.*'], ['.env', 'a/b/.env'], ['a/env', 'env.']],
  [['é😀?/x'], ['é/x', 'é😀/x'], ['é😀😀/x', '😀/x']],
  [['  docs/**\r', '\t!docs/api/**  ', ''], ['docs/a'], ['docs/api/a']],
  [['', '  '], [], ['a', '']],
  // The last pattern that matches decides.
  [['docs/**', '!docs/api/**', 'docs/api/*.md'], ['docs/a.md', 'docs/api/a.md'], ['docs/api/a.ts']],
  [['**', '!team-a/**'], ['team-b/x.ts'], ['team-a/x.ts']],
  // A pattern with `!` that names a folder also excludes the files in it.
  [
    ['**', '!src'],
    ['src2/a', 'a/src/b', 'a'],
    ['src', 'src/a/b.ts'],
  ],
  [['**', '!**/sr?c+'], ['a/b'], ['a/src/b', 'a/scc/b/c']],
  [['**', '!Makefile', 'src'], ['src/a'], ['Makefile']],
  // A pattern with `!` that ends in `*` excludes files, but no files in subfolders.
  [['**', '!docs/*'], ['docs/a/b'], ['docs/a']],
  [['**', '!*'], ['a/b'], ['a']],
  // A pattern without `!` never matches the files in the folder that it names.
  [['src'], ['src'], ['src/a']],
  // An emoji and a joiner belong to a name. A name that only looks the same is another name.
  [['**/*.md'], ['✏\ufe0f notes/b.md'], ['no\u200dtes/b.md']],
  [['✏\ufe0f notes/**'], ['✏\ufe0f notes/b.md'], ['✏ notes/b.md', '✏\ufe0f\ufe0f notes/b.md']],
  [['docs/**'], ['docs/a.md'], ['ｄｏｃｓ/a.md', 'docs∕a.md', 'Docs/a.md']],
])('a list of patterns matches only the listed paths: %j', expectMatches);

function expectMatches(lines: readonly string[], those: readonly string[], others: readonly string[]) {
  expect(those.filter((path) => !matches(lines, path))).toEqual([]);
  expect(others.filter((path) => matches(lines, path))).toEqual([]);
}

test('a pattern matches the same paths as an equivalent regular expression', () => {
  const pieces = ['a', 'b', '/', '*', '**', '**/', 'a?', 'b+', '[ab]', '[ab]+', '[a-b]?', '.', '/**/'];
  const pattern = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 7 });
  const path = fc.array(fc.constantFrom('a', 'b', '/', '.', 'ab'), { maxLength: 9 });
  fc.assert(
    fc.property(pattern, path, (given, names) => {
      const [text, name] = [given.join(''), names.join('')];
      const { patterns } = readPathPatterns(text);
      fc.pre(patterns.length === 1 && isPlainPath(name));
      expect(matchesPath(patterns, name)).toBe(regularExpression(text).test(name));
    }),
    { numRuns: rounds(2_000, 50_000) },
  );
});

/**
 * Makes a regular expression that matches the same paths as the pattern. It backtracks, so it is unfit for hostile
 * paths.
 */
function regularExpression(pattern: string): RegExp {
  const source = pattern.replaceAll(/(?<=^|\/)\*\*\/|\*\*|\*|\./g, (found, at: number) => {
    if (found === '**/' && (at === 0 || pattern[at - 1] === '/')) return '(?:.*/)?';
    return { '**': '.*', '*': '[^/]*', '.': '\\.' }[found] ?? found;
  });
  return new RegExp(`^${source}$`);
}

/** Wrong patterns, by what is wrong. */
const WRONG: Readonly<Record<string, readonly string[]>> = {
  'an exclamation mark': ['!', '!!a', '! a'],
  'a bracket': ['[ab', 'a]'],
  'a set': ['[]', '[!a]', '[^a]', '[z-a]', '[a-Z]', '[a-]', '[a/b]', '[[a]]', '[a-cz-x]', '[.]'],
  'a repetition': ['?', '+page.svelte', 'src/?.js', 'src/+page.svelte', '*?', '**+', 'a??', 'c++/**'],
  asterisks: ['***'],
  'a start': ['/docs/**', 'C:/docs/**'],
  'a relative path': ['./docs/**', '../docs/**', 'docs/../src', 'docs/..', 'docs/./a', '.'],
  'a folder': ['docs//a', 'docs/', 'docs/**/'],
  'a backslash': ['docs\\', 'docs\\a.md', 'docs\\\\a.md', 'docs\\**', 'docs\\*', 'docs\\*.md', 'a\\/b'],
  'several patterns': ['docs/**, test/**', 'docs/**,test/**', '**/*.{md,txt}', '**/*.{md}', '- docs/**'],
  'quotation marks': ["docs'", '"docs', '"docs/**"', "'docs/**'", "!'docs/**'"],
  'a comment': ['# documents', 'docs/** # documents'],
  'an invisible character': ['docs/\u200b**', 'docs/\u2028**', 'docs/\t**', 'no\ufe0ftes/**'],
  'a length': ['a'.repeat(501)],
};

test('a wrong pattern gets a message that says what to write, and its list matches nothing', async () => {
  const messageOf = (line: string) => {
    const { patterns, slips } = readPathPatterns(`src/**\n${line}`);
    expect(patterns).toEqual([]);
    expect(slips.map(({ pattern }) => pattern)).toEqual([line]);
    return slips[0]?.sentence ?? '';
  };
  const byMessage = new Map<string, string[]>();
  for (const line of Object.values(WRONG).flat()) {
    const message = messageOf(line);
    if (!line.startsWith('!')) expect(messageOf(`!${line}`)).toBe(message);
    const shown = line.replace(/[^\x20-~]/g, (char) => `\\u${char.charCodeAt(0).toString(16)}`);
    byMessage.set(message, [...(byMessage.get(message) ?? []), shown.replace(/^a{5,}$/, 'a, 501 times')]);
  }
  const lines = [...byMessage].map(([message, all]) => `${message}\n  ${all.join('\n  ')}`);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/wrong-patterns.txt');
});

test.each(['!docs/**', '!docs/**\n!src/**', '!docs/api/**\ndocs/**'])(
  'a list that starts with an exclusion gets a message: %j',
  (text) => {
    const sentence = 'Write a pattern without `!` before it. `!` takes back what an earlier line matched.';
    const slips = [{ pattern: text.split('\n')[0], sentence }];
    expect(readPathPatterns(text)).toEqual({ patterns: [], slips });
  },
);

test('each wrong pattern of a list gets a message, and a list has at most 200 patterns of 500 characters', () => {
  expect(readPathPatterns('/a\nb\n[c').slips.map(({ pattern }) => pattern)).toEqual(['/a', '[c']);
  expect(readPathPatterns('!a\n[c').slips.map(({ pattern }) => pattern)).toEqual(['[c']);
  expect(readPathPatterns('😀'.repeat(500)).slips).toEqual([]);
  const text = (count: number) => Array.from({ length: count }, () => 'a'.repeat(500)).join('\n');
  expect(readPathPatterns(text(200)).slips).toEqual([]);
  const slips = [{ pattern: undefined, sentence: 'Use at most 200 patterns.' }];
  expect(readPathPatterns(text(201))).toEqual({ patterns: [], slips });
});

test.each([
  ['its names', ['', '/a', 'a/', 'a//b', './a', '../a', 'a/../b', 'a/..', '..', '.', 'a/./b']],
  ['its separators', ['a\\b', '\\a', 'C:/a', 'c:a', 'C:\\a', 'docs\\..\\src\\a.ts']],
  ['control characters', ['a\u0000', 'a\nb', 'a/\u0001', 'a.md\n../b']],
  [
    'invisible characters',
    ['a\u200bb', 'a\u202eb', 'a\u2028b', 'a\u2029b', 'a\u115fb', 'a\ufe0fb', '\ud800'],
  ],
  ['its length', ['a'.repeat(4097)]],
])('no pattern matches a path that is invalid because of %s', (_what, paths) => {
  expect(paths.filter((path) => isPlainPath(path) || matches(['**'], path))).toEqual([]);
  expect(paths.filter((path) => matches(['a', '**', '!b', '**'], path))).toEqual([]);
});

test.each([
  ['', 'is empty'],
  ['a'.repeat(4097), 'has more than 4096 characters'],
  ['C:/a', 'is absolute'],
  ['a\\b', 'has backslashes'],
  ['a\u200bb', 'has an invisible character'],
  ['a/../b', 'leads to a parent folder'],
  ['a/./b', 'is not normalized'],
  ['a//b', 'is not normalized'],
  ['a', undefined],
])('pathFault says why a path is not plain: %j', (path, fault) => {
  expect(pathFault(path)).toBe(fault);
});

test('the pattern `**` matches every plain path', () => {
  const strange = ['.a', '...', 'a..b/..c', 'a b', 'é/😀', 'cc:/a', 'a'.repeat(4096)];
  const joined = ['🗞\ufe0f journal/👩\u200d💻.md', 'می\u200cخواهم/a'];
  expect([...strange, ...joined].filter((path) => !matches(['**'], path))).toEqual([]);
});

test('a path of 4,000 characters is matched without backtracking', () => {
  // A matcher that backtracks would take too long for these paths and patterns.
  for (const path of ['a'.repeat(4_000), `${'a/'.repeat(2_000)}a`, `${'ab'.repeat(2_000)}`]) {
    expect(matches([`${'**a'.repeat(10)}**c`], path)).toBe(false);
    expect(matches([`${'*a'.repeat(10)}*c`], path)).toBe(false);
    expect(matches([`${'**/'.repeat(10)}c`], path)).toBe(false);
    expect(matches([`${'a?'.repeat(10)}${'a+'.repeat(10)}c`], path)).toBe(false);
    expect(matches([`${'**a'.repeat(10)}**`], path)).toBe(true);
  }
});

const EVERYTHING = [
  ...['**', '*\n**/*', '**/*', '**/**', '**/*.*', '**.*', '*/**', '**/[a-z]+.*'],
  ...['docs/**\n**\n!src/**\n**', '**\n!src/**\nsrc/**'],
  // `!..?/x` excludes only `./x` and `../x`. These are not plain paths, so the gate never matches them anyway.
  '**\n!..?/x',
];
const NOT_EVERYTHING = [
  ...['**\n!src/**', '**\n!**/*.ts', '**\n!**/src/**', '**\n!docs[ab]/x', '**\n!*'],
  ...['**\n!src/**\nsrc/generated/**', '*', '**/test/**\ndocs/**\n*.md', '**/*.md', '**/*_test.[a-z]+', ''],
];

test('matchesEverything returns whether a list of patterns matches every path', () => {
  const isEverything = (list: string) => matchesEverything(readPathPatterns(list).patterns);
  expect(EVERYTHING.filter((list) => !isEverything(list))).toEqual([]);
  expect(NOT_EVERYTHING.filter(isEverything)).toEqual([]);
});

test('matchesExtension returns whether a list of patterns matches every file with the extension', () => {
  const whole = [
    '**',
    '**/*.js',
    '**.js',
    '**/*.[jt]s',
    '**\n!src/**\nsrc/**',
    '**\n!**/*.ts\n**/*.js',
    '**\n!..?/*',
  ];
  const part = [
    '',
    '*.js',
    'src/**',
    '**/*.ts',
    '**\n!**/*.js',
    '**\n!src/**',
    '**\n!src',
    '**\n!src/*.js',
    '**\n!*.ts',
    '**\n!*/src',
  ];
  const isWhole = (list: string) => matchesExtension(readPathPatterns(list).patterns, 'js');
  expect(whole.filter((list) => !isWhole(list))).toEqual([]);
  expect(part.filter(isWhole)).toEqual([]);
});
