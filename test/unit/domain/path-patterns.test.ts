import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isPlainPath,
  matchesEverything,
  matchesPath,
  readPathPatterns,
} from '../../../src/domain/path-patterns.ts';
import { rounds } from '../../support/rounds.ts';

function matches(lines: readonly string[], path: string): boolean {
  const { patterns, slips } = readPathPatterns(lines.join('\n'));
  expect(slips).toEqual([]);
  return matchesPath(patterns, path);
}

describe('the documented examples of the filter patterns', () => {
  test.each([
    [['*'], ['README.md', 'server.rb'], ['docs/README.md']],
    [['*.jsx?'], ['page.js', 'page.jsx'], ['page.jsxx', 'page.j', 'src/page.js', 'page.jsy']],
    [['**'], ['all/the/files.md', 'README.md', '.github/workflows/ci.yml'], []],
    [['*.js'], ['app.js', 'index.js'], ['src/app.js', 'app.json', 'app.JS']],
    [['**.js'], ['index.js', 'js/index.js', 'src/js/app.js'], ['src/js/app.ts', 'index.js/readme']],
    [['docs/*'], ['docs/README.md', 'docs/file.txt'], ['docs/a/b.md', 'docs', 'src/docs/README.md']],
    [['docs/**'], ['docs/README.md', 'docs/mona/octocat.txt'], ['docs', 'docs2/README.md', 'my/docs/a.md']],
    [
      ['docs/**/*.md'],
      ['docs/README.md', 'docs/mona/hello-world.md', 'docs/a/markdown/file.md'],
      ['docs.md', 'docsREADME.md', 'docs/a.txt', 'a/docs/b.md'],
    ],
    [
      ['**/docs/**'],
      ['docs/hello.md', 'dir/docs/my-file.txt', 'space/docs/plan/space.doc'],
      ['mydocs/hello.md', 'docs', 'dir/docs'],
    ],
    [['**/README.md'], ['README.md', 'js/README.md'], ['MYREADME.md', 'js/MYREADME.md', 'readme.md']],
    [['**/*src/**'], ['a/src/app.js', 'my-src/code/js/app.js', 'src/a.js'], ['a/srcs/app.js', 'src']],
    [['**/*-post.md'], ['my-post.md', 'path/their-post.md'], ['post.md', 'path/post.md']],
    [
      ['**/migrate-*.sql'],
      ['migrate-10909.sql', 'db/migrate-v1.0.sql', 'db/sept/migrate-v1.sql'],
      ['db/migrate-a/b.sql', 'immigrate-1.sql'],
    ],
    [['*.md', '!README.md'], ['hello.md'], ['README.md', 'docs/hello.md']],
    [['*.md', '!README.md', 'README*'], ['hello.md', 'README.md', 'README.doc'], []],
    // GitHub's examples for filters of branches and tags. Their patterns use the same characters as patterns of paths.
    [['feature/**'], ['feature/beta-a/my-branch', 'feature/your-branch'], ['feature']],
    [['*feature'], ['mona-feature', 'feature', 'ver-10-feature'], ['a/feature', 'features']],
    [['v2*'], ['v2', 'v2.0', 'v2.9'], ['v1', 'v2/0']],
    [['v[12].[0-9]+.[0-9]+'], ['v1.10.1', 'v2.0.0'], ['v3.0.0', 'v1..0', 'v1.0', 'v1x0x0']],
    [['Octo*'], ['Octocat', 'Octo'], ['octocat']],
    [['[CB]at'], ['Cat', 'Bat'], ['at', 'cat', 'CBat', 'Rat']],
    [['[1-2]00'], ['100', '200'], ['300', '00']],
  ])('each documented list of patterns matches exactly the documented paths: %j', (lines, those, others) => {
    expect(those.filter((path) => !matches(lines, path))).toEqual([]);
    expect(others.filter((path) => matches(lines, path))).toEqual([]);
  });
});

