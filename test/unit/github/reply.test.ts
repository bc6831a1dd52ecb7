import nock from 'nock';
import * as v from 'valibot';
import { afterEach, describe, expect, test } from 'vitest';
import { err, ok } from '../../../src/domain/result.ts';
import {
  markerLine,
  ownComments,
  type PostedComment,
  readMarker,
  readState,
} from '../../../src/github/comment-marker.ts';
import type { GitHubError } from '../../../src/github/errors.ts';
import type { GitHubClient } from '../../../src/github/octokit.ts';
import { isReply, ownReplies, readCurrentComment, replyLines, syncReply } from '../../../src/github/reply.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, github, SHA } from './client.ts';
import { pullRequestNode } from './pull-request-answers.ts';

const MARKER = { checkName: 'Security scan', headSha: SHA.head, runId: 42, runAttempt: 1 };
const APP = 'github-actions[bot]';

function posted(id: number, change: Partial<PostedComment> = {}): PostedComment {
  const body = `${markerLine(MARKER)}\nBlocked.`;
  return { id, url: undefined, body, author: { login: APP, type: 'Bot' }, ...change };
}

describe('replyLines and isReply', () => {
  const LINES = replyLines('Security scan', 'r1:x:y');

  test('replyLines writes two lines that can be read back', () => {
    expect(LINES).toMatch(/^<!-- [^\n>]* -->\n<!-- [^\n>]* -->$/);
    expect(isReply(`${LINES}\nbody`, 'Security scan')).toBe(true);
    expect(isReply(`${LINES.replace('\n', '\r\n')}\r\nbody`, 'Security scan')).toBe(true);
    expect(readState(`${LINES}\nbody`)).toBe('r1:x:y');
  });

  test.each([
    ['a missing state', undefined],
    ['an empty state', ''],
    ['a state with a space', 'a b'],
    ['a state with `>`', 'a>b'],
    ['a state that is too long', 'x'.repeat(20_001)],
  ])('replyLines writes no state for %s', (_what, state) => {
    expect(replyLines('Security scan', state)).toBe(LINES.split('\n')[0]);
  });

  test("the marker of a reply differs from the marker of the gate's comment", () => {
    expect(readMarker(LINES, 'Security scan')).toBeUndefined();
    expect(isReply(markerLine(MARKER), 'Security scan')).toBe(false);
  });

  test.each([
    ['of another check', LINES, 'Other'],
    ['outside the first line', `hello\n${LINES}`, 'Security scan'],
    ['after a space', ` ${LINES}`, 'Security scan'],
    ['with more text after it', LINES.replace(' -->', ' --> and more'), 'Security scan'],
    ['that is missing', '', 'Security scan'],
  ])('isReply rejects a marker %s', (_what, text, checkName) => {
    expect(isReply(text, checkName)).toBe(false);
  });
});

describe('ownReplies', () => {
  const body = `${replyLines('Security scan', 'r1:x')}\nDone.`;
  const idsOfReplies = (comments: readonly PostedComment[]) =>
    ownReplies(comments, 'Security scan', APP).map(({ id }) => id);

  test('ownReplies returns our replies with their states, the oldest first', () => {
    expect(ownReplies([posted(9, { body }), posted(7, { body })], 'Security scan', APP)).toEqual([
      { id: 7, state: 'r1:x' },
      { id: 9, state: 'r1:x' },
    ]);
  });

  test('ownReplies ignores the comment of the gate, and replies by other accounts', () => {
    const others = [{ login: 'mallory', type: 'User' }, { login: 'other[bot]', type: 'Bot' }, undefined];
    expect(
      idsOfReplies([posted(1), ...others.map((author, id) => posted(id + 2, { body, author }))]),
    ).toEqual([]);
    expect(ownComments([posted(1, { body })], 'Security scan', APP)).toEqual([]);
  });
});

interface Posted {
  readonly id: number;
  readonly body: string;
  readonly login?: string;
}
type Step = 'state' | 'list' | 'post' | 'edit' | 'delete';
/**
 * What happens at a step: GitHub answers with an error, or the posted replies change. `list 2` is the second request
 * for the list.
 */
type Happens = Partial<Record<`${Step} ${number}`, Partial<GitHubError> | ((posted: Posted[]) => void)>>;

const LOST: Partial<GitHubError> = { kind: 'unreachable', ambiguous: true };
const NO: Partial<GitHubError> = { kind: 'forbidden' };

/** A reply of the action. Its hidden state and its text contain these names. */
function reply(id: number, ...names: readonly string[]): Posted {
  return { id, body: `${replyLines('Security scan', names.join(','))}\nDone: ${names.join(' ')}` };
}

