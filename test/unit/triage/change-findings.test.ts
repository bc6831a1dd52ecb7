import { describe, expect, test } from 'vitest';
import { countNotesOf, hasLaterNote, noteOf as write } from '../../../src/triage/change-findings.ts';
import { chooseFindings } from '../../../src/triage/command.ts';
import { sampleFinding } from '../report/sample-report.ts';

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

/** The note of a command with these facts. */
function noteOf(facts: typeof FACTS | Readonly<Record<keyof typeof FACTS, string | undefined>>): string {
  const { login = '', headSha = '', commentUrl = '', pullRequestUrl = '', text: note = '', reason } = facts;
  const author = { login, id: 3, type: 'User' };
  const wanted = { kind: 'recheck' } as const;
  const command = { pullRequest: 7, commentId: 50, author, createdAt: new Date(0), body: '', wanted };
  const subject = { pullRequest: 7, headSha, checkName: 'Security scan' };
  const change = { word: 'wont-fix', status: 'WONT_FIX', labels: [], reason, note } as const;
  return write({ command, commentUrl, subject }, change, pullRequestUrl);
}

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

test.each([
  ['a later comment', [noteOf({ ...FACTS, commentUrl: URL.replace(/50$/, '51') })], true],
  [
    'a later comment on another pull request',
    [noteOf({ ...FACTS, commentUrl: URL.replace('7#issuecomment-50', '8#issuecomment-51') })],
    true,
  ],
  ['a comment with a longer id', ['A user wrote this.', `x\r\n- Comment: ${URL}0  \r\n`], true],
  ['the same comment', [noteOf(FACTS)], false],
  ['an earlier comment', [noteOf({ ...FACTS, commentUrl: URL.replace(/50$/, '9') })], false],
  [
    'a later comment in another repository',
    [noteOf({ ...FACTS, commentUrl: URL.replace('shop', 'docs').replace(/50$/, '51') })],
    false,
  ],
  ['a quotation of a later comment', [noteOf({ ...FACTS, text: `- Comment: ${URL}1` })], false],
  ['no comment', [''], false],
])('hasLaterNote recognizes a note of %s', (_what, notes, isLater) => {
  expect(hasLaterNote(URL, notes)).toBe(isLater);
});

const FINDINGS = [
  'fnd_0001A2B3C4D',
  'fnd_0002abcdefgh',
  'fnd_0003ABCDEFGH',
  'fnd_a_twice123',
  'fnd_b_twice123',
].map((id) => sampleFinding({ id }));

test.each([
  ['a label', ['ZK-1A2B3C4D'], ['fnd_0001A2B3C4D']],
  ['a label in lower case', ['zk-1a2b3c4d'], ['fnd_0001A2B3C4D']],
  ['a label without the prefix', ['1A2B3C4D'], ['fnd_0001A2B3C4D']],
  ['the full id', ['fnd_a_twice123'], ['fnd_a_twice123']],
  ['one finding in three forms', ['ZK-1A2B3C4D', '1a2b3c4d', 'fnd_0001A2B3C4D'], ['fnd_0001A2B3C4D']],
  [
    'two labels that differ only in case',
    ['ZK-abcdefgh', 'ZK-ABCDEFGH'],
    ['fnd_0002abcdefgh', 'fnd_0003ABCDEFGH'],
  ],
  ['a label in mixed case', ['ZK-Abcdefgh'], ['ambiguous']],
  ['a label of two findings', ['ZK-twice123'], ['ambiguous']],
  ['a label of another scan', ['ZK-99999999'], ['unknown']],
  ['two labels of another scan', ['ZK-99999999', 'ZK-88888888', 'ZK-99999999'], ['unknown', 'unknown']],
  ['the prefix in the middle', ['1A2BZK-3C4D'], ['unknown']],
  ['the prefix twice', ['ZK-ZK-1A2B3C4D'], ['unknown']],
  ['a part of a label', ['ZK-2B3C4D'], ['unknown']],
  ['only the prefix', ['ZK-'], ['unknown']],
])('for %s (%j), chooseFindings returns %j', (_what, labels, named) => {
  const chosen = chooseFindings(labels, FINDINGS);
  expect(chosen.map((one) => (one.kind === 'finding' ? one.id : one.kind))).toEqual(named);
});

test('chooseFindings returns a known label as the service writes it', () => {
  const chosen = chooseFindings(['fnd_a_twice123', '1a2b3c4d', 'zk-nothere'], FINDINGS);
  expect(chosen.map(({ label }) => label)).toEqual(['ZK-twice123', 'ZK-1A2B3C4D', 'zk-nothere']);
});

test('chooseFindings skips findings that have no id', () => {
  const chosen = chooseFindings(['undefined', 'ZK-'], [sampleFinding({ id: undefined })]);
  expect(chosen.map(({ kind }) => kind)).toEqual(['unknown', 'unknown']);
});