describe('the grammar', () => {
  test.each([
    ['Octoc?t', ['Octoct', 'Octot'], ['Octocct', 'Octocat']],
    ['a+b', ['ab', 'aaab'], ['b', 'a+b', 'aa']],
    ['a?', ['a'], ['', 'aa', 'a?']],
    ['[0-9a-z]+.txt', ['a1.txt', 'z.txt'], ['.txt', 'A.txt', 'a_.txt']],
    ['[a-z]?x', ['x', 'ax'], ['abx', 'Ax']],
    ['a\\+b', ['a+b'], ['ab', 'aab']],
    ['a\\?', ['a?'], ['a', '']],
    ['src/\\[id\\]/**', ['src/[id]/page.tsx'], ['src/i/page.tsx', 'src/id/page.tsx']],
    ['src/\\+page.svelte', ['src/+page.svelte'], ['src/page.svelte', 'srcpage.svelte']],
    ['a\\*b', ['a*b'], ['axb', 'ab']],
    ['\\!keep', ['!keep'], ['keep']],
    ['a!b', ['a!b'], ['ab']],
    ['\\#notes', ['#notes'], ['notes']],
    ['a\\,b', ['a,b'], ['a', 'b']],
    ['\\{a\\}', ['{a}'], ['a']],
    ['(auth)/a.b$', ['(auth)/a.b$'], ['auth/a.b', '(auth)/axb$']],
    ['my docs/**', ['my docs/a b.md'], ['mydocs/a.md']],
    ['*.*', ['a.b', '.env', '.'.repeat(3)], ['Makefile', 'a/b.c']],
    ['*', ['.env', '...'], ['.github/a']],
    ['**/.*', ['.env', 'a/b/.env'], ['a/env', 'env.']],
    ['**/*.md', ['a.md', 'a/b/c.md', '.md', 'a/.md'], ['a/md', 'a.md/b']],
    ['**.md', ['a.md', 'a/b/c.md'], ['a.mdx']],
    ['a**', ['a', 'abc', 'a/b/c', 'ab/c'], ['b/a']],
    ['a**/b', ['a/b', 'ax/b', 'ax/y/b'], ['ab', 'a/xb']],
    ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['ab', 'a/xb', 'a/x/yb', 'xa/b']],
    ['**/a/**/b/**', ['a/b/c', 'x/a/y/b/c/d'], ['a/b', 'xa/b/c', 'a/xb/c']],
    ['**/**', ['a', 'a/b'], []],
    ['**/**/a', ['a', 'x/a', 'x/y/a'], ['xa', 'x/ya']],
    ['*a*b*', ['ab', 'xaxbx', 'aab'], ['ba', 'a/b']],
    ['**a**b**', ['ab', 'x/a/b/x'], ['ba']],
    ['docs', ['docs'], ['docs/a.md', 'a/docs']],
    ['Docs/**', ['Docs/a'], ['docs/a']],
    ['é😀?/x', ['é/x', 'é😀/x'], ['é😀😀/x', '😀/x']],
    ['a//b'.replace('//', '/'), ['a/b'], ['a//b']],
    ['a.c', ['a.c'], ['abc']],
    ['a - b', ['a - b'], ['a b']],
    ["it's", ["it's"], ['its']],
    ["a\\'", ["a'"], ['a']],
    ['a|b', ['a|b'], ['a', 'b']],
    ['^a$', ['^a$'], ['a']],
    ['[a]+[b]?c', ['ac', 'aabc'], ['bc', 'abbc']],
  ])('a pattern matches only the listed paths: %s', (pattern, those, others) => {
    expect(those.filter((path) => !matches([pattern], path))).toEqual([]);
    expect(others.filter((path) => matches([pattern], path))).toEqual([]);
  });

  test.each([
    [['docs/**', '!docs/api/**'], { 'docs/a.md': true, 'docs/api/a.ts': false }],
    [['docs/**', '!docs/api/**', 'docs/api/*.md'], { 'docs/api/a.md': true, 'docs/api/a.ts': false }],
    [['**', '!team-a/**'], { 'team-b/x.ts': true, 'team-a/x.ts': false }],
    [['a', '!a', 'a', '!a'], { a: false }],
    // A pattern with `!` that names a folder also excludes the files in it.
    [['**', '!src'], { src: false, 'src/a/b.ts': false, 'src2/a': true, 'a/src/b': true, a: true }],
    [['**', '!**/sr?c+'], { 'a/src/b': false, 'a/scc/b/c': false, 'a/b': true }],
    [['**', '!Makefile', 'src'], { Makefile: false, 'src/a': true }],
    // A pattern with `!` that ends in `*` excludes files, but no files in subfolders.
    [['**', '!docs/*'], { 'docs/a': false, 'docs/a/b': true }],
    [['**', '!*'], { a: false, 'a/b': true }],
    // A pattern without `!` never matches the files in the folder that it names.
    [['src'], { src: true, 'src/a': false }],
  ])('the last pattern that matches decides: %j', (lines, expected) => {
    const found = Object.keys(expected).map((path) => [path, matches(lines, path)]);
    expect(Object.fromEntries(found)).toEqual(expected);
  });

  test('an empty list of patterns matches nothing', () => {
    expect(readPathPatterns('\n  \n')).toEqual({ patterns: [], slips: [] });
    expect(matchesPath([], 'a')).toBe(false);
  });

  test('a list of patterns may contain white space around patterns and any line ending', () => {
    expect(matches(['  docs/**\r', '\t!docs/api/**  ', ''], 'docs/a')).toBe(true);
    expect(matches(['  docs/**\r', '\t!docs/api/**  ', ''], 'docs/api/a')).toBe(false);
  });

  test('a pattern matches the same paths as an equivalent regular expression', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      '/',
      '*',
      '**',
      '**/',
      'a?',
      'b+',
      '[ab]',
      '[ab]+',
      '[a-b]?',
      '.',
      '/**/',
    );
    const path = fc
      .array(fc.constantFrom('a', 'b', '/', '.', 'ab'), { maxLength: 9 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 7 }), path, (pieces, given) => {
        const { patterns } = readPathPatterns(pieces.join(''));
        fc.pre(patterns.length === 1 && isPlainPath(given));
        expect(matchesPath(patterns, given)).toBe(regularExpression(pieces.join('')).test(given));
      }),
      { numRuns: rounds(2_000, 50_000) },
    );
  });
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

