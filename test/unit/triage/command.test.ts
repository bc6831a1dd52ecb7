import { describe, expect, test } from 'vitest';
import { issueCommentEvent } from '../../../sandbox/events.ts';
import { type IssueComment, readIssueComment } from '../../../src/github/comment-list.ts';
import { parseCommand, readCommand } from '../../../src/triage/command.ts';

const many = (count: number) => Array.from({ length: count }, (_, index) => `ZK-${index}`).join(' ');

describe('parseCommand', () => {
  test('parseCommand reads the status, the labels, the reason code and the note of a command', () => {
    expect(parseCommand('/scangate false-positive ZK-1A2B3C4D not_reachable\r\n\r\nOnly tests.\n')).toEqual({
      kind: 'change',
      change: {
        word: 'false-positive',
        status: 'FALSE_POSITIVE',
        labels: ['ZK-1A2B3C4D'],
        reason: 'not_reachable',
        note: 'Only tests.',
      },
    });
  });

  test('parseCommand accepts twenty labels, and ignores a repeated label', () => {
    const wanted = parseCommand(`/scangate wont-fix ${many(20)} ZK-0`);
    expect(wanted?.kind === 'change' ? wanted.change.labels.length : 0).toBe(20);
  });

  test('parseCommand reads a word of eight characters as a label', () => {
    const change = { labels: ['abcd_efg', 'fnd_a_b2'], reason: undefined, note: '' };
    expect(parseCommand('/scangate\twont-fix abcd_efg,fnd_a_b2 \t')).toMatchObject({ change });
  });

  test.each([
    ['fnd_a_1', 'with a digit'],
    ['1_fnd_abc', 'that begins with a digit'],
    ['fnd__abc', 'with two underscores'],
  ])('parseCommand reads %s as a label, because a word %s is not a reason code', (label) => {
    expect(parseCommand(`/scangate wont-fix ${label}`)).toMatchObject({ change: { labels: [label] } });
  });

  test.each([
    ['', /^The command is missing/],
    [' resolved ZK-1', /^There is no command `/],
    [' __proto__ ZK-1', /^There is no command `/],
    [' toString ZK-1', /^There is no command `/],
    [' FALSE-POSITIVE ZK-1', /^There is no command `/],
    [' recheck now', /takes nothing else/],
    [' mitigated', /`\/scangate mitigated` names no finding/],
    [' mitigated monitored', /`\/scangate mitigated` names no finding/],
    [` mitigated ${many(21)}`, /names 21 findings. A command takes up to 20/],
    [' mitigated ZK-1 monitored limited_exposure', /more than one reason code/],
    [' mitigated ZK-1 not_reachable', /is not a reason code of/],
    [' mitigated ZK-1 because_of_this', /is not a reason code of/],
    [' mitigated ZK-1 some_code', /is not a reason code of/],
    [' mitigated ZK-1 a_code_of_mine', /is not a reason code of/],
    [' mitigated ZK-1 Limited_Exposure', /is not a reason code of/],
    [' reopen ZK-1 monitored', /is not a reason code of/],
  ])('parseCommand explains why `/scangate%s` is not a command', (rest, why) => {
    expect(parseCommand(`/scangate${rest}`)).toMatchObject({
      kind: 'unclear',
      cause: expect.stringMatching(why),
    });
  });

  test.each([
    '',
    'x',
    ' /scangate recheck',
    '> /scangate recheck',
    '/scangates',
    '/SCANGATE recheck',
    '\n/scangate recheck',
  ])('parseCommand ignores the comment `%s`', (body) => {
    expect(parseCommand(body)).toBeUndefined();
  });
});

const CREATED = new Date('2026-01-15T12:00:00Z');
const COMMENT: IssueComment = {
  action: 'created',
  pullRequest: 7,
  id: 50,
  body: '/scangate recheck',
  author: { login: 'mona', id: 3, type: 'User' },
  senderId: 3,
  byApp: false,
  createdAt: CREATED,
  updatedAt: CREATED,
};
const FENCE = '```';

