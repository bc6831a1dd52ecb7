import { describe, expect, test } from 'vitest';
import { err, ok } from '../../../src/domain/result.ts';
import type { ApiError, Refused } from '../../../src/scan-api/api-error.ts';
import type { FindingNotes, TriageApi } from '../../../src/scan-api/triage-api.ts';
import {
  changeFinding,
  countNotesOf,
  hasLaterNote,
  noteOf as write,
} from '../../../src/triage/change-findings.ts';
import { type Command, chooseFindings } from '../../../src/triage/command.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { shown } from '../../support/shown.ts';
import { client, SHA } from '../github/client.ts';
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

const CHANGE = { findingId: 'fnd_1', status: 'WONT_FIX', note: `- Comment: ${URL}` };
const operation = 'change the resolution of a finding';
const FORBIDDEN: Refused = {
  kind: 'refused',
  operation,
  status: 403,
  code: 'forbidden',
  message: '',
  retryAfterSeconds: undefined,
};
const CONFLICT: ApiError = { ...FORBIDDEN, status: 409, code: 'conflict' };
const LOST: ApiError = { kind: 'unreachable', operation, sent: 'unknown', cause: 'reset', detail: '' };
const NOT_SENT: ApiError = { kind: 'unreachable', operation, sent: 'no', cause: 'refused', detail: '' };
const LIMITED: ApiError = { ...FORBIDDEN, status: 429, code: 'rate_limited', retryAfterSeconds: 60 };
const WITH_NOTE: FindingNotes = { resolution: 'WONT_FIX', notes: ['Another.', CHANGE.note] };
const WITHOUT_NOTE: FindingNotes = { resolution: 'WONT_FIX', notes: ['Another.'] };
const WITH_LATER: FindingNotes = { resolution: 'NOT_STARTED', notes: [CHANGE.note.replace(/50$/, '51')] };
const UNREADABLE: FindingNotes = { resolution: 'WONT_FIX', notes: undefined };

const COMMAND: Command = {
  pullRequest: 7,
  commentId: 50,
  author: { login: 'wanda', id: 3, type: 'User' },
  createdAt: new Date(0),
  body: '/scangate wont-fix ZK-1',
  wanted: { kind: 'recheck' },
};
const ASKING = {
  command: COMMAND,
  commentUrl: URL,
  subject: { pullRequest: 7, headSha: SHA.head, checkName: 'Security scan' },
};

type Sent = ApiError | 'done';
type Read = ApiError | FindingNotes;

/** What GitHub shows when the command is looked at once more. */
interface OnGitHub {
  readonly comment?: string;
  readonly head?: string;
  readonly permission?: string;
  /** How long the answers take. */
  readonly ms?: readonly number[];
}

function onGitHub({ comment = COMMAND.body, head = SHA.head, permission = 'write' }: OnGitHub) {
  return async (input: string | URL | Request): Promise<Response> => {
    const { pathname } = new globalThis.URL(input instanceof Request ? input.url : input);
    if (pathname.endsWith('/graphql')) return Response.json({ message: 'No' }, { status: 403 });
    if (pathname.endsWith('/permission')) return Response.json({ permission, user: { id: 3 } });
    if (pathname.endsWith('/comments/50')) return Response.json({ body: comment, user: { id: 3 } });
    return Response.json({
      state: 'open',
      updated_at: '2026-01-20T09:00:00Z',
      head: { sha: head },
      base: { ref: 'main' },
    });
  };
}

async function changed(sends: readonly Sent[], reads: readonly Read[] = [], shown: OnGitHub = {}) {
  const [toSend, toRead, ms] = [[...sends], [...reads], [...(shown.ms ?? [])]];
  const { signal } = new AbortController();
  const asked: string[] = [];
  const slept: number[] = [];
  let now = 0;
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
      now += ms.shift() ?? 0;
      const next = toRead.shift();
      if (next === undefined) throw new Error('read too often');
      return 'kind' in next ? err(next) : ok(next);
    },
  };
  const sleep = async (time: number) => void slept.push(time);
  const clock = Object.assign(new FakeClock(), { sleep, now: () => now });
  const github = client({ clock: new FakeClock(), fetch: onGitHub(shown) });
  const changing = { api, projectId: 'prj_1', clock, signal, github, ...ASKING };
  return { result: await changeFinding(changing, CHANGE), asked: asked.join(' '), slept };
}

