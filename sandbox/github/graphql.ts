import { type DocumentNode, execute, GraphQLError, parse, validate } from 'graphql';
import type { Answer } from '../faults/interception.ts';
import { isFullId } from '../git-cache.ts';
import { isObject, objectAt, textAt } from '../json.ts';
import type { Need } from './access.ts';
import { found, refuse } from './answer.ts';
import { TOKEN_AUTHOR } from './comments.ts';
import { checkSuites } from './graphql-checks.ts';
import { commentConnection } from './graphql-comments.ts';
import { connection } from './graphql-connection.ts';
import { graphqlFault } from './graphql-fault.ts';
import { githubSchema } from './graphql-schema.ts';
import { newestFirst, type PullRequestRecord } from './pull-requests.ts';
import { branchTip, commitTree } from './refs.ts';
import type { GitHubState } from './route.ts';

/** What the GraphQL endpoint can show to the caller. */
interface View extends GitHubState {
  /** Refuses the field if the caller has none of these permissions. */
  readonly demand: (...anyOf: Need['anyOf']) => void;
}

/**
 * Answers a query about the viewer or the repository. Errors have the form of GraphQL.
 * @param may says whether the caller may read with one of these permissions
 */
export async function graphql(
  body: unknown,
  state: GitHubState,
  may: (...anyOf: Need['anyOf']) => boolean,
): Promise<Answer> {
  const request = isObject(body) ? body : {};
  const query = textAt(request, 'query');
  if (query === undefined) return refuse(400, 'A query attribute must be specified and must be a string.');
  const demand: View['demand'] = (...anyOf) => {
    if (!may(...anyOf)) throw graphqlFault('FORBIDDEN', 'Resource not accessible by integration');
  };
  const view = { ...state, demand };
  const { data, errors = [] } = await answerTo(query, objectAt(request, 'variables'), view);
  return found({ ...(data && { data }), ...(errors.length > 0 && { errors: errors.map(shownFault) }) });
}

/**
 * The queries that were parsed and are valid. Every run sends the same few queries, so each one is checked only once.
 */
const VALID = new Map<string, DocumentNode>();

async function answerTo(query: string, variableValues: Record<string, unknown>, view: View) {
  try {
    const document = VALID.get(query) ?? parse(query);
    const errors = VALID.has(query) ? [] : validate(githubSchema(), document);
    if (errors.length > 0) return { errors };
    VALID.set(query, document);
    const rootValue = {
      viewer: { login: TOKEN_AUTHOR.author },
      repository: (asked: { owner: string; name: string }) => repository(asked, view),
    };
    return await execute({ schema: githubSchema(), document, rootValue, variableValues });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return { errors: [error] };
  }
}

/** Makes the JSON of an error. GitHub shows the type of the error beside the message. */
function shownFault({ message, path, extensions }: GraphQLError): object {
  return { ...(extensions['type'] !== undefined && { type: extensions['type'] }), path, message };
}

function repository({ owner, name }: { owner: string; name: string }, view: View): object {
  const asked = `${owner}/${name}`;
  if (asked.toLowerCase() !== view.fullName.toLowerCase())
    throw graphqlFault('NOT_FOUND', `Could not resolve to a Repository with the name '${asked}'.`);
  return {
    nameWithOwner: view.fullName,
    isPrivate: !view.isPublic,
    visibility: view.isPublic ? 'PUBLIC' : 'PRIVATE',
    pullRequest: ({ number }: { number: number }) => pullRequest(number, view),
    pullRequests: (page: PullRequestPage) => pullRequests(page, view),
    object: ({ oid }: { oid?: string | null }) => commit(oid ?? '', view),
    mergeQueue({ branch }: { branch?: string | null }) {
      view.demand('contents');
      const queue = view.mergeQueues?.[branch ?? ''];
      return queue && { configuration: { mergingStrategy: queue.mergingStrategy } };
    },
  };
}

/** Undefined if there is no such commit. */
async function commit(oid: string, view: View): Promise<object | undefined> {
  view.demand('contents');
  const tree = isFullId(oid) ? await commitTree(view.mirror, oid) : undefined;
  if (tree === undefined) return undefined;
  return {
    __typename: 'Commit',
    oid,
    tree: { oid: tree },
    checkSuites(page: Parameters<typeof checkSuites>[0]) {
      view.demand('checks');
      return checkSuites(
        page,
        view.checkRuns.all.filter(({ headSha }) => headSha === oid),
      );
    },
  };
}

function pullRequest(number: number, view: View): object {
  view.demand('pull-requests', 'issues');
  const pull = view.pullRequests.get(number);
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
function pullRequests({ states, first, after }: PullRequestPage, view: View): object {
  view.demand('pull-requests', 'issues');
  const all = newestFirst([...view.pullRequests.values()]);
  const wanted = all.filter(({ state }) => !states || states.includes(state.toUpperCase()));
  const { pageInfo, page } = connection(wanted, first ?? 0, after);
  return { pageInfo, nodes: page.map((pull) => shownPullRequest(pull, view)) };
}

function shownPullRequest(pull: PullRequestRecord, view: View): object {
  const { number, headSha, baseRef } = pull;
  return {
    number,
    headRefOid: headSha,
    baseRefName: baseRef,
    /** Null if the branch was deleted. */
    async baseRef() {
      view.demand('contents');
      const oid = await branchTip(view.mirror, baseRef);
      return oid && { name: baseRef, target: { __typename: 'Commit', oid } };
    },
    /** Answers `commits(last: 1)`, the only page that the action asks for. */
    async commits({ last }: { last?: number | null }) {
      if (last !== 1) throw new Error('Only `last: 1` is answered here.');
      const head = await commit(headSha, view);
      return { nodes: head === undefined ? [] : [{ commit: head }] };
    },
    updatedAt: pull.updatedAt,
    state: pull.state.toUpperCase(),
    comments: (page: Parameters<typeof commentConnection>[0]) =>
      commentConnection(
        page,
        view.comments.all.filter(({ issue }) => issue === number),
      ),
  };
}