/** Makes another app the author of the posted replies. The token then seems to belong to that app. */
function asOtherApp(posted: Posted[]): void {
  posted.splice(0, posted.length, ...posted.map((one) => ({ ...one, login: 'gate-app[bot]' })));
}

/**
 * Runs `syncReply` on a pull request with the replies `before`. It adds the name `new`.
 * @param isDone steps that GitHub carries out although it answers with an error
 */
async function synced(before: readonly Posted[], happens: Happens = {}, isDone = new Set<string>()) {
  const posted = [...before];
  const steps: Step[] = [];
  let pauses = 0;
  const rest = ({ id, body, login = APP }: Posted) => ({ id, body, user: { login, type: 'Bot' } });
  const answer = (step: Step, parameters: Readonly<Record<string, unknown>>): unknown => {
    const { comment_id: id, body } = parameters;
    if (step === 'state') {
      const nodes = posted.map(({ id: number, body: text, login = APP }) => ({
        fullDatabaseId: String(number),
        body: text,
        author: { __typename: 'Bot', login: login.replace('[bot]', '') },
      }));
      const comments = { pageInfo: { hasNextPage: false }, nodes };
      return {
        data: {
          viewer: { login: APP },
          repository: { pullRequest: pullRequestNode({ headRefOid: SHA.head, comments }) },
        },
      };
    }
    if (step === 'list') return posted.map(rest);
    if (step === 'post') posted.push({ id: 100 + posted.length, body: String(body) });
    const index = posted.findIndex((one) => one.id === id);
    if (step === 'edit') posted[index] = { id: Number(id), body: String(body) };
    if (step === 'delete') posted.splice(index, 1);
    return { id: 1 };
  };
  const github: GitHubClient = {
    owner: 'acme',
    repo: 'shop',
    graphqlUrl: 'https://api.github.com/graphql',
    ask: async ({ route, parameters = {}, operation, permission, answer: schema }) => {
      const [method = ''] = route.split(' ');
      const step: Step =
        method === 'PATCH'
          ? 'edit'
          : method === 'DELETE'
            ? 'delete'
            : route.endsWith('/graphql') || route.includes('/pulls/')
              ? 'state'
              : method === 'POST'
                ? 'post'
                : 'list';
      steps.push(step);
      const name = `${step} ${steps.filter((one) => one === step).length}` as const;
      const what = happens[name];
      if (typeof what === 'function') what(posted);
      if (typeof what === 'object') {
        if (isDone.has(name)) answer(step, parameters);
        const error = { operation, permission, status: 0, message: '', ambiguous: false } as const;
        return err({ ...error, kind: 'refused', ...what });
      }
      return ok({ data: v.parse(schema, answer(step, parameters)), hasNextPage: false });
    },
    pauseAfterLoss: async () => {
      pauses += 1;
    },
  };
  const contentFor = (states: readonly string[]) => {
    const names = [...new Set([...states.flatMap((state) => state.split(',')), 'new'])].toSorted();
    return { state: names.join(','), body: `Done: ${names.join(' ')}` };
  };
  const wanted = { pullRequest: 5, checkName: 'Security scan', contentFor };
  const result = await syncReply(github, wanted, NEVER_ABORTED);
  return {
    ok: result.ok,
    steps: steps.join(' '),
    pauses,
    texts: posted.map(({ id, body }) => `${id}: ${body.split('\n').at(-1)}`),
  };
}

