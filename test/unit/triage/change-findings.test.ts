import { describe, expect, test } from 'vitest';
import { err, ok } from '../../../src/domain/result.ts';
import type { ApiError, Refused } from '../../../src/scan-api/api-error.ts';
import type { FindingNotes, TriageApi } from '../../../src/scan-api/triage-api.ts';
import { changeFinding, chooseFindings, countNotesOf, noteOf } from '../../../src/triage/change-findings.ts';
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

const CHANGE = { findingId: 'fnd_1', status: 'WONT_FIX', note: `- Comment: ${URL}` };
const operation = 'change the resolution of a finding';
const FORBIDDEN: Refused = {
  kind: 'refused',
  operation,
  status: 403,
  code: 'forbidden',
  message: '',
  retryAfterSeconds: undefined,
  tooFresh: false,
};
const CONFLICT: ApiError = { ...FORBIDDEN, status: 409, code: 'conflict' };
const LOST: ApiError = { kind: 'unreachable', operation, sent: 'unknown', cause: 'reset', detail: '' };
const NOT_SENT: ApiError = { kind: 'unreachable', operation, sent: 'no', cause: 'refused', detail: '' };
const WITH_NOTE: FindingNotes = { resolution: 'WONT_FIX', notes: ['Another.', CHANGE.note] };
const WITHOUT_NOTE: FindingNotes = { resolution: 'WONT_FIX', notes: ['Another.'] };
const UNREADABLE: FindingNotes = { resolution: 'WONT_FIX', notes: undefined };

type Sent = ApiError | 'done';
type Read = ApiError | FindingNotes;

async function changed(sends: readonly Sent[], reads: readonly Read[] = []) {
  const [toSend, toRead] = [[...sends], [...reads]];
  const { signal } = new AbortController();
  const asked: string[] = [];
  const slept: number[] = [];
  const api: TriageApi = {
    changeResolution: async (project, change, options) => {
      expect([project, change, options.signal]).toEqual(['prj_1', CHANGE, signal]);
      asked.push('send');
      const next = toSend.shift();
      if (next === undefined) throw new Error('sent too often');
      return next === 'done' ? ok(undefined) : err(next);
    },
    readNotes: async (project, findingId, options) => {
      expect([project, findingId, options.signal]).toEqual(['prj_1', 'fnd_1', signal]);
      asked.push('read');
      const next = toRead.shift();
      if (next === undefined) throw new Error('read too often');
      return 'kind' in next ? err(next) : ok(next);
    },
  };
  const clock = { sleep: async (ms: number) => void slept.push(ms) };
  const deps = { api, projectId: 'prj_1', clock, signal };
  return { result: await changeFinding(deps, CHANGE, URL), asked: asked.join(' '), slept };
}

describe('changeFinding', () => {
  test.each<[what: string, sends: readonly Sent[], reads: readonly Read[], result: object, asked: string]>([
    ['sends the new status once if the service answers', ['done'], [], { kind: 'changed', notes: 1 }, 'send'],
    [
      'sends the new status once if the service refuses the change',
      [FORBIDDEN],
      [],
      { kind: 'failed' },
      'send',
    ],
    ['reports a failure if the new status was never sent', [NOT_SENT], [], { kind: 'failed' }, 'send'],
    [
      'reports success after a lost answer if the finding has the note',
      [LOST],
      [WITH_NOTE],
      { kind: 'changed', notes: 1 },
      'send read',
    ],
    [
      'sends the new status again after a lost answer if the finding lacks the note',
      [LOST, 'done'],
      [WITHOUT_NOTE, WITH_NOTE],
      { kind: 'changed', notes: 1 },
      'send read send read',
    ],
    [
      'reports two notes if the finding has the note twice',
      [LOST, 'done'],
      [WITHOUT_NOTE, { ...WITH_NOTE, notes: [CHANGE.note, CHANGE.note] }],
      { kind: 'changed', notes: 2 },
      'send read send read',
    ],
    [
      'reports an unknown number of notes if the notes cannot be read',
      [LOST, 'done'],
      [WITHOUT_NOTE, UNREADABLE],
      { kind: 'changed', notes: undefined },
      'send read send read',
    ],
    [
      'reports an unknown number of notes if the finding has no note',
      [LOST, 'done'],
      [WITHOUT_NOTE, WITHOUT_NOTE],
      { kind: 'changed', notes: undefined },
      'send read send read',
    ],
    [
      'sends the new status at most twice',
      [LOST, LOST],
      [WITHOUT_NOTE, WITHOUT_NOTE],
      { kind: 'not-known' },
      'send read send read',
    ],
    [
      'sends the new status once if the notes cannot be read',
      [LOST],
      [UNREADABLE],
      { kind: 'not-known' },
      'send read',
    ],
    [
      'sends the new status once if the finding cannot be read',
      [LOST],
      [LOST],
      { kind: 'not-known' },
      'send read',
    ],
    [
      'reports that the finding does not have the new status',
      [LOST],
      [{ ...WITH_NOTE, resolution: 'IN_PROGRESS' }],
      { kind: 'other-status', shown: 'IN_PROGRESS' },
      'send read',
    ],
    [
      'sends the new status again after a conflict',
      [CONFLICT, 'done'],
      [WITHOUT_NOTE, WITH_NOTE],
      { kind: 'changed', notes: 1 },
      'send read send read',
    ],
    [
      'reports a failure after two conflicts',
      [CONFLICT, CONFLICT],
      [WITHOUT_NOTE, WITHOUT_NOTE],
      { kind: 'failed' },
      'send read send read',
    ],
    [
      'reports a failure after a conflict if the notes cannot be read',
      [CONFLICT],
      [UNREADABLE],
      { kind: 'failed' },
      'send read',
    ],
    [
      'reports that the result is unknown if a refusal follows a lost answer',
      [LOST, FORBIDDEN],
      [WITHOUT_NOTE],
      { kind: 'not-known' },
      'send read send',
    ],
    [
      'reports that the result is unknown if a conflict follows a lost answer',
      [LOST, CONFLICT],
      [WITHOUT_NOTE, WITHOUT_NOTE],
      { kind: 'not-known' },
      'send read send read',
    ],
  ])('changeFinding %s', async (_what, sends, reads, result, asked) => {
    const ended = await changed(sends, reads);
    expect(ended.result).toMatchObject(result);
    expect(ended.asked).toBe(asked);
  });

  test('after a lost answer, changeFinding pauses before it reads the notes', async () => {
    expect((await changed([LOST], [WITH_NOTE])).slept).toEqual([3_000]);
    expect((await changed([CONFLICT], [WITH_NOTE])).slept).toEqual([]);
  });

  test.each(['redirect', 'oversize', 'wrong-shape', 'not-json'] as const)(
    'changeFinding treats an unexpected answer as lost (`%s`)',
    async (problem) => {
      const odd: ApiError = {
        kind: 'invalid',
        operation,
        status: 200,
        problem,
        detail: '',
        retryAfterSeconds: undefined,
      };
      expect((await changed([odd], [WITH_NOTE])).result).toEqual({ kind: 'changed', notes: 1 });
    },
  );
});
