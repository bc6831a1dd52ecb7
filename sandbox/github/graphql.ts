import { type DocumentNode, executeSync, GraphQLError, parse, validate } from 'graphql';
import type { Answer } from '../faults/interception.ts';
import { isObject, objectAt, textAt } from '../json.ts';
import { refuse } from './answer.ts';
import type { CheckRunRecord } from './check-runs.ts';
import type { CommentRecord } from './comments.ts';
import { checkSuites } from './graphql-checks.ts';
import { commentConnection } from './graphql-comments.ts';
import { graphqlFault } from './graphql-fault.ts';
import { githubSchema } from './graphql-schema.ts';
import type { MergeQueue } from './merge-queues.ts';
import type { PullRequestRecord } from './pull-requests.ts';

/** The data that the GraphQL endpoint can show. */
export interface GraphqlView {
  readonly viewer: string;
  readonly fullName: string;
  readonly isPublic: boolean;
  readonly pullRequest: (number: number) => PullRequestRecord | undefined;
  /** All pull requests, the last updated pull request first. */
  readonly pullRequests: readonly PullRequestRecord[];
  /** Returns the check runs of a commit, the oldest first. */
  readonly checkRuns: (sha: string) => readonly CheckRunRecord[];
  /** Returns the comments of a pull request, the oldest first. */
  readonly comments: (pullRequest: number) => readonly CommentRecord[];
  /** Returns the newest commit of a branch. */
  readonly branchTip: (branch: string) => string | undefined;
  readonly commitTree: (sha: string) => string | undefined;
  readonly mergeQueue: (branch: string) => MergeQueue | undefined;
  readonly mayReadPullRequests: boolean;
  readonly mayReadContents: boolean;
  readonly mayReadChecks: boolean;
}

/** Answers a query about the viewer or the repository. Errors have the form of GraphQL. */
export function graphql(body: unknown, view: GraphqlView): Answer {
  const request = isObject(body) ? body : {};
  const query = textAt(request, 'query');
  if (query === undefined) return refuse(400, 'A query attribute must be specified and must be a string.');
  const { data, errors = [] } = execute(query, objectAt(request, 'variables'), view);
  return {
    status: 200,
    body: { ...(data && { data }), ...(errors.length > 0 && { errors: errors.map(shownFault) }) },
  };
}

/**
 * The queries that were parsed and are valid. Every run sends the same few queries, so each one is checked only once.
 */
const VALID = new Map<string, DocumentNode>();

function execute(query: string, variableValues: Record<string, unknown>, view: GraphqlView) {
  try {
    const document = VALID.get(query) ?? parse(query);
    const errors = VALID.has(query) ? [] : validate(githubSchema(), document);
    if (errors.length > 0) return { errors };
    VALID.set(query, document);
    const rootValue = {
      viewer: { login: view.viewer },
      repository: (asked: { owner: string; name: string }) => repository(asked, view),
    };
    return executeSync({ schema: githubSchema(), document, rootValue, variableValues });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return { errors: [error] };
  }
}

/** Makes the JSON of an error. GitHub shows the type of the error beside the message. */
function shownFault({ message, path, extensions }: GraphQLError): object {
  return { ...(extensions['type'] !== undefined && { type: extensions['type'] }), path, message };
}

function repository({ owner, name }: { owner: string; name: string }, view: GraphqlView): object {
  const asked = `${owner}/${name}`;
  if (asked.toLowerCase() !== view.fullName.toLowerCase())
    throw graphqlFault('NOT_FOUND', `Could not resolve to a Repository with the name '${asked}'.`);
  return {
    nameWithOwner: view.fullName,
    isPrivate: !view.isPublic,
    visibility: view.isPublic ? 'PUBLIC' : 'PRIVATE',
    pullRequest: ({ number }: { number: number }) => pullRequest(number, view),
    pullRequests: (page: PullRequestPage) => pullRequests(page, view),
    object({ oid }: { oid?: string | null }) {
      if (!view.mayReadContents) throw forbidden();
      const tree = typeof oid === 'string' ? view.commitTree(oid) : undefined;
      return (
        tree && { __typename: 'Commit', oid, tree: { oid: tree }, checkSuites: suitesOf(oid ?? '', view) }
      );
    },
    mergeQueue({ branch }: { branch?: string | null }) {
      if (!view.mayReadContents) throw forbidden();
      const queue = typeof branch === 'string' ? view.mergeQueue(branch) : undefined;
      return queue && { configuration: { mergingStrategy: queue.mergingStrategy } };
    },
  };
}

function forbidden(): GraphQLError {
  return graphqlFault('FORBIDDEN', 'Resource not accessible by integration');
}

function pullRequest(number: number, view: GraphqlView): object {
  if (!view.mayReadPullRequests) throw forbidden();
  const pull = view.pullRequest(number);
  if (pull === undefined)
    throw graphqlFault('NOT_FOUND', `Could not resolve to a PullRequest with the number of ${number}.`);
  return shownPullRequest(pull, view);
}

interface PullRequestPage {
  readonly states?: readonly string[] | null;
  readonly first?: number | null;
  readonly after?: string | null;
}

/** Lists pull requests. The last updated pull request comes first, because the action asks for this order. */
function pullRequests({ states, first, after }: PullRequestPage, view: GraphqlView): object {
  if (!view.mayReadPullRequests) throw forbidden();
  const wanted = view.pullRequests.filter(({ state }) => !states || states.includes(state.toUpperCase()));
  const start = typeof after === 'string' ? Number(Buffer.from(after, 'base64').toString()) : 0;
  const page = wanted.slice(start, start + (first ?? 0));
  const end = start + page.length;
  const endCursor = page.length === 0 ? null : Buffer.from(String(end)).toString('base64');
  return {
    pageInfo: { hasNextPage: end < wanted.length, endCursor },
    nodes: page.map((pull) => shownPullRequest(pull, view)),
  };
}

function shownPullRequest(pull: PullRequestRecord, view: GraphqlView): object {
  const { number, headSha, baseRef } = pull;
  return {
    number,
    headRefOid: headSha,
    headRefName: pull.headRef,
    baseRefName: baseRef,
    /** Null if the branch was deleted. */
    baseRef() {
      if (!view.mayReadContents) throw forbidden();
      const oid = view.branchTip(baseRef);
      return oid && { name: baseRef, target: { __typename: 'Commit', oid } };
    },
    /** Answers `commits(last: 1)`, the only page that the action asks for. */
    commits({ last }: { last?: number | null }) {
      if (last !== 1) throw new Error('Only `last: 1` is answered here.');
      if (!view.mayReadContents) throw forbidden();
      const tree = view.commitTree(headSha);
      const commit = { oid: headSha, tree: { oid: tree }, checkSuites: suitesOf(headSha, view) };
      return { nodes: tree === undefined ? [] : [{ commit }] };
    },
    updatedAt: pull.updatedAt,
    state: pull.state.toUpperCase(),
    isDraft: pull.draft,
    url: pull.htmlUrl,
    comments: (page: Parameters<typeof commentConnection>[0]) =>
      commentConnection(page, view.comments(number)),
  };
}

function suitesOf(sha: string, view: GraphqlView) {
  return (page: Parameters<typeof checkSuites>[0]) => {
    if (!view.mayReadChecks) throw forbidden();
    return checkSuites(page, view.checkRuns(sha));
  };
}
