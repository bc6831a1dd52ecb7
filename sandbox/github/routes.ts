import type { Answer } from '../faults/interception.ts';
import { isObject } from '../json.ts';
import type { Need } from './access.ts';
import { NOT_FOUND, refuse } from './answer.ts';
import type { CheckRunStore } from './check-runs.ts';
import type { CommentStore } from './comments.ts';
import { compare } from './compare.ts';
import { contents } from './contents.ts';
import type { Point } from './faults.ts';
import type { GitMirror } from './git-mirror.ts';
import { readBlob, readTree } from './git-objects.ts';
import { type MergeQueue, renderRules } from './merge-queues.ts';
import { linkHeader, readPage, slicePage } from './paging.ts';
import { type RequiredChecks, renderBranch, renderRequiredChecks } from './protection.ts';
import { type PullRequestRecord, pullRequestsOf, renderPullRequest } from './pull-requests.ts';
import { branchTip, commitTree, resolveCommit } from './refs.ts';
import { userIdOf } from './user-id.ts';
import type { WorkflowRunStore } from './workflow-runs.ts';

/** The data that the routes read and change: the repository, its pull requests, and what the action wrote. */
export interface GitHubState {
  readonly owner: string;
  readonly fullName: string;
  /** The addresses of the repository: `…/api/v3/repos/owner/name` and `…/owner/name`. */
  readonly urls: { readonly api: string; readonly html: string };
  readonly mirror: GitMirror;
  readonly checkRuns: CheckRunStore;
  readonly comments: CommentStore;
  readonly workflowRuns: WorkflowRunStore;
  readonly pullRequests: ReadonlyMap<number, PullRequestRecord>;
  /**
   * The role of a user. The key is the login. By default, the owner has `admin`. All other users have `read` in a
   * public repository, and `none` in a private repository.
   */
  readonly collaborators: Readonly<Record<string, CollaboratorPermission>>;
  /** The merge queue of each branch that has one. */
  readonly mergeQueues?: Readonly<Record<string, MergeQueue>>;
  /** The status checks that each branch requires. */
  readonly requiredChecks?: Readonly<Record<string, RequiredChecks>>;
  readonly isPublic: boolean;
}

/**
 * The roles of collaborators. In the field `permission`, GitHub shows `write` for `maintain` and `read` for `triage`.
 */
export type CollaboratorPermission = 'admin' | 'maintain' | 'write' | 'triage' | 'read' | 'none';

export interface RouteCall {
  /** The decoded groups of the route's pattern. */
  readonly params: readonly string[];
  readonly query: URLSearchParams;
  readonly body: unknown;
}

export interface Route {
  readonly method: string;
  /** Matches the encoded path after `/repos/{owner}/{repo}/`. For the repository itself, this path is empty. */
  readonly pattern: RegExp;
  readonly point: Point;
  readonly need: Need;
  handle(call: RouteCall, state: GitHubState): Answer | Promise<Answer>;
}

const DEFAULT_BRANCH = 'main';

const read = (...anyOf: Need['anyOf']): Need => ({ anyOf, access: 'read', publicReadable: true });
const write = (...anyOf: Need['anyOf']): Need => ({ anyOf, access: 'write', publicReadable: false });

