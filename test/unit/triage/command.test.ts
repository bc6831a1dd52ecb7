import { describe, expect, test } from 'vitest';
import { issueCommentEvent } from '../../../sandbox/events.ts';
import { type IssueComment, readIssueComment } from '../../../src/github/issue-comment.ts';
import { readCommand } from '../../../src/triage/command.ts';

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

describe('a comment', () => {
  test.each([
    ['alone', '/scangate recheck'],
    ['with text below', '/scangate recheck\n\nThe two findings are triaged.'],
    ['with line breaks of Windows', '/scangate recheck\r\nthanks'],
  ])('with the command %s asks for a triage action', (_what, body) => {
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
    ['shows it in a code block', { body: `${FENCE}\n/scangate recheck\n${FENCE}` }, 'first line'],
    ['shows it as code', { body: '`/scangate recheck`' }, 'first line'],
    ['indents it', { body: '    /scangate recheck' }, 'first line'],
    ['begins with an empty line', { body: '\n/scangate recheck' }, 'first line'],
    ['begins with an invisible character', { body: '\u200B/scangate recheck' }, 'first line'],
    ['has text before it', { body: 'please\n/scangate recheck' }, 'first line'],
    ['continues the prefix', { body: '/scangatex recheck' }, 'first line'],
    ['writes it in capitals', { body: '/SCANGATE TRIAGE' }, 'first line'],
    ['hides it', { body: '<!-- \n/scangate recheck -->' }, 'first line'],
    ['was edited', { action: 'edited' }, 'not new'],
    ['was deleted', { action: 'deleted' }, 'not new'],
    ['was created and changed since', { updatedAt: new Date(CREATED.getTime() + 1000) }, 'not new'],
    ['is on an issue', { pullRequest: undefined }, 'not on a pull request'],
    ['is by a bot', { author: { login: 'x[bot]', id: 3, type: 'Bot' } }, 'user'],
    ['is by an organization', { author: { login: 'x', id: 3, type: 'Organization' } }, 'user'],
    ['is by an app in the name of a user', { byApp: true }, 'user'],
    ['is by a deleted account', { author: undefined }, 'user'],
    ['comes with another sender', { senderId: 4 }, 'user'],
    ['comes without a sender', { senderId: undefined }, 'user'],
  ])('that %s is ignored', (_what, change, why) => {
    expect(readCommand({ ...COMMENT, ...change })).toEqual({
      kind: 'ignored',
      why: expect.stringContaining(why),
    });
  });
});

describe('the payload of an issue_comment', () => {
  const event = { repository: 'octo-org/octo-repo', number: 7, body: '/scangate recheck', author: 'mona' };

  test('that GitHub documents asks for a triage action', () => {
    const read = readIssueComment(issueCommentEvent(event));
    expect(read).toMatchObject({ ok: true, value: { action: 'created', pullRequest: 7, byApp: false } });
    if (read.ok) expect(readCommand(read.value).kind).toBe('command');
  });

  test('of an issue has no pull request', () => {
    expect(readIssueComment(issueCommentEvent({ ...event, onIssue: true }))).toMatchObject({
      ok: true,
      value: { pullRequest: undefined },
    });
  });

  test.each([
    ['nothing', undefined],
    ['an empty object', {}],
    ['a comment without an id', { ...issueCommentEvent(event), comment: { body: '/scangate recheck' } }],
    ['an issue with a number below 1', { ...issueCommentEvent(event), issue: { number: 0 } }],
  ])('that is %s is an error', (_what, payload) => {
    expect(readIssueComment(payload)).toMatchObject({ ok: false, error: { reason: 'configuration' } });
  });
});