describe('a list with a wrong pattern', () => {
  test.each([
    ['!', 'Write a pattern after `!`.'],
    ['!!a', 'Use one `!`. For a name that begins with `!`, write `\\!`.'],
    ['! a', 'Remove the space after `!`.'],
    ['[ab', 'Close the set with `]`. For a bracket in a name, write `\\[`.'],
    ['a]', 'Open the set with `[`. For a bracket in a name, write `\\]`.'],
    ['[]', /^A set has letters/],
    ['[!a]', /^A set has letters/],
    ['[^a]', /^A set has letters/],
    ['[z-a]', /^A set has letters/],
    ['[a-Z]', /^A set has letters/],
    ['[a-]', /^A set has letters/],
    ['[a/b]', /^A set has letters/],
    ['[[a]]', /^A set has letters/],
    ['[A-b]', /^A set has letters/],
    ['[a-cz-x]', /^A set has letters/],
    ['[z-xa-c]', /^A set has letters/],
    ['[.]', /^A set has letters/],
    ['?', /^A `\?` or `\+` repeats/],
    ['+page.svelte', /^A `\?` or `\+` repeats/],
    ['src/?.js', /^A `\?` or `\+` repeats/],
    ['src/+page.svelte', /^A `\?` or `\+` repeats/],
    ['*?', /^A `\?` or `\+` repeats/],
    ['**+', /^A `\?` or `\+` repeats/],
    ['a??', /^A `\?` or `\+` repeats/],
    ['c++/**', /^A `\?` or `\+` repeats/],
    ['***', 'Use `*` for a part of one name, or `**` for any path.'],
    ['/docs/**', /^Remove the `\/` at the start/],
    ['./docs/**', /^Remove `\.\/` and `\.\.\/`/],
    ['../docs/**', /^Remove `\.\/` and `\.\.\/`/],
    ['docs/../src', /^Remove `\.\/` and `\.\.\/`/],
    ['docs/..', /^Remove `\.\/` and `\.\.\/`/],
    ['docs/./a', /^Remove `\.\/` and `\.\.\/`/],
    ['.', /^Remove `\.\/` and `\.\.\/`/],
    ['docs//a', 'Remove the empty folder name (`//`).'],
    ['docs/', 'For all files in a folder, end the pattern with `/**`.'],
    ['docs/**/', 'For all files in a folder, end the pattern with `/**`.'],
    ['docs\\', 'Remove the `\\` at the end.'],
    ['docs\\a.md', /^Use `\/` between folders/],
    ['docs\\\\a.md', /^Use `\/` between folders/],
    ['docs\\**', /^Use `\/` between folders/],
    ['docs\\*', /^Use `\/` between folders/],
    ['docs\\*.md', /^Use `\/` between folders/],
    ['a\\/b', /^Use `\/` between folders/],
    ['C:/docs/**', 'Begin at the root of the repository, without a drive.'],
    ['docs/**, test/**', /^Write one pattern per line\. For a comma/],
    ['docs/**,test/**', /^Write one pattern per line\. For a comma/],
    ['**/*.{md,txt}', /^Write one pattern per line\. For a comma/],
    ['**/*.{md}', /^Write one pattern per line instead of/],
    ['- docs/**', 'Write one pattern per line, without `- `.'],
    ["docs'", 'Remove the quotation marks.'],
    ['"docs', 'Remove the quotation marks.'],
    ['"docs/**"', 'Remove the quotation marks.'],
    ["'docs/**'", 'Remove the quotation marks.'],
    ["!'docs/**'", 'Remove the quotation marks.'],
    ['# documents', /^Remove the comment/],
    ['docs/** # documents', /^Remove the comment/],
    ['docs/\u200b**', 'Remove the invisible character.'],
    ['docs/\u2028**', 'Remove the invisible character.'],
    ['docs/\t**', 'Remove the invisible character.'],
    ['a'.repeat(501), 'Use at most 500 characters.'],
  ])('a list with a wrong pattern gets a message, and matches nothing: %j', (pattern, sentence) => {
    for (const line of pattern.startsWith('!') ? [pattern] : [pattern, `!${pattern}`]) {
      const { patterns, slips } = readPathPatterns(`src/**\n${line}`);
      const expected =
        line === '!!a' || typeof sentence === 'string' ? sentence : expect.stringMatching(sentence);
      expect(slips).toEqual([{ pattern: line, sentence: expected }]);
      expect(patterns).toEqual([]);
    }
  });

  test.each([['!docs/**'], ['!docs/**\n!src/**'], ['!docs/api/**\ndocs/**']])(
    'a list that starts with an exclusion gets a message: %j',
    (text) => {
      const { patterns, slips } = readPathPatterns(text);
      expect(slips).toEqual([
        {
          pattern: text.split('\n')[0],
          sentence: 'Write a pattern without `!` before it. `!` takes back what an earlier line matched.',
        },
      ]);
      expect(patterns).toEqual([]);
    },
  );

  test('each wrong pattern of a list gets a message', () => {
    expect(readPathPatterns('/a\nb\n[c').slips.map(({ pattern }) => pattern)).toEqual(['/a', '[c']);
  });

  test('a list has at most 200 patterns of 500 characters', () => {
    const text = (count: number) => Array.from({ length: count }, () => 'a'.repeat(500)).join('\n');
    expect(readPathPatterns(text(200)).slips).toEqual([]);
    expect(readPathPatterns(text(201))).toEqual({
      patterns: [],
      slips: [{ pattern: undefined, sentence: 'Use at most 200 patterns.' }],
    });
  });
});

