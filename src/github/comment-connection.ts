import * as v from 'valibot';
import type { PostedComment } from './own-comment.ts';
import { WebAddress } from './web-address.ts';

/** The fields to request for a pull request. GitHub returns at most 100 nodes at once. */
export const FIRST_COMMENTS = `comments(first: 100) {
        pageInfo { hasNextPage }
        nodes { fullDatabaseId url body author { __typename login } }
      }`;

/** A BigInt, which GitHub writes as a string. Comment ids no longer fit into the Int of `databaseId`. */
const CommentId = v.pipe(v.string(), v.regex(/^[1-9]\d{0,15}$/), v.transform(Number), v.safeInteger());

/** Rejects a connection in which anything is missing, because a missing comment could be ours. */
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

/** The comments if the connection contains all of them; otherwise undefined. */
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

/** GraphQL uses an app's bare name, which can also be a person's login. REST adds `[bot]`. */
function asInRest(type: string, login: string): PostedComment['author'] {
  return { type, login: type === 'Bot' && !login.endsWith('[bot]') ? `${login}[bot]` : login };
}
