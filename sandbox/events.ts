import { createRequire } from 'node:module';
import { userIdOf } from './github/user-id.ts';
import { isObject, type JsonObject, objectAt, textAt } from './json.ts';

/** Options that all payloads share. */
export interface RepositoryDescription {
  /** `owner/name`. */
  readonly repository: string;
  /** Default: public. Null leaves the visibility out of the payload. */
  readonly visibility?: 'public' | 'private' | 'internal' | null;
  readonly serverUrl?: string;
  /** Default: `main`. */
  readonly defaultBranch?: string;
  readonly fork?: boolean;
}

export interface PullRequestEvent extends RepositoryDescription {
  /** Default: `opened`. */
  readonly action?: string;
  readonly number: number;
  readonly headSha: string;
  readonly headRef?: string;
  /** `owner/name` of the head repository. Default: the repository itself. Null if the fork was deleted. */
  readonly headRepository?: string | null;
  readonly baseRef: string;
  /** The base commit in the payload. As on GitHub, it can be outdated. Default: the commit in GitHub's example. */
  readonly baseSha?: string;
  readonly author?: string;
  readonly draft?: boolean;
  readonly title?: string;
  /** When the pull request was last updated. Default: the time in GitHub's example. */
  readonly updatedAt?: string;
  /** What an `edited` event changed, for example `{ base: { ref: { from: 'main' } } }`. */
  readonly changes?: JsonObject;
}

export interface PushEvent extends RepositoryDescription {
  /** The full name of the ref. */
  readonly ref: string;
  /** The commit before the push. All zeros if the push created the ref. */
  readonly before: string;
  /** The commit after the push. All zeros if the push deleted the ref. */
  readonly after: string;
  readonly forced?: boolean;
}

export interface IssueCommentEvent extends RepositoryDescription {
  /** Default: `created`. */
  readonly action?: 'created' | 'edited' | 'deleted';
  /** The number of the pull request, or of the issue. */
  readonly number: number;
  /** True if the comment is on an issue. */
  readonly onIssue?: boolean;
  /** The id of the comment. Default: the id in GitHub's example. */
  readonly id?: number;
  readonly body: string;
  readonly author: string;
  /** Default: `User`. */
  readonly type?: 'User' | 'Bot';
  /** When the comment was written. Default: the time in GitHub's example. */
  readonly createdAt?: string;
  /** Undefined if the comment was never edited. */
  readonly editedAt?: string;
}

export interface MergeGroupEvent extends RepositoryDescription {
  readonly headSha: string;
  readonly baseSha: string;
  /** The name of the base branch. */
  readonly baseRef: string;
  /** The number of the newest pull request in the group. Default: 1. */
  readonly pullRequest?: number;
}

/** Builds a payload of `pull_request` or `pull_request_target`, from one of GitHub's own examples. */
export function pullRequestEvent(event: PullRequestEvent): JsonObject {
  const { action = 'opened', number, author = 'octocat' } = event;
  const payload = adapt(
    example('pull_request', ofAction(action === 'synchronize' ? action : 'opened')),
    event,
  );
  const pull = objectAt(payload, 'pull_request');
  const repository = objectAt(payload, 'repository');
  const head = objectAt(pull, 'head');
  const { headRepository = event.repository } = event;
  const headRepo =
    headRepository === null
      ? null
      : { ...repository, ...names(headRepository), fork: headRepository !== event.repository };
  const closed = action === 'closed';
  return {
    ...payload,
    action,
    number,
    ...(action === 'synchronize' ? { after: event.headSha } : {}),
    ...(event.changes === undefined ? {} : { changes: event.changes }),
    pull_request: {
      ...pull,
      number,
      state: closed ? 'closed' : 'open',
      title: event.title ?? textAt(pull, 'title'),
      draft: event.draft ?? false,
      ...(event.updatedAt === undefined ? {} : { updated_at: event.updatedAt }),
      html_url: `${textAt(repository, 'html_url')}/pull/${number}`,
      user: { ...objectAt(pull, 'user'), login: author, type: author.endsWith('[bot]') ? 'Bot' : 'User' },
      author_association: 'CONTRIBUTOR',
      head: { ...head, ref: event.headRef ?? textAt(head, 'ref'), sha: event.headSha, repo: headRepo },
      base: {
        ...objectAt(pull, 'base'),
        ref: event.baseRef,
        ...(event.baseSha === undefined ? {} : { sha: event.baseSha }),
        repo: repository,
      },
    },
    sender: { ...objectAt(payload, 'sender'), login: author },
  };
}

