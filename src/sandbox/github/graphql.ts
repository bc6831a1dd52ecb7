import type { Answer } from '../faults/interception.ts';
import { isObject, objectAt, textAt } from '../json.ts';
import { refuse } from './answer.ts';
import { GraphqlSyntaxError, readQuery, type Selection } from './graphql-document.ts';
import type { PullRequestRecord } from './pull-requests.ts';

/** What the GraphQL endpoint can see. */
export interface GraphqlView {
  readonly viewer: string;
  readonly fullName: string;
  readonly pullRequest: (number: number) => PullRequestRecord | undefined;
  /** May this token read pull requests? */
  readonly mayReadPullRequests: boolean;
}

interface Fault {
  readonly type?: string;
  readonly path: readonly string[];
  readonly message: string;
}

/** Answers `viewer { login }` and `repository(owner, name) { pullRequest(number) { … } }`, errors in GraphQL's envelope. */
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

type Fields = Readonly<Record<string, (field: Selection, path: readonly string[]) => unknown>>;

function resolve(
  selections: readonly Selection[],
  type: string,
  path: readonly string[],
  faults: Fault[],
  fields: Fields,
): unknown {
  const values = selections.map((field): [string, unknown] => {
    const here = [...path, field.key];
    const known = Object.hasOwn(fields, field.name) ? fields[field.name] : undefined;
    if (known !== undefined) return [field.key, known(field, here)];
    faults.push({ path: here, message: `Field '${field.name}' doesn't exist on type '${type}'` });
    return [field.key, null];
  });
  return Object.fromEntries(values);
}

function repository(field: Selection, path: readonly string[], faults: Fault[], view: GraphqlView): unknown {
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
  });
}

function pullRequest(field: Selection, path: readonly string[], faults: Fault[], view: GraphqlView): unknown {
  const { number } = field.arguments;
  if (!view.mayReadPullRequests) {
    faults.push({ type: 'FORBIDDEN', path, message: 'Resource not accessible by integration' });
    return null;
  }
  const pull = typeof number === 'number' ? view.pullRequest(number) : undefined;
  if (pull === undefined) {
    const message = `Could not resolve to a PullRequest with the number of ${number}.`;
    faults.push({ type: 'NOT_FOUND', path, message });
    return null;
  }
  return resolve(field.fields, 'PullRequest', path, faults, {
    number: () => pull.number,
    headRefOid: () => pull.headSha,
    headRefName: () => pull.headRef,
    baseRefName: () => pull.baseRef,
    state: () => pull.state.toUpperCase(),
    isDraft: () => pull.draft,
    url: () => pull.htmlUrl,
  });
}
