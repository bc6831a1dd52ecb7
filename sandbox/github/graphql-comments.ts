import type { CommentRecord } from './comments.ts';
import type { Selection } from './graphql-document.ts';
import { type Fault, type Path, resolve } from './graphql-fields.ts';

/** The largest `first` that GitHub takes. */
const MOST_NODES = 100;

/** `comments(first, after)`, the oldest first. Undefined, with a fault, where GitHub gives no such page. */
export function commentConnection(
  field: Selection,
  path: Path,
  faults: Fault[],
  comments: readonly CommentRecord[],
): unknown {
  const { first, after } = field.arguments;
  if (typeof first !== 'number') {
    const message = `You must provide a \`first\` or \`last\` value to properly paginate the \`${field.key}\` connection.`;
    faults.push({ type: 'MISSING_PAGINATION_BOUNDARIES', path, message });
    return undefined;
  }
  if (first > MOST_NODES) {
    const message = `Requesting ${first} records on the \`${field.key}\` connection exceeds the \`first\` limit of ${MOST_NODES} records.`;
    faults.push({ type: 'EXCESSIVE_PAGINATION', path, message });
    return undefined;
  }
  const start = typeof after === 'string' ? Number(Buffer.from(after, 'base64').toString()) : 0;
  const page = comments.slice(start, start + first);
  const end = start + page.length;
  return resolve(field.fields, 'IssueCommentConnection', path, faults, {
    totalCount: () => comments.length,
    pageInfo: (inner, here) =>
      resolve(inner.fields, 'PageInfo', here, faults, {
        hasNextPage: () => end < comments.length,
        endCursor: () => (page.length === 0 ? null : Buffer.from(String(end)).toString('base64')),
      }),
    nodes: (inner, here) => page.map((record, index) => comment(inner, [...here, index], faults, record)),
  });
}

function comment(field: Selection, path: Path, faults: Fault[], record: CommentRecord): unknown {
  return resolve(field.fields, 'IssueComment', path, faults, {
    // A BigInt is written as text.
    fullDatabaseId: () => String(record.id),
    url: () => record.htmlUrl,
    body: () => record.body,
    createdAt: () => record.createdAt,
    updatedAt: () => record.updatedAt,
    author: (inner, here) => resolve(inner.fields, record.type, here, faults, { login: () => login(record) }),
  });
}

/** An app goes by its bare name here; only REST adds `[bot]`. */
function login({ author, type }: CommentRecord): string {
  return type === 'Bot' ? author.replace(/\[bot\]$/, '') : author;
}