export const ROUTES: readonly Route[] = [
  {
    method: 'GET',
    pattern: /^$/,
    point: 'repository',
    need: read('metadata'),
    handle: (_call, { fullName, isPublic, urls }) => {
      const visibility = isPublic ? 'public' : 'private';
      const shown = { full_name: fullName, private: !isPublic, visibility, html_url: urls.html };
      return { status: 200, body: { ...shown, default_branch: DEFAULT_BRANCH } };
    },
  },
  {
    method: 'GET',
    pattern: /^branches\/([^/]+)$/,
    point: 'branch',
    need: read('contents'),
    handle: async ({ params: [branch = ''] }, state) => {
      const sha = await branchTip(state.mirror, branch);
      if (sha === undefined) return refuse(404, 'Branch not found');
      const body = renderBranch(branch, sha, state.requiredChecks?.[branch] ?? {}, state.urls.api);
      return { status: 200, body };
    },
  },
  {
    method: 'GET',
    pattern: /^contents\/(.+)$/,
    point: 'contents',
    need: read('contents'),
    handle: async ({ params: [path = ''], query }, state) => {
      const sha = await findCommit(state, query.get('ref') ?? DEFAULT_BRANCH);
      return sha === undefined ? NOT_FOUND : contents(state.mirror, sha, path);
    },
  },
  {
    method: 'GET',
    pattern: /^compare\/(.+)$/,
    point: 'compare',
    need: read('contents'),
    handle: async ({ params: [basehead = ''], query }, state) => {
      return compare({ mirror: state.mirror, basehead, query, urls: state.urls, owner: state.owner });
    },
  },
  {
    method: 'GET',
    pattern: /^git\/ref\/(.+)$/,
    point: 'ref',
    need: read('contents'),
    handle: async ({ params: [ref = ''] }, state) => {
      const sha = await findCommit(state, `refs/${ref}`);
      if (sha === undefined) return NOT_FOUND;
      const url = `${state.urls.api}/git/refs/${ref}`;
      const object = { type: 'commit', sha, url: `${state.urls.api}/git/commits/${sha}` };
      return { status: 200, body: { ref: `refs/${ref}`, url, object } };
    },
  },
  {
    method: 'GET',
    pattern: /^git\/commits\/([0-9a-f]+)$/,
    point: 'commit',
    need: read('contents'),
    handle: async ({ params: [sha = ''] }, state) => {
      const tree = await commitTree(state.mirror, sha);
      if (tree === undefined) return NOT_FOUND;
      const url = `${state.urls.api}/git/commits/${sha}`;
      return {
        status: 200,
        body: { sha, url, tree: { sha: tree, url: `${state.urls.api}/git/trees/${tree}` } },
      };
    },
  },
  {
    method: 'GET',
    pattern: /^git\/trees\/([0-9a-f]+)$/,
    point: 'tree',
    need: read('contents'),
    handle: async ({ params: [id = ''] }, state) => {
      return readTree(state.mirror, id, state.urls.api);
    },
  },
  {
    method: 'GET',
    pattern: /^git\/blobs\/([0-9a-f]+)$/,
    point: 'blob',
    need: read('contents'),
    handle: async ({ params: [id = ''] }, state) => {
      return readBlob(state.mirror, id, state.urls.api);
    },
  },
  {
    method: 'GET',
    pattern: /^rules\/branches\/(.+)$/,
    point: 'rules',
    need: read('metadata'),
    handle: ({ params: [branch = ''], query }, state) => {
      const rules = [
        ...renderRules(state.mergeQueues?.[branch], state.fullName),
        ...renderRequiredChecks(state.requiredChecks?.[branch] ?? {}, state.fullName),
      ];
      const page = readPage(query);
      const url = `${state.urls.api}/rules/branches/${encodeURIComponent(branch)}`;
      return {
        status: 200,
        headers: linkHeader(url, query, rules.length, page),
        body: slicePage(rules, page),
      };
    },
  },
  {
    method: 'POST',
    pattern: /^check-runs$/,
    point: 'check.create',
    need: write('checks'),
    handle: ({ body }, state) =>
      isObject(body)
        ? state.checkRuns.create(body, (sha) => findCommit(state, sha))
        : refuse(400, 'Problems parsing JSON'),
  },
  {
    method: 'PATCH',
    pattern: /^check-runs\/(\d+)$/,
    point: 'check.update',
    need: write('checks'),
    handle: ({ params: [id], body }, state) =>
      isObject(body) ? state.checkRuns.update(Number(id), body) : refuse(400, 'Problems parsing JSON'),
  },
  {
    method: 'GET',
    pattern: /^check-runs\/(\d+)$/,
    point: 'check.read',
    need: read('checks'),
    handle: ({ params: [id] }, state) => state.checkRuns.read(Number(id)),
  },
  {
    method: 'GET',
    pattern: /^commits\/(.+)\/check-runs$/,
    point: 'check.list',
    need: read('checks'),
    handle: async ({ params: [ref = ''], query }, state) => {
      const sha = await findCommit(state, ref);
      if (sha === undefined) return refuse(422, `No commit found for SHA: ${ref}`);
      return state.checkRuns.list(sha, query, `${state.urls.api}/commits/${sha}/check-runs`);
    },
  },
  {
    method: 'GET',
    pattern: /^commits\/([0-9a-f]+)\/pulls$/,
    point: 'commit.pulls',
    need: read('pull-requests'),
    handle: async ({ params: [sha = ''], query }, state) => {
      if ((await findCommit(state, sha)) === undefined) return refuse(422, `No commit found for SHA: ${sha}`);
      const pulls = pullRequestsOf(state.pullRequests.values(), sha);
      const page = readPage(query);
      const repository = { fullName: state.fullName, isPublic: state.isPublic, ...state.urls };
      return {
        status: 200,
        headers: linkHeader(`${state.urls.api}/commits/${sha}/pulls`, query, pulls.length, page),
        body: await Promise.all(
          slicePage(pulls, page).map(async (pull) =>
            renderPullRequest(pull, repository, await findCommit(state, pull.baseRef)),
          ),
        ),
      };
    },
  },
  {
    method: 'GET',
    pattern: /^pulls\/(\d+)$/,
    point: 'pulls.read',
    need: read('pull-requests'),
    handle: async ({ params: [number] }, state) => {
      const pull = state.pullRequests.get(Number(number));
      if (pull === undefined) return NOT_FOUND;
      const repository = { fullName: state.fullName, isPublic: state.isPublic, ...state.urls };
      return {
        status: 200,
        body: renderPullRequest(pull, repository, await findCommit(state, pull.baseRef)),
      };
    },
  },
  {
    method: 'GET',
    pattern: /^collaborators\/([^/]+)\/permission$/,
    point: 'permission',
    need: { anyOf: ['metadata'], access: 'read', publicReadable: false },
    handle: ({ params: [login = ''] }, state) => {
      const role = permissionOf(login, state);
      const permission = role === 'maintain' ? 'write' : role === 'triage' ? 'read' : role;
      const user = { login, id: userIdOf(login), type: 'User' };
      return { status: 200, body: { permission, role_name: role, user } };
    },
  },
];

function findCommit(state: GitHubState, name: string): Promise<string | undefined> {
  return resolveCommit(state.mirror, name);
}

function permissionOf(login: string, state: GitHubState): CollaboratorPermission {
  const known = Object.entries(state.collaborators).find(
    ([name]) => name.toLowerCase() === login.toLowerCase(),
  );
  if (known !== undefined) return known[1];
  if (login.toLowerCase() === state.owner.toLowerCase()) return 'admin';
  return state.isPublic ? 'read' : 'none';
}
