import * as v from 'valibot';
import type { PostedComment } from './own-comment.ts';
import { WebAddress } from './web-address.ts';

/** The fields of the comments in a GraphQL query for a pull request. GitHub returns at most 100 nodes at once. */
export const FIRST_COMMENTS = `comments(first: 100) {
        pageInfo { hasNextPage }
        nodes { fullDatabaseId url body author { __typename login } }
      }`;

/** A BigInt, which GitHub writes as a string. The Int field `databaseId` is too small for today's comment ids. */
const CommentId = v.pipe(v.string(), v.regex(/^[1-9]\d{0,15}$/), v.transform(Number), v.safeInteger());

/** Rejects incomplete data, because a missing comment could be ours. */
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

/** Returns the comments, or undefined if the answer does not contain all of them. */
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

/**
 * Converts an author to the form of REST. GraphQL shows only the bare name of an app, which can also be a person's
 * login. REST adds `[bot]`.
 */
function asInRest(type: string, login: string): PostedComment['author'] {
  return { type, login: type === 'Bot' && !login.endsWith('[bot]') ? `${login}[bot]` : login };
}
