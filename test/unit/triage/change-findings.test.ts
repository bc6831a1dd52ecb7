import { describe, expect, test } from 'vitest';
import { countNotesOf, hasLaterNote, noteOf as write } from '../../../src/triage/change-findings.ts';
import { casesOf, expectTable } from '../../support/golden-table.ts';

const PULL_REQUEST = 'https://github.com/acme/shop/pull/7';
const URL = `${PULL_REQUEST}#issuecomment-50`;

interface Given {
  readonly reason?: string;
  readonly login?: string;
  readonly commentUrl?: string;
  readonly text?: string;
}

/** The note of a command. */
function noteOf({ reason, login = 'wanda', commentUrl = URL, text = '' }: Given = {}): string {
  const command = {
    pullRequest: 7,
    commentId: 50,
    author: { login, id: 3, type: 'User' },
    createdAt: new Date(0),
    body: '',
    wanted: { kind: 'recheck' },
  } as const;
  const subject = { pullRequest: 7, headSha: 'a'.repeat(40), checkName: 'Security scan' };
  const change = { word: 'wont-fix', status: 'WONT_FIX', labels: [], reason, note: text } as const;
  return write({ command, commentUrl, subject }, change, PULL_REQUEST);
}

/** The lines of a note. Long lines are shown by their length. */
const lines = (note: string) =>
  note
    .trimStart()
    .split('\n')
    .map((line) => `\n    ${line.length > 150 ? `${line.slice(0, 3)}… (${line.length} characters)` : line}`)
    .join('');

test('the note on a finding is what notes.txt shows', async () => {
  const texts: Readonly<Record<string, Given>> = {
    'with a text': { text: 'One.\n\n  Two.  ' },
    'with Markdown and mentions': {
      text: '# Title\r\n- Comment: https://github.com/acme/shop/pull/7#issuecomment-51\r\n@acme/all\r\nCloses #1',
    },
    'with a command, a hidden line and a script': {
      text: '/scangate reopen ZK-1\n::error::no\n<!-- scangate:v1 -->\n</blockquote><script>alert(1)</script>',
    },
    'with invisible characters': { text: 'a\0b\u202E' },
    'with a text of the maximum length': { text: 'x'.repeat(10_000) },
    'with a longer text': { text: 'x'.repeat(10_001) },
  };
  const quoted = (given: Given) => lines(noteOf(given).replace(noteOf({ ...given, text: '' }), ''));
  await expectTable('notes', {
    'the note of a command': {
      'with a reason code': lines(noteOf({ reason: 'risk_accepted' })),
      'of a hostile login, without a reason code': lines(noteOf({ login: 'wan\nda\u202E' })),
    },
    'what follows in a note': casesOf(quoted, texts),
  });
});

test('the note on a finding quotes at most 10,000 characters of many lines', () => {
  const note = noteOf({ text: `${'x'.repeat(100)}\n`.repeat(1_000) });
  expect(note.length).toBeLessThan(12_000);
  expect(note.split('\n').slice(7, -2)).toSatisfy((quoted: readonly string[]) =>
    quoted.every((line) => line.startsWith('>')),
  );
});

describe('countNotesOf', () => {
  test('countNotesOf ignores spaces and Windows line breaks at the ends of lines', () => {
    expect(countNotesOf(URL, [noteOf().replaceAll('\n', ' \r\n')])).toBe(1);
    expect(countNotesOf(URL, [`x${noteOf().replaceAll('\n- ', '\nx- ')}`, ''])).toBe(0);
  });

  test('countNotesOf does not search quoted text', () => {
    const other = noteOf({ commentUrl: `${URL}1`, text: `- Comment: ${URL}` });
    expect(countNotesOf(URL, [noteOf(), other, noteOf()])).toBe(2);
  });
});

test.each([
  ['a later comment', [noteOf({ commentUrl: URL.replace(/50$/, '51') })], true],
  [
    'a later comment on another pull request',
    [noteOf({ commentUrl: URL.replace('7#issuecomment-50', '8#issuecomment-51') })],
    true,
  ],
  ['a comment with a longer id', ['A user wrote this.', `x\r\n- Comment: ${URL}0  \r\n`], true],
  ['the same comment', [noteOf()], false],
  ['an earlier comment', [noteOf({ commentUrl: URL.replace(/50$/, '9') })], false],
  [
    'a later comment in another repository',
    [noteOf({ commentUrl: URL.replace('shop', 'docs').replace(/50$/, '51') })],
    false,
  ],
  ['a quotation of a later comment', [noteOf({ text: `- Comment: ${URL}1` })], false],
  ['no comment', [''], false],
])('hasLaterNote recognizes a note of %s', (_what, notes, isLater) => {
  expect(hasLaterNote(URL, notes)).toBe(isLater);
});
