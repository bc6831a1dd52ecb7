import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesIn, read } from './code.ts';
import { PAGES, proseOf } from './documents.ts';
import { linesJoined, readCode, segmentsOf } from './read-code.ts';
import {
  EXCEPTIONS,
  UNLEARNED,
  UNLEARNED_IN_CODE,
  UNLEARNED_IN_MESSAGES,
  UNLEARNED_IN_NAMES,
} from './unlearned-words.ts';

const FOLDERS = ['src', 'sandbox', 'test', 'scripts'];
/** The files that list the words to avoid may contain them. */
const LISTS = ['test/project/unlearned-words.ts'];

const FILES = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...FOLDERS],
  { cwd: path.resolve(import.meta.dirname, '../..'), encoding: 'utf8' },
)
  .split('\n')
  .filter((file) => file !== '' && !LISTS.includes(file));
const SOURCES = FILES.filter((file) => /\.[cm]?[jt]s$/.test(file));

/** Matches any word to avoid, anywhere in a file. It is a quick check: most files have none, and need not be parsed. */
const ANY_UNLEARNED = new RegExp(
  [...UNLEARNED_IN_NAMES, UNLEARNED_IN_CODE.source.replaceAll('\\b', '')].join('|'),
  'i',
);

/** The words to avoid in the identifiers, comments, test titles and messages of a source. A test has no messages. */
function unlearned(source: string, isTest = false): string[] {
  if (!ANY_UNLEARNED.test(linesJoined(source))) return [];
  const { names, comments, titles, messages } = readCode(source, UNLEARNED_IN_NAMES);
  return [
    ...names.filter((word) => UNLEARNED_IN_NAMES.has(word)),
    ...[...comments, ...titles].flatMap((text) => text.match(UNLEARNED_IN_CODE) ?? []),
    ...(isTest ? [] : messages).flatMap((text) => text.match(UNLEARNED_IN_MESSAGES) ?? []),
  ].map((word) => word.toLowerCase());
}

function excepted(file: string): readonly string[] {
  return EXCEPTIONS.filter(([where]) => where === file).map(([, word]) => word);
}

describe('the repository is in plain words', () => {
  const found = new Map(SOURCES.map((file) => [file, unlearned(read(file), file.startsWith('test/'))]));

  test.each(FOLDERS)(
    'identifiers, comments, titles and messages in %s have none of the words to avoid',
    (folder) => {
      const all = [...found].filter(([file]) => file.startsWith(`${folder}/`));
      expect(all.length).toBeGreaterThan(20);
      const wrong = all.flatMap(([file, avoided]) =>
        avoided.filter((word) => !excepted(file).includes(word)).map((word) => `${file}: ${word}`),
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

  test('golden files of reports, manifests and the contract have none of the words to avoid in messages', () => {
    const files = filesIn(
      'test/unit/report/golden/*',
      '{action.yml,*/action.yml}',
      'sandbox/contract/openapi.yaml',
    );
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((file) => read(file).match(UNLEARNED_IN_MESSAGES) !== null)).toEqual([]);
  });

  test.each([...PAGES, '.github/pull_request_template.md'])('%s is written in plain words', (page) => {
    expect(proseOf(read(page)).match(UNLEARNED) ?? []).toEqual([]);
  });
});

describe('the search for words', () => {
  test.each([
    ['const toldTwice = 1;', 'told'],
    ['const MOST_PARTS = 1;', 'parts'],
    ['interface StoryOptions {}', 'story'],
    ['const a = { world: 1 };', 'world'],
    ['class A { #town = 1; }', 'town'],
    ['const { words } = a;', 'words'],
    ['/** Nobody\n * goes on. */', 'nobody, goes on'],
    ['a(); // for whoever reads', 'whoever'],
    ["describe.each([1])('story', () => {});", 'story'],
    ["const a = 'How to mend it';", 'mend'],
    [`const b = \`the story goes on \${1}\`;`, 'story, goes on'],
    ['const foretold = 1;', ''],
    ["const a = 'told';", ''],
    ['// recommended', ''],
    ["import { a } from './mended-story.ts';", ''],
  ])('the search in the code %j finds the words to avoid: %s', (source, expected) => {
    expect(unlearned(source).join(', ')).toBe(expected);
  });

  test.each([
    ['Mended twice', 'Mended'],
    ['it goes\non', 'goes on'],
    ['Nobody knows two stories', 'Nobody, stories'],
    ['a <b>world</b>', 'world'],
    ['```\ntold\n```', 'told'],
    ['`told`, recommended, partly, the part, footnoted', ''],
  ])('the search in the page %j finds the words to avoid: %s', (markdown, expected) => {
    expect(proseOf(markdown).match(UNLEARNED)?.join(', ') ?? '').toBe(expected);
  });
});