describe('syncReply', () => {
  test.each<
    [what: string, before: readonly Posted[], happens: Happens, steps: string, texts: readonly string[]]
  >([
    ['posts a reply if there is none', [], {}, 'state post list', ['100: Done: new']],
    ['edits the existing reply', [reply(7, 'a')], {}, 'state edit list', ['7: Done: a new']],
    [
      'does not change a reply of another account',
      [{ ...reply(7, 'a'), login: 'other[bot]' }],
      {},
      'state post list',
      ['7: Done: a', '101: Done: new'],
    ],
    ['does not change a reply that is up to date', [reply(7, 'a', 'new')], {}, 'state', ['7: Done: a new']],
    [
      'merges several replies into the oldest',
      [reply(9, 'b'), reply(7, 'a')],
      {},
      'state edit delete list',
      ['7: Done: a b new'],
    ],
    [
      'keeps only the oldest reply if a newer reply is up to date',
      [reply(7, 'a'), reply(9, 'a', 'new')],
      {},
      'state edit delete list',
      ['7: Done: a new'],
    ],
    [
      'adds the state of a reply that another run posted in the meantime',
      [],
      { 'list 1': (posted) => void posted.unshift(reply(50, 'other')) },
      'state post list edit delete list',
      ['50: Done: new other'],
    ],
    [
      'writes its reply again if another run has overwritten it',
      [reply(7, 'a')],
      { 'list 1': (posted) => void posted.splice(0, 1, reply(7, 'a', 'other')) },
      'state edit list edit list',
      ['7: Done: a new other'],
    ],
    [
      'posts a new reply if the old one cannot be edited',
      [reply(7, 'a')],
      { 'edit 1': NO },
      'state edit list post',
      ['7: Done: a', '101: Done: a new'],
    ],
    [
      'posts a reply if the comments cannot be read',
      [reply(7, 'a')],
      { 'state 1': NO, 'state 2': NO, 'list 1': NO },
      'state state post list',
      ['7: Done: a', '101: Done: new'],
    ],
    [
      'posts a new reply if another user removes the old one during the edit',
      [reply(7, 'a')],
      { 'list 1': (posted) => void posted.splice(0) },
      'state edit list post list',
      ['100: Done: new'],
    ],
    [
      'posts one reply if our login is unknown',
      [],
      { 'state 1': NO, 'state 2': NO, 'list 1': asOtherApp, 'list 2': asOtherApp },
      'state state post list',
      ['100: Done: new'],
    ],
  ])('syncReply %s', async (_what, before, happens, steps, texts) => {
    expect(await synced(before, happens)).toEqual({ ok: true, steps, pauses: 0, texts });
  });

  test.each<
    [what: string, happens: Happens, done: readonly string[], isThere: boolean, steps: string, count: number]
  >([
    ['finds its reply after a lost answer', { 'post 1': LOST }, ['post 1'], true, 'state post list', 1],
    [
      'posts its reply again if the request was lost',
      { 'post 1': LOST },
      [],
      true,
      'state post list post list',
      1,
    ],
    [
      'posts its reply once if it cannot check whether the reply was posted',
      { 'post 1': LOST, 'list 1': LOST },
      [],
      false,
      'state post list',
      0,
    ],
    [
      'returns an error if three posts are lost',
      { 'post 1': LOST, 'post 2': LOST, 'post 3': LOST },
      [],
      false,
      'state post list post list post',
      0,
    ],
  ])('syncReply %s', async (_what, happens, done, isThere, steps, count) => {
    const ended = await synced([], happens, new Set(done));
    expect([ended.ok, ended.steps, ended.texts.length]).toEqual([isThere, steps, count]);
    expect(ended.pauses).toBe(Object.keys(happens).filter((name) => name.startsWith('post')).length);
  });

  test.each([
    ['the post is refused', [], { 'post 1': NO }, 'state post'],
    [
      'the edit and the post are refused',
      [reply(7, 'a')],
      { 'edit 1': NO, 'post 1': NO },
      'state edit list post',
    ],
    ['the run is stopped', [], { 'post 1': { kind: 'stopped', ambiguous: true } }, 'state post'],
  ] as const)('syncReply returns an error if %s', async (_what, before, happens, steps) => {
    expect(await synced(before, happens)).toMatchObject({ ok: false, steps, pauses: 0 });
  });

  test('syncReply succeeds even if it cannot read the reply that it wrote', async () => {
    expect(await synced([reply(7, 'a')], { 'list 1': NO })).toMatchObject({
      ok: true,
      steps: 'state edit list',
    });
  });
});

const COMMENT = '/repos/acme/shop/issues/comments/5000000001';

afterEach(() => {
  nock.cleanAll();
});

const read = () => readCurrentComment(client(), 5_000_000_001, NEVER_ABORTED);

describe('a comment as it is now', () => {
  test.each<[what: string, shown: object, value: object]>([
    [
      'its text and its author',
      { body: 'a\r\nb', user: { id: 3, login: 'ada' } },
      { body: 'a\r\nb', authorId: 3 },
    ],
    ['no known author', { body: 'a', user: null }, { body: 'a', authorId: undefined }],
    ['no text', { body: null, user: { id: 3 } }, { body: '', authorId: 3 }],
  ])('readCurrentComment reads a comment with %s', async (_what, shown, value) => {
    github().get(COMMENT).reply(200, shown);
    expect(await read()).toEqual({ ok: true, value });
  });

  test('readCurrentComment returns no comment if the comment was deleted', async () => {
    github().get(COMMENT).reply(404, { message: 'Not Found' });
    expect(await read()).toEqual({ ok: true, value: undefined });
  });

  test.each([403, 410])(
    'readCurrentComment returns an error if GitHub answers with the status %i',
    async (status) => {
      github().get(COMMENT).reply(status, { message: 'No' });
      expect((await read()).ok).toBe(false);
    },
  );

  test.each([{}, { body: 'a' }, { body: 7, user: null }])(
    'readCurrentComment returns an error if GitHub sends an invalid comment: %j',
    async (shown) => {
      github().get(COMMENT).times(4).optionally().reply(200, shown);
      expect((await read()).ok).toBe(false);
    },
  );
});