describe('a path', () => {
  test.each([
    [
      'its names or separators',
      '',
      '/a',
      'a/',
      'a//b',
      './a',
      '../a',
      'a/../b',
      'a/..',
      '..',
      '.',
      'a/./b',
      'a\\b',
      '\\a',
      'C:/a',
      'c:a',
    ],
    [
      'its characters or length',
      'a\u0000',
      'a\nb',
      'a\u200bb',
      'a\u202eb',
      'a\u2028b',
      'a\u2029b',
      'a\u115fb',
      'a\ufe0fb',
      '\ud800',
      'a'.repeat(4097),
      'a/\u0001',
    ],
  ])('no pattern matches a path that is invalid because of %s', (_what, ...paths) => {
    expect(paths.filter((path) => isPlainPath(path) || matches(['**'], path))).toEqual([]);
    expect(paths.filter((path) => matches(['a', '**', '!b', '**'], path))).toEqual([]);
  });

  test.each([
    ['a'],
    ['a/b'],
    ['.a'],
    ['...'],
    ['a..b/..c'],
    ['a b'],
    ['é/😀'],
    ['🗞\ufe0f journal/👩\u200d💻.md'],
    ['می\u200cخواهم/a'],
    ['a'.repeat(4096)],
    ['cc:/a'],
  ])('the pattern `**` matches a plain path: %j', (path) => expect(matches(['**'], path)).toBe(true));

  test('a pattern matches a name with an emoji or a joiner, and no name that looks like it', () => {
    expect(matches(['**/*.md'], '✏\ufe0f notes/b.md')).toBe(true);
    expect(matches(['✏\ufe0f notes/**'], '✏\ufe0f notes/b.md')).toBe(true);
    expect(matches(['✏\ufe0f notes/**'], '✏ notes/b.md')).toBe(false);
    expect(matches(['✏\ufe0f notes/**'], '✏\ufe0f\ufe0f notes/b.md')).toBe(false);
    expect(matches(['**/*.md'], 'no\u200dtes/b.md')).toBe(false);
    expect(readPathPatterns('no\ufe0ftes/**').slips[0]?.sentence).toBe('Remove the invisible character.');
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
});

describe('a list that matches everything', () => {
  test.each([
    [['**'], true],
    [['*', '**/*'], true],
    [['**/*'], true],
    [['**/**'], true],
    [['**/*.*'], true],
    [['**.*'], true],
    [['*/**'], true],
    [['**/[a-z]+.*'], true],
    [['docs/**', '**', '!src/**', '**'], true],
    [['**', '!src/**', 'src/**'], true],
    // `!..?/x` excludes only `./x` and `../x`. These are not plain paths, so the gate never matches them anyway.
    [['**', '!..?/x'], true],
    [['**', '!src/**'], false],
    [['**', '!**/*.ts'], false],
    [['**', '!**/src/**'], false],
    [['**', '!docs[ab]/x'], false],
    [['**', '!*'], false],
    [['**', '!src/**', 'src/generated/**'], false],
    [['*'], false],
    [['**/test/**', 'docs/**', '*.md'], false],
    [['**/*.md'], false],
    [['**/*_test.[a-z]+'], false],
    [[], false],
  ])('matchesEverything returns whether a list of patterns matches every path: %j, %s', (lines, expected) => {
    expect(matchesEverything(readPathPatterns(lines.join('\n')).patterns)).toBe(expected);
  });
});
