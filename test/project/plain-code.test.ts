import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { linesJoined, readCode, segmentsOf } from './read-code.ts';
import { EXCEPTIONS, UNLEARNED_IN_CODE, UNLEARNED_IN_NAMES } from './unlearned-words.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FOLDERS = ['src', 'sandbox', 'test', 'scripts'];
/** The files that list the words to avoid may contain them. */
const LISTS = ['test/project/unlearned-words.ts'];

const FILES = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...FOLDERS],
  {
    cwd: ROOT,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((file) => file !== '' && !LISTS.includes(file));
const SOURCES = FILES.filter((file) => /\.[cm]?[jt]s$/.test(file));

/** Matches any word to avoid, anywhere in a file. It is a quick check: most files have none, and need not be parsed. */
const ANY_UNLEARNED = new RegExp(
  [...UNLEARNED_IN_NAMES, UNLEARNED_IN_CODE.source.replaceAll('\\b', '')].join('|'),
  'i',
);

function unlearned(source: string): string[] {
  if (!ANY_UNLEARNED.test(linesJoined(source))) return [];
  const { names, comments, titles } = readCode(source, UNLEARNED_IN_NAMES);
  return [
    ...names.filter((word) => UNLEARNED_IN_NAMES.has(word)),
    ...[...comments, ...titles].flatMap((text) => text.match(UNLEARNED_IN_CODE) ?? []),
  ].map((word) => word.toLowerCase());
}

function excepted(file: string): readonly string[] {
  return EXCEPTIONS.filter(([where]) => where === file).map(([, word]) => word);
}

describe('identifiers, comments and test titles are in plain words', () => {
  const found = new Map(
    SOURCES.map((file) => [file, unlearned(readFileSync(path.join(ROOT, file), 'utf8'))] as const),
  );

  test.each(FOLDERS)(
    'identifiers, comments and test titles in %s have none of the words to avoid',
    (folder) => {
      const wrong = [...found]
        .filter(([file]) => file.startsWith(`${folder}/`))
        .flatMap(([file, all]) =>
          all.filter((word) => !excepted(file).includes(word)).map((word) => `${file}: ${word}`),
        );
      expect(wrong).toEqual([]);
    },
  );

  test('file names have none of the words to avoid', () => {
    expect(FILES.filter((file) => segmentsOf(file).some((word) => UNLEARNED_IN_NAMES.has(word)))).toEqual([]);
  });

  test('every exception for a word to avoid is needed, and has a reason', () => {
    expect(EXCEPTIONS.filter(([file, word]) => !found.get(file)?.includes(word))).toEqual([]);
    expect(EXCEPTIONS.filter(([, , why]) => why.length < 10)).toEqual([]);
  });

  test('the search in code includes files of all folders', () => {
    for (const folder of FOLDERS)
      expect(SOURCES.filter((file) => file.startsWith(`${folder}/`)).length, folder).toBeGreaterThan(20);
  });
});

describe('the search for words in code', () => {
  test.each([
    ['a variable', 'const toldTwice = 1;', ['told']],
    ['a constant', 'const MOST_PARTS = 1;', ['parts']],
    ['a type', 'interface StoryOptions {}', ['story']],
    ['a member', 'const a = { world: 1 };', ['world']],
    ['a private member', 'class A { #town = 1; }', ['town']],
    ['a shorthand', 'const { words } = a;', ['words']],
    ['a comment', '/** Nobody\n * goes on. */', ['nobody', 'goes on']],
    ['a comment at the end', 'a(); // for whoever reads', ['whoever']],
    ['a title', "test('nobody reads', () => {});", ['nobody']],
    ['a title of several tests', "describe.each([1])('the %s story', () => {});", ['story']],
  ])('the search in code finds a word to avoid in %s', (_what, source, expected) => {
    expect(unlearned(source)).toEqual(expected);
  });

  test.each(['const foretold = 1;', 'const department = 1;', "const a = 'told';", '// recommended'])(
    'the search in code finds no word to avoid in %j',
    (source) => {
      expect(unlearned(source)).toEqual([]);
    },
  );
});