/** The answers to the requests that send the new status, and to those that read the notes. */
const CHANGES: Readonly<Record<string, readonly [sends: readonly Sent[], reads: readonly Read[]]>> = {
  'reads the notes, and sends the new status once if the service answers': [['done'], [WITHOUT_NOTE]],
  'sends nothing if a later command has changed the finding': [[], [WITH_LATER]],
  'sends nothing if the notes have an unknown form': [[], [UNREADABLE]],
  'sends nothing if the finding cannot be read': [[], [LOST]],
  'sends nothing if the finding has the note already': [[], [WITH_NOTE]],
  'sends the new status once if the service refuses the change': [[FORBIDDEN], [WITHOUT_NOTE]],
  'sends the new status once if there are too many requests': [[LIMITED], [WITHOUT_NOTE]],
  'sends the new status again if it was not sent': [
    [NOT_SENT, 'done'],
    [WITHOUT_NOTE, WITHOUT_NOTE, WITH_NOTE],
  ],
  'reports a failure if the new status was never sent': [
    [NOT_SENT, NOT_SENT],
    [WITHOUT_NOTE, WITHOUT_NOTE, WITHOUT_NOTE],
  ],
  'reports success after a lost answer if the finding has the note': [[LOST], [WITHOUT_NOTE, WITH_NOTE]],
  'sends the new status again after a lost answer if the finding lacks the note': [
    [LOST, 'done'],
    [WITHOUT_NOTE, WITHOUT_NOTE, WITH_NOTE],
  ],
  'reports two notes if the finding has the note twice': [
    [LOST, 'done'],
    [WITHOUT_NOTE, WITHOUT_NOTE, { ...WITH_NOTE, notes: [CHANGE.note, CHANGE.note] }],
  ],
  'reports an unknown number of notes if the notes cannot be read afterwards': [
    [LOST, 'done'],
    [WITHOUT_NOTE, WITHOUT_NOTE, UNREADABLE],
  ],
  'sends the new status at most twice': [
    [LOST, LOST],
    [WITHOUT_NOTE, WITHOUT_NOTE, WITHOUT_NOTE],
  ],
  'sends the new status once if a later command follows a lost answer': [[LOST], [WITHOUT_NOTE, WITH_LATER]],
  'sends the new status once if the notes cannot be read after a lost answer': [
    [LOST],
    [WITHOUT_NOTE, UNREADABLE],
  ],
  'sends the new status once if the finding cannot be read after a lost answer': [
    [LOST],
    [WITHOUT_NOTE, LOST],
  ],
  'reports that the finding does not have the new status': [
    [LOST],
    [WITHOUT_NOTE, { ...WITH_NOTE, resolution: 'IN_PROGRESS' }],
  ],
  'sends the new status again after a conflict': [
    [CONFLICT, 'done'],
    [WITHOUT_NOTE, WITHOUT_NOTE, WITH_NOTE],
  ],
  'sends nothing more if a later command follows a conflict': [[CONFLICT], [WITHOUT_NOTE, WITH_LATER]],
  'reports a failure after two conflicts': [
    [CONFLICT, CONFLICT],
    [WITHOUT_NOTE, WITHOUT_NOTE, WITHOUT_NOTE],
  ],
  'reports that the result is unknown if a refusal follows a lost answer': [
    [LOST, FORBIDDEN],
    [WITHOUT_NOTE, WITHOUT_NOTE],
  ],
  'reports that the result is unknown if a conflict follows a lost answer': [
    [LOST, CONFLICT],
    [WITHOUT_NOTE, WITHOUT_NOTE, WITHOUT_NOTE],
  ],
};

describe('changeFinding', () => {
  test('what changeFinding sends, and its result, match the golden file', async () => {
    const lines = await Promise.all(
      Object.entries(CHANGES).map(async ([what, [sends, reads]]) => {
        const { result, asked, slept } = await changed(sends, reads);
        const waits = slept.length === 0 ? '' : ` (waits ${slept.join(', ')} ms)`;
        return `changeFinding ${what}:\n  ${asked}${waits} = ${shown(result)}`;
      }),
    );
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/change-findings.txt');
  });

  test.each<[what: string, shown: OnGitHub, reason: string]>([
    ['the comment was edited', { comment: '/scangate reopen ZK-1' }, 'edited'],
    ['the pull request has another head', { head: SHA.other }, 'head-moved'],
    ['the author of the command has lost access', { permission: 'read' }, 'no-access'],
    ['every look takes long', { ms: [16_000, 16_000, 16_000] }, 'too-slow'],
  ])('changeFinding sends nothing if %s', async (_what, shown, reason) => {
    const { result } = await changed([], [WITHOUT_NOTE, WITHOUT_NOTE, WITHOUT_NOTE], shown);
    expect(result).toMatchObject({ kind: 'refused', refusal: { reason } });
  });

  test('changeFinding looks again if a look took long', async () => {
    const { result, asked } = await changed(['done'], [WITHOUT_NOTE, WITHOUT_NOTE], { ms: [60_000] });
    expect(result).toEqual({ kind: 'changed', notes: 1 });
    expect(asked).toBe('read read send');
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
      expect((await changed([odd], [WITHOUT_NOTE, WITH_NOTE])).result).toEqual({ kind: 'changed', notes: 1 });
    },
  );
});
