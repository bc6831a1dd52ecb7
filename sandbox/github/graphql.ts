import type { Answer } from '../faults/interception.ts';
import { isObject, objectAt, textAt } from '../json.ts';
import { refuse } from './answer.ts';
import type { CommentRecord } from './comments.ts';
import { commentConnection } from './graphql-comments.ts';
import { GraphqlSyntaxError, readQuery, type Selection } from './graphql-document.ts';
import { type Fault, type Path, resolve } from './graphql-fields.ts';
import type { MergeQueue } from './merge-queues.ts';
import type { PullRequestRecord } from './pull-requests.ts';

/** What the GraphQL endpoint can see. */
export interface GraphqlView {
  readonly viewer: string;
  readonly fullName: string;
  readonly pullRequest: (number: number) => PullRequestRecord | undefined;
  /** Of a pull request, the oldest first. */
  readonly comments: (pullRequest: number) => readonly CommentRecord[];
  /** Of the base branch of a pull request. */
  readonly branchTip: (branch: string) => string | undefined;
  /** Of the head of a pull request. */
  readonly commitTree: (sha: string) => string | undefined;
  readonly mergeQueue: (branch: string) => MergeQueue | undefined;
  /** May this token read pull requests? */
  readonly mayReadPullRequests: boolean;
  readonly mayReadContents: boolean;
}

/** Answers `viewer { login }` and `repository(owner, name) { pullRequest(number) { … } }`, with GraphQL's errors. */
export function graphql(body: unknown, view: GraphqlView): Answer {
  const request = isObject(body) ? body : {};
  const query = textAt(request, 'query');
  if (query === undefined) return refuse(400, 'A query attribute must be specified and must be a string.');
  const faults: Fault[] = [];
  let selections: readonly Selection[];
  try {
    selections = readQuery(query, objectAt(request, 'variables'));
  } catch (error) {
    if (!(error instanceof GraphqlSyntaxError)) throw error;
    return { status: 200, body: { errors: [{ message: error.message }] } };
  }
  const data = resolve(selections, 'Query', [], faults, {
    viewer: (field, path) => resolve(field.fields, 'User', path, faults, { login: () => view.viewer }),
    repository: (field, path) => repository(field, path, faults, view),
  });
  const misspelt = faults.some((fault) => fault.type === undefined);
  const errors = faults.length === 0 ? {} : { errors: faults };
  return { status: 200, body: misspelt ? errors : { data, ...errors } };
}

function repository(field: Selection, path: Path, faults: Fault[], view: GraphqlView): unknown {
  const { owner, name } = field.arguments;
  const asked = `${owner}/${name}`;
  if (asked.toLowerCase() !== view.fullName.toLowerCase()) {
    const message = `Could not resolve to a Repository with the name '${asked}'.`;
    faults.push({ type: 'NOT_FOUND', path, message });
    return null;
  }
  return resolve(field.fields, 'Repository', path, faults, {
    nameWithOwner: () => view.fullName,
    pullRequest: (inner, here) => pullRequest(inner, here, faults, view),
    mergeQueue: (inner, here) => mergeQueue(inner, here, faults, view),
  });
}

function mergeQueue(field: Selection, path: Path, faults: Fault[], view: GraphqlView): unknown {
  if (!view.mayReadContents) return forbidden(path, faults);
  const { branch } = field.arguments;
  const queue = typeof branch === 'string' ? view.mergeQueue(branch) : undefined;
  if (queue === undefined) return null;
  return resolve(field.fields, 'MergeQueue', path, faults, {
    configuration: (inner, here) =>
      resolve(inner.fields, 'MergeQueueConfiguration', here, faults, {
        mergingStrategy: () => queue.mergingStrategy,
      }),
  });
}

function forbidden(path: Path, faults: Fault[]): null {
  faults.push({ type: 'FORBIDDEN', path, message: 'Resource not accessible by integration' });
  return null;
}

function pullRequest(field: Selection, path: Path, faults: Fault[], view: GraphqlView): unknown {
  const { number } = field.arguments;
  if (!view.mayReadPullRequests) return forbidden(path, faults);
  const pull = typeof number === 'number' ? view.pullRequest(number) : undefined;
  if (pull === undefined) {
    const message = `Could not resolve to a PullRequest with the number of ${number}.`;
    faults.push({ type: 'NOT_FOUND', path, message });
    return null;
  }
  let isWhole = true;
  const connection = (inner: Selection, here: Path) => {
    const shown = commentConnection(inner, here, faults, view.comments(pull.number));
    isWhole &&= shown !== undefined;
    return shown;
  };
  const answer = resolve(field.fields, 'PullRequest', path, faults, {
    number: () => pull.number,
    headRefOid: () => pull.headSha,
    headRefName: () => pull.headRef,
    baseRefName: () => pull.baseRef,
    baseRef: (inner, here) => baseRef(inner, here, faults, view, pull.baseRef),
    commits: (inner, here) => newestCommit(inner, here, faults, view, pull.headSha),
    updatedAt: () => pull.updatedAt,
    state: () => pull.state.toUpperCase(),
    isDraft: () => pull.draft,
    url: () => pull.htmlUrl,
    comments: connection,
  });
  // The connection may not be null: without it there is no pull request either.
  return isWhole ? answer : null;
}

/** `commits(last: 1)`; others are not asked for. */
function newestCommit(
  field: Selection,
  path: Path,
  faults: Fault[],
  view: GraphqlView,
  headSha: string,
): unknown {
  if (field.arguments['last'] !== 1) {
    faults.push({ path, message: 'Only `last: 1` is answered here.' });
    return null;
  }
  if (!view.mayReadContents) return forbidden(path, faults);
  const treeId = view.commitTree(headSha);
  return resolve(field.fields, 'PullRequestCommitConnection', path, faults, {
    nodes: (nodes, there) =>
      treeId === undefined
        ? []
        : [
            resolve(nodes.fields, 'PullRequestCommit', [...there, 0], faults, {
              commit: (inner, here) =>
                resolve(inner.fields, 'Commit', here, faults, {
                  oid: () => headSha,
                  tree: (tree, at) => resolve(tree.fields, 'Tree', at, faults, { oid: () => treeId }),
                }),
            }),
          ],
  });
}

/** Null where the branch is gone. */
function baseRef(field: Selection, path: Path, faults: Fault[], view: GraphqlView, name: string): unknown {
  if (!view.mayReadContents) return forbidden(path, faults);
  const tip = view.branchTip(name);
  if (tip === undefined) return null;
  return resolve(field.fields, 'Ref', path, faults, {
    name: () => name,
    target: (inner, here) => resolve(inner.fields, 'Commit', here, faults, { oid: () => tip }),
  });
}
