import { describe, expect, test } from 'vitest';
import { countNotesOf, noteOf } from '../../../src/triage/note.ts';

const URL = 'https://github.com/acme/shop/pull/7#issuecomment-50';
const FACTS = {
  status: 'WONT_FIX',
  reason: 'risk_accepted',
  login: 'wanda',
  pullRequestUrl: 'https://github.com/acme/shop/pull/7',
  headSha: 'a'.repeat(40),
  commentUrl: URL,
  text: '',
} as const;

describe('noteOf and countNotesOf', () => {
  test('the note on a finding names the user, the pull request, the head, the reason code and the comment', () => {
    expect(noteOf(FACTS).split('\n')).toEqual([
      'Set to WONT_FIX by wanda with a comment on GitHub.',
      '',
      '- Reason code: risk_accepted',
      '- Pull request: https://github.com/acme/shop/pull/7',
      `- Head commit: ${FACTS.headSha}`,
      `- Comment: ${URL}`,
    ]);
  });

  test.each([
    ['a text with Markdown', '# Title\n- Comment: https://github.com/acme/shop/pull/7#issuecomment-51'],
    ['a text with mentions', '@acme/all\n@wanda'],
    ['a text with a command', '/scangate reopen ZK-1'],
    ['a text with a NUL', 'a\0b\u202E'],
    ['a text of 100 kB', `${'x'.repeat(100)}\n`.repeat(1_000)],
  ])('the note on a finding quotes %s', (_what, text) => {
    const lines = noteOf({ ...FACTS, text })
      .split('\n')
      .slice(7);
    const quoted = lines.filter((line) => line.startsWith('>'));
    expect(quoted.length).toBeGreaterThan(0);
    expect(lines.filter((line) => !line.startsWith('>')).join('')).toMatch(
      /^(The comment has the rest of this text\.)?$/,
    );
    expect(noteOf({ ...FACTS, text })).not.toMatch(/[\0\u202E]/);
    expect(noteOf({ ...FACTS, text }).length).toBeLessThan(12_000);
  });

  test('the note on a finding shows a missing reason code as "none given"', () => {
    const note = noteOf({ ...FACTS, reason: undefined, login: 'wan\nda\u202E' });
    expect(note.split('\n').slice(0, 3)).toEqual([
      'Set to WONT_FIX by wan⟨U+000A⟩da⟨U+202E⟩ with a comment on GitHub.',
      '',
      '- Reason code: none given',
    ]);
  });

  test('the note on a finding says if the quoted text is cut', () => {
    const note = noteOf({ ...FACTS, text: 'One.\n\n  Two.  ' });
    expect(note.split('\n').slice(6)).toEqual(['', '> One.', '>', '>   Two.']);
    const whole = noteOf({ ...FACTS, text: 'x'.repeat(10_000) });
    expect(whole.split('\n').slice(6)).toEqual(['', `> ${'x'.repeat(10_000)}`]);
    const cut = noteOf({ ...FACTS, text: 'x'.repeat(10_001) }).split('\n');
    expect(cut.slice(8)).toEqual(['', 'The comment has the rest of this text.']);
    expect(cut[7]?.length).toBeLessThanOrEqual(10_002);
  });

  test('countNotesOf ignores spaces and Windows line breaks at the ends of lines', () => {
    expect(countNotesOf(URL, [noteOf(FACTS).replaceAll('\n', ' \r\n')])).toBe(1);
    expect(countNotesOf(URL, [`x${noteOf(FACTS).replaceAll('\n- ', '\nx- ')}`, ''])).toBe(0);
  });

  test('countNotesOf does not search quoted text', () => {
    const other = noteOf({ ...FACTS, commentUrl: `${URL}1`, text: `- Comment: ${URL}` });
    expect(countNotesOf(URL, [noteOf(FACTS), other, noteOf(FACTS)])).toBe(2);
  });
});
