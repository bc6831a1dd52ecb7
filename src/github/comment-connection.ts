import * as v from 'valibot';
import type { PostedComment } from './own-comment.ts';
import { WebAddress } from './web-address.ts';

/** The fields to ask a pull request for. GitHub gives at most 100 nodes at once. */
export const FIRST_COMMENTS = `comments(first: 100) {
        pageInfo { hasNextPage }
        nodes { fullDatabaseId url body author { __typename login } }
      }`;

/** A BigInt, which GitHub writes as text: comment ids have outgrown the Int of `databaseId`. */
const CommentId = v.pipe(v.string(), v.regex(/^[1-9]\d{0,15}$/), v.transform(Number), v.safeInteger());

/** Refuses a connection that lacks anything: a comment left out could be ours. */
export const CommentConnection = v.object({
  pageInfo: v.object({ hasNextPage: v.boolean() }),
  nodes: v.array(
    v.object({
      fullDatabaseId: CommentId,
      url: v.optional(WebAddress),
      body: v.string(),
      author: v.nullable(v.object({ __typename: v.string(), login: v.string() })),
    }),
  ),
});

/** The comments, where these are all. */
export function allComments({
  pageInfo,
  nodes,
}: v.InferOutput<typeof CommentConnection>): readonly PostedComment[] | undefined {
  if (pageInfo.hasNextPage) return undefined;
  return nodes.map(({ fullDatabaseId: id, url, body, author }) => ({
    id,
    url,
    body,
    author: author === null ? undefined : asInRest(author.__typename, author.login),
  }));
}

/** GraphQL calls an app by its bare name, which can also be a person's login; REST adds `[bot]`. */
function asInRest(type: string, login: string): PostedComment['author'] {
  return { type, login: type === 'Bot' && !login.endsWith('[bot]') ? `${login}[bot]` : login };
}
