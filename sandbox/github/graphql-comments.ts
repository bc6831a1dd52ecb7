import type { CommentRecord } from './comments.ts';
import { connection } from './graphql-connection.ts';
import { graphqlFault } from './graphql-fault.ts';

/** The largest `first` that GitHub accepts. */
const MOST_NODES = 100;

/** Answers `comments(first, after)`, the oldest first. */
export function commentConnection(
  { first, after }: { readonly first?: number | null; readonly after?: string | null },
  comments: readonly CommentRecord[],
): object {
  if (typeof first !== 'number') {
    const message =
      'You must provide a `first` or `last` value to properly paginate the `comments` connection.';
    throw graphqlFault('MISSING_PAGINATION_BOUNDARIES', message);
  }
  if (first > MOST_NODES) {
    const message = `Requesting ${first} records on the \`comments\` connection exceeds the \`first\` limit of ${MOST_NODES} records.`;
    throw graphqlFault('EXCESSIVE_PAGINATION', message);
  }
  const { pageInfo, page } = connection(comments, first, after);
  return { totalCount: comments.length, pageInfo, nodes: page.map(comment) };
}

function comment({ id, htmlUrl, body, createdAt, updatedAt, author, type }: CommentRecord): object {
  // GraphQL shows only the bare name of an app. REST adds `[bot]`.
  const login = type === 'Bot' ? author.replace(/\[bot\]$/, '') : author;
  // GraphQL writes a BigInt as text.
  const fullDatabaseId = String(id);
  return { fullDatabaseId, url: htmlUrl, body, createdAt, updatedAt, author: { __typename: type, login } };
}