describe('readCommand', () => {
  test.each([
    ['without other text', '/scangate recheck'],
    ['with text below', '/scangate recheck\n\nThe two findings are triaged.'],
    ['with Windows line breaks', '/scangate recheck\r\nthanks'],
  ])('readCommand reads a command %s', (_what, body) => {
    expect(readCommand({ ...COMMENT, body })).toEqual({
      kind: 'command',
      command: {
        pullRequest: 7,
        commentId: 50,
        author: COMMENT.author,
        createdAt: CREATED,
        body,
        wanted: { kind: 'recheck' },
      },
    });
  });

  test.each<[what: string, change: Partial<IssueComment>, why: string]>([
    ['is empty', { body: '' }, 'first line'],
    ['quotes the command', { body: '> /scangate recheck' }, 'first line'],
    ['shows the command in a code block', { body: `${FENCE}\n/scangate recheck\n${FENCE}` }, 'first line'],
    ['shows the command as code', { body: '`/scangate recheck`' }, 'first line'],
    ['indents the command', { body: '    /scangate recheck' }, 'first line'],
    ['begins with an empty line', { body: '\n/scangate recheck' }, 'first line'],
    ['begins with an invisible character', { body: '\u200B/scangate recheck' }, 'first line'],
    ['has text before the command', { body: 'please\n/scangate recheck' }, 'first line'],
    ['has a letter directly after the prefix', { body: '/scangatex recheck' }, 'first line'],
    ['writes the command in capitals', { body: '/SCANGATE TRIAGE' }, 'first line'],
    ['hides the command', { body: '<!-- \n/scangate recheck -->' }, 'first line'],
    ['was edited', { action: 'edited' }, 'not new'],
    ['was deleted', { action: 'deleted' }, 'not new'],
    ['has changed since it was created', { updatedAt: new Date(CREATED.getTime() + 1000) }, 'not new'],
    ['is on an issue', { pullRequest: undefined }, 'not on a pull request'],
    ['is by a bot', { author: { login: 'x[bot]', id: 3, type: 'Bot' } }, 'user'],
    ['is by an organization', { author: { login: 'x', id: 3, type: 'Organization' } }, 'user'],
    ['is by an app in the name of a user', { byApp: true }, 'user'],
    ['is by a deleted account', { author: undefined }, 'user'],
    ['was sent by another account than its author', { senderId: 4 }, 'user'],
    ['has no sender', { senderId: undefined }, 'user'],
  ])('readCommand ignores a comment that %s', (_what, change, why) => {
    expect(readCommand({ ...COMMENT, ...change })).toEqual({
      kind: 'ignored',
      why: expect.stringContaining(why),
    });
  });
});

describe('readIssueComment', () => {
  const event = { repository: 'octo-org/octo-repo', number: 7, body: '/scangate recheck', author: 'mona' };

  test('readIssueComment reads the payload that GitHub documents', () => {
    const read = readIssueComment(issueCommentEvent(event));
    expect(read).toMatchObject({ ok: true, value: { action: 'created', pullRequest: 7, byApp: false } });
    if (read.ok) expect(readCommand(read.value).kind).toBe('command');
  });

  test('readIssueComment returns no pull request for a comment on an issue', () => {
    expect(readIssueComment(issueCommentEvent({ ...event, onIssue: true }))).toMatchObject({
      ok: true,
      value: { pullRequest: undefined },
    });
  });

  test.each([
    ['an undefined payload', undefined],
    ['an empty object', {}],
    ['a comment without an id', { ...issueCommentEvent(event), comment: { body: '/scangate recheck' } }],
    ['an issue with a number below 1', { ...issueCommentEvent(event), issue: { number: 0 } }],
  ])('readIssueComment returns an error for %s', (_what, payload) => {
    expect(readIssueComment(payload)).toMatchObject({ ok: false, error: { reason: 'configuration' } });
  });
});
