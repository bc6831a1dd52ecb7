import type { Answer } from '../faults/interception.ts';
import { inSeconds, type ServerClock } from '../faults/server-clock.ts';
import { isObject } from '../json.ts';
import { found, invalidRequest, NOT_FOUND, validationFailed } from './answer.ts';
import { type ListRequest, paged } from './paging.ts';
import type { Urls } from './pull-requests.ts';
import { userIdOf } from './user-id.ts';

export interface CommentRecord {
  readonly id: number;
  /** The number of the issue or the pull request. */
  readonly issue: number;
  readonly author: string;
  readonly type: 'Bot' | 'User';
  readonly body: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly htmlUrl: string;
}

const REACTIONS = ['+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'rocket', 'eyes'];

/** The account that GitHub shows for the workflow token. */
export const TOKEN_AUTHOR = { author: 'github-actions[bot]', type: 'Bot' } as const;

/** The limit in GitHub's error: "body is too long (maximum is 65536 characters)". */
const LONGEST_BODY = 65_536;
/** The ids need more than 32 bits, like the ids of new comments on GitHub. */
const FIRST_ID = 5_000_000_001;

export type CommentStore = ReturnType<typeof createCommentStore>;

export function createCommentStore(urls: Urls, clock: ServerClock) {
  const all: CommentRecord[] = [];
  /** The reactions that were added with the workflow token. */
  const reactions: { readonly comment: number; readonly content: string }[] = [];
  let nextId = FIRST_ID;
  const now = () => inSeconds(clock.now());
  const render = (record: CommentRecord) => ({
    id: record.id,
    url: `${urls.api}/issues/comments/${record.id}`,
    html_url: record.htmlUrl,
    body: record.body,
    user: { login: record.author, id: userIdOf(record.author), type: record.type },
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    author_association: record.type === 'Bot' ? 'NONE' : 'CONTRIBUTOR',
  });
  const add = (comment: Pick<CommentRecord, 'issue' | 'author' | 'type' | 'body'>): CommentRecord => {
    const id = nextId;
    nextId += 1;
    const at = now();
    const htmlUrl = `${urls.html}/pull/${comment.issue}#issuecomment-${id}`;
    const record = { ...comment, id, createdAt: at, updatedAt: at, htmlUrl };
    all.push(record);
    return record;
  };
  return {
    /** All comments, the oldest first. Requests change this list. */
    all,
    /** All reactions, the oldest first. Requests change this list. */
    reactions,
    add,
    list: (issue: number, call: ListRequest): Answer =>
      paged(
        call,
        all.filter((record) => record.issue === issue),
        (page) => page.map(render),
      ),
    read: (id: number): Answer => {
      const record = all.find((one) => one.id === id);
      return found(record && render(record));
    },
    create: (issue: number, body: unknown): Answer => {
      const text = readBody(body);
      if (typeof text !== 'string') return text.refusal;
      const record = add({ issue, ...TOKEN_AUTHOR, body: text });
      const answer = render(record);
      return { status: 201, headers: { location: answer.url }, body: answer };
    },
    update: (id: number, body: unknown): Answer => {
      const index = all.findIndex((record) => record.id === id);
      const before = all[index];
      if (before === undefined) return NOT_FOUND;
      const text = readBody(body);
      if (typeof text !== 'string') return text.refusal;
      const record = { ...before, body: text, updatedAt: now() };
      all[index] = record;
      return { status: 200, body: render(record) };
    },
    remove: (id: number): Answer => {
      const index = all.findIndex((record) => record.id === id);
      if (index < 0) return NOT_FOUND;
      all.splice(index, 1);
      return { status: 204 };
    },
    /**
     * Adds a reaction of the workflow token. As on GitHub, a second reaction of the same kind to the same comment adds
     * nothing.
     */
    react: (comment: number, body: unknown): Answer => {
      const content = isObject(body) ? body['content'] : undefined;
      if (!all.some(({ id }) => id === comment)) return NOT_FOUND;
      if (typeof content !== 'string' || !REACTIONS.includes(content)) {
        return invalidRequest(`${JSON.stringify(content)} is not a member of ${JSON.stringify(REACTIONS)}.`);
      }
      const before = reactions.findIndex((one) => one.comment === comment && one.content === content);
      if (before < 0) reactions.push({ comment, content });
      const id = (before < 0 ? reactions.length : before + 1) + 30_000;
      return { status: before < 0 ? 201 : 200, body: { id, content, user: { login: TOKEN_AUTHOR.author } } };
    },
  };
}

function readBody(body: unknown): string | { readonly refusal: Answer } {
  const text = isObject(body) ? body['body'] : undefined;
  if (text === undefined) return { refusal: invalidRequest('"body" wasn\'t supplied.') };
  if (typeof text !== 'string') {
    return { refusal: invalidRequest(`For 'properties/body', ${JSON.stringify(text)} is not a string.`) };
  }
  const fault = (message: string) => ({
    refusal: validationFailed({ resource: 'IssueComment', code: 'unprocessable', field: 'data', message }),
  });
  if (text.trim() === '') return fault('Body cannot be blank');
  if ([...text].length > LONGEST_BODY)
    return fault(`Body is too long (maximum is ${LONGEST_BODY} characters)`);
  return text;
}
