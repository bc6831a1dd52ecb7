import { createRequire } from 'node:module';
import { userIdOf } from './github/user-id.ts';
import { isObject, type JsonObject, objectAt, textAt } from './json.ts';

/** Options that all payloads share. */
export interface RepositoryDescription {
  /** `owner/name`. */
  readonly repository: string;
  /** Default: public. */
  readonly visibility?: 'public' | 'private' | 'internal';
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
  readonly updatedAt?: string | undefined;
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
  const { action = 'opened', number, headSha, baseSha, author = 'octocat', repository } = event;
  const { headRepository = repository } = event;
  const user = { login: author, type: author.endsWith('[bot]') ? 'Bot' : 'User' };
  const isPush = action === 'synchronize';
  const payload = adapt(example('pull_request', ofAction(isPush ? action : 'opened')), event);
  const repo = objectAt(payload, 'repository');
  const fork = headRepository !== repository;
  return merge(payload, {
    action,
    number,
    after: isPush ? headSha : undefined,
    changes: event.changes,
    pull_request: {
      number,
      state: action === 'closed' ? 'closed' : 'open',
      title: event.title,
      draft: event.draft ?? false,
      updated_at: event.updatedAt,
      html_url: `${textAt(repo, 'html_url')}/pull/${number}`,
      user,
      author_association: 'CONTRIBUTOR',
      head: {
        ref: event.headRef,
        sha: headSha,
        repo: headRepository === null ? null : { ...repo, ...names(headRepository), fork },
      },
      base: { ref: event.baseRef, sha: baseSha, repo },
    },
    sender: { login: author },
  });
}

/** Builds a payload of `merge_group`, from GitHub's own example. */
export function mergeGroupEvent(event: MergeGroupEvent): JsonObject {
  const { baseRef, baseSha, headSha, pullRequest = 1 } = event;
  return merge(adapt(example('merge_group', ofAction('checks_requested')), event), {
    merge_group: {
      head_sha: headSha,
      head_ref: `refs/heads/gh-readonly-queue/${baseRef}/pr-${pullRequest}-${baseSha}`,
      base_sha: baseSha,
      base_ref: `refs/heads/${baseRef}`,
    },
  });
}

/** Builds a payload of `push`, from GitHub's own example of a push to a branch. */
export function pushEvent(event: PushEvent): JsonObject {
  const { ref, before, after, forced = false } = event;
  const isBranch = (payload: JsonObject) => textAt(payload, 'ref')?.startsWith('refs/heads/') === true;
  const [created, deleted] = [before, after].map((sha) => /^0+$/.test(sha));
  return merge(adapt(example('push', isBranch), event), { ref, before, after, created, deleted, forced });
}

/** Builds a payload of `issue_comment`, from GitHub's own example. */
export function issueCommentEvent(event: IssueCommentEvent): JsonObject {
  const { action = 'created', number, body, author, type = 'User', createdAt, editedAt = createdAt } = event;
  const payload = adapt(example('issue_comment', ofAction(action)), event);
  const api = textAt(objectAt(payload, 'repository'), 'url');
  const user = { ...objectAt(payload, 'sender'), login: author, id: userIdOf(author), type };
  return merge(payload, {
    action,
    issue: {
      number,
      state: 'open',
      pull_request: event.onIssue === true ? undefined : { url: `${api}/pulls/${number}` },
    },
    comment: {
      id: event.id,
      body,
      user,
      author_association: 'NONE',
      created_at: createdAt,
      updated_at: editedAt,
    },
    sender: user,
  });
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

/**
 * Changes members of a payload. An undefined change leaves the member as it is. Objects are merged on this many levels.
 * Below, they are replaced.
 */
function merge(payload: JsonObject, changes: JsonObject, levels = 3): JsonObject {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const merged = given.map(([name, value]) => {
    const before = payload[name];
    return [
      name,
      levels > 1 && isObject(before) && isObject(value) ? merge(before, value, levels - 1) : value,
    ];
  });
  return { ...payload, ...Object.fromEntries(merged) };
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
function adapt(payload: JsonObject, description: RepositoryDescription): JsonObject {
  const { repository, visibility = 'public', serverUrl, defaultBranch = 'main', fork = false } = description;
  const before = textAt(objectAt(payload, 'repository'), 'full_name') ?? '';
  const quoted = JSON.stringify(repository).slice(1, -1);
  let text = JSON.stringify(payload).replaceAll(before, () => quoted);
  if (serverUrl !== undefined) text = text.replaceAll('https://github.com/', () => `${serverUrl}/`);
  const adapted: JsonObject = JSON.parse(text);
  return {
    ...adapted,
    repository: {
      ...objectAt(adapted, 'repository'),
      ...names(repository),
      visibility,
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