/** Builds a payload of `merge_group`, from GitHub's own example. */
export function mergeGroupEvent(event: MergeGroupEvent): JsonObject {
  const payload = adapt(example('merge_group', ofAction('checks_requested')), event);
  return {
    ...payload,
    merge_group: {
      ...objectAt(payload, 'merge_group'),
      head_sha: event.headSha,
      head_ref: `refs/heads/gh-readonly-queue/${event.baseRef}/pr-${event.pullRequest ?? 1}-${event.baseSha}`,
      base_sha: event.baseSha,
      base_ref: `refs/heads/${event.baseRef}`,
    },
  };
}

/** Builds a payload of `push`, from GitHub's own example of a push to a branch. */
export function pushEvent(event: PushEvent): JsonObject {
  const { ref, before, after, forced = false } = event;
  const isBranch = (payload: JsonObject) => textAt(payload, 'ref')?.startsWith('refs/heads/') === true;
  return {
    ...adapt(example('push', isBranch), event),
    ref,
    before,
    after,
    created: isZeros(before),
    deleted: isZeros(after),
    forced,
  };
}

/** Builds a payload of `issue_comment`, from GitHub's own example. */
export function issueCommentEvent(event: IssueCommentEvent): JsonObject {
  const { action = 'created', number, body, author, type = 'User', createdAt, editedAt = createdAt } = event;
  const payload = adapt(example('issue_comment', ofAction(action)), event);
  const issue = objectAt(payload, 'issue');
  const user = { ...objectAt(payload, 'sender'), login: author, id: userIdOf(author), type };
  const api = textAt(objectAt(payload, 'repository'), 'url');
  return {
    ...payload,
    action,
    issue: {
      ...issue,
      number,
      state: 'open',
      ...(event.onIssue === true ? {} : { pull_request: { url: `${api}/pulls/${number}` } }),
    },
    comment: {
      ...objectAt(payload, 'comment'),
      ...(event.id === undefined ? {} : { id: event.id }),
      body,
      user,
      author_association: 'NONE',
      ...(createdAt === undefined ? {} : { created_at: createdAt }),
      ...(editedAt === undefined ? {} : { updated_at: editedAt }),
    },
    sender: user,
  };
}

/** Builds a payload of `workflow_dispatch` on a branch, from GitHub's own example. */
export function workflowDispatchEvent(event: RepositoryDescription & { readonly ref: string }): JsonObject {
  return { ...adapt(example('workflow_dispatch'), event), ref: event.ref };
}

/**
 * Builds a payload of `schedule`. GitHub has no example of it, because `schedule` is not a webhook event. The
 * repository comes from an example of `workflow_dispatch`.
 */
export function scheduleEvent(event: RepositoryDescription): JsonObject {
  const { repository, organization } = adapt(example('workflow_dispatch'), event);
  return { schedule: '0 4 * * 1', workflow: '.github/workflows/branch.yml', repository, organization };
}

function isZeros(sha: string): boolean {
  return /^0+$/.test(sha);
}

/**
 * Reads one of GitHub's examples. The package of the examples is one large JSON file, so it is loaded only when the
 * first payload is built.
 */
function example(name: string, isMeant: (payload: JsonObject) => boolean = () => true): JsonObject {
  const all: unknown = createRequire(import.meta.url)('@octokit/webhooks-examples');
  const event = Array.isArray(all)
    ? all.find((item: unknown) => isObject(item) && item['name'] === name)
    : undefined;
  const examples: unknown = isObject(event) ? event['examples'] : undefined;
  // The last example is the newest. An old example can lack a new member, such as the visibility.
  const found: unknown = Array.isArray(examples)
    ? examples.findLast((item: unknown) => isObject(item) && isMeant(item))
    : undefined;
  if (!isObject(found)) throw new Error(`there is no such example of ${name}`);
  return found;
}

function ofAction(action: string) {
  return (payload: JsonObject) => payload['action'] === action;
}

/** Renames the repository everywhere in the example, even in addresses. */
function adapt(
  payload: JsonObject,
  {
    repository,
    visibility = 'public',
    serverUrl,
    defaultBranch = 'main',
    fork = false,
  }: RepositoryDescription,
): JsonObject {
  const before = textAt(objectAt(payload, 'repository'), 'full_name') ?? '';
  const quoted = JSON.stringify(repository).slice(1, -1);
  let text = JSON.stringify(payload).replaceAll(before, () => quoted);
  if (serverUrl !== undefined) text = text.replaceAll('https://github.com/', () => `${serverUrl}/`);
  const renamed: unknown = JSON.parse(text);
  const whole = isObject(renamed) ? renamed : {};
  const { visibility: _, ...rest } = objectAt(whole, 'repository');
  return {
    ...whole,
    repository: {
      ...rest,
      ...names(repository),
      ...(visibility === null ? {} : { visibility }),
      private: visibility !== 'public',
      default_branch: defaultBranch,
      fork,
    },
  };
}

function names(fullName: string): JsonObject {
  const [owner, name] = fullName.split('/');
  return { name, full_name: fullName, owner: { login: owner, type: 'Organization' } };
}
