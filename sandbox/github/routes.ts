import type { Answer } from '../faults/interception.ts';
import { isObject } from '../json.ts';
import type { Need } from './access.ts';
import { NOT_FOUND, refuse } from './answer.ts';
import type { CheckRunStore } from './check-runs.ts';
import type { CommentStore } from './comments.ts';
import { compare } from './compare.ts';
import type { Point } from './faults.ts';
import type { GitMirror } from './git-mirror.ts';
import { type MergeQueue, renderRules } from './merge-queues.ts';
import { linkHeader, readPage, slicePage } from './paging.ts';
import { type PullRequestRecord, renderPullRequest } from './pull-requests.ts';
import { resolveCommit } from './refs.ts';

/** What the routes of one repository work on. */
export interface World {
  readonly owner: string;
  readonly fullName: string;
  /** Addresses of the repository: `…/api/v3/repos/owner/name` and `…/owner/name`. */
  readonly urls: { readonly api: string; readonly html: string };
  readonly mirror: GitMirror;
  readonly checkRuns: CheckRunStore;
  readonly comments: CommentStore;
  readonly pullRequests: ReadonlyMap<number, PullRequestRecord>;
  /** Login to permission; the owner is an admin, everybody else reads. */
  readonly collaborators: Readonly<Record<string, CollaboratorPermission>>;
  /** Branch name to its merge queue. */
  readonly mergeQueues?: Readonly<Record<string, MergeQueue>>;
  readonly isPublic: boolean;
}

export type CollaboratorPermission = 'admin' | 'write' | 'read' | 'none';

export interface RouteCall {
  /** The groups of the route's pattern, decoded. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  readonly body: unknown;
}

export interface Route {
  readonly method: string;
  /** Matches what follows `/repos/{owner}/{repo}/`, still encoded. */
  readonly pattern: RegExp;
  readonly point: Point;
  readonly need: Need;
  handle(call: RouteCall, world: World): Answer | Promise<Answer>;
}

const read = (...anyOf: Need['anyOf']): Need => ({ anyOf, access: 'read', publicReadable: true });
const write = (...anyOf: Need['anyOf']): Need => ({ anyOf, access: 'write', publicReadable: false });

export const ROUTES: readonly Route[] = [
  {
    method: 'GET',
    pattern: /^compare\/(.+)$/,
    point: 'compare',
    need: read('contents'),
    handle: async ({ parts: [basehead = ''], query }, world) => {
      await world.mirror.sync();
      return compare({ dir: world.mirror.dir, basehead, query, urls: world.urls, owner: world.owner });
    },
  },
  {
    method: 'GET',
    pattern: /^git\/ref\/(.+)$/,
    point: 'ref',
    need: read('contents'),
    handle: async ({ parts: [ref = ''] }, world) => {
      const sha = await findCommit(world, `refs/${ref}`);
      if (sha === undefined) return NOT_FOUND;
      const url = `${world.urls.api}/git/refs/${ref}`;
      const object = { type: 'commit', sha, url: `${world.urls.api}/git/commits/${sha}` };
      return { status: 200, body: { ref: `refs/${ref}`, url, object } };
    },
  },
  {
    method: 'GET',
    pattern: /^rules\/branches\/(.+)$/,
    point: 'rules',
    need: read('metadata'),
    handle: ({ parts: [branch = ''], query }, world) => {
      const rules = renderRules(world.mergeQueues?.[branch], world.fullName);
      const page = readPage(query);
      const url = `${world.urls.api}/rules/branches/${encodeURIComponent(branch)}`;
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
    handle: ({ body }, world) =>
      isObject(body)
        ? world.checkRuns.create(body, (sha) => findCommit(world, sha))
        : refuse(400, 'Problems parsing JSON'),
  },
  {
    method: 'PATCH',
    pattern: /^check-runs\/(\d+)$/,
    point: 'check.update',
    need: write('checks'),
    handle: ({ parts: [id], body }, world) =>
      isObject(body) ? world.checkRuns.update(Number(id), body) : refuse(400, 'Problems parsing JSON'),
  },
  {
    method: 'GET',
    pattern: /^check-runs\/(\d+)$/,
    point: 'check.read',
    need: read('checks'),
    handle: ({ parts: [id] }, world) => world.checkRuns.read(Number(id)),
  },
  {
    method: 'GET',
    pattern: /^commits\/(.+)\/check-runs$/,
    point: 'check.list',
    need: read('checks'),
    handle: async ({ parts: [ref = ''], query }, world) => {
      const sha = await findCommit(world, ref);
      if (sha === undefined) return refuse(422, `No commit found for SHA: ${ref}`);
      return world.checkRuns.list(sha, query, `${world.urls.api}/commits/${sha}/check-runs`);
    },
  },
  {
    method: 'GET',
    pattern: /^pulls\/(\d+)$/,
    point: 'pulls.read',
    need: read('pull-requests'),
    handle: async ({ parts: [number] }, world) => {
      const pull = world.pullRequests.get(Number(number));
      if (pull === undefined) return NOT_FOUND;
      const repository = { fullName: world.fullName, ...world.urls };
      return {
        status: 200,
        body: renderPullRequest(pull, repository, await findCommit(world, pull.baseRef)),
      };
    },
  },
  {
    method: 'GET',
    pattern: /^issues\/(\d+)\/comments$/,
    point: 'comments.list',
    need: read('issues', 'pull-requests'),
    handle: ({ parts: [number], query }, world) =>
      world.pullRequests.has(Number(number))
        ? world.comments.list(Number(number), query, `${world.urls.api}/issues/${number}/comments`)
        : NOT_FOUND,
  },
  {
    method: 'POST',
    pattern: /^issues\/(\d+)\/comments$/,
    point: 'comments.create',
    need: write('issues', 'pull-requests'),
    handle: ({ parts: [number], body }, world) =>
      world.pullRequests.has(Number(number)) ? world.comments.create(Number(number), body) : NOT_FOUND,
  },
  {
    method: 'PATCH',
    pattern: /^issues\/comments\/(\d+)$/,
    point: 'comments.update',
    need: write('issues', 'pull-requests'),
    handle: ({ parts: [id], body }, world) => world.comments.update(Number(id), body),
  },
  {
    method: 'DELETE',
    pattern: /^issues\/comments\/(\d+)$/,
    point: 'comments.delete',
    need: write('issues', 'pull-requests'),
    handle: ({ parts: [id] }, world) => world.comments.remove(Number(id)),
  },
  {
    method: 'GET',
    pattern: /^collaborators\/([^/]+)\/permission$/,
    point: 'permission',
    need: { anyOf: ['metadata'], access: 'read', publicReadable: false },
    handle: ({ parts: [login = ''] }, world) => {
      const permission = permissionOf(login, world);
      return { status: 200, body: { permission, role_name: permission, user: { login, type: 'User' } } };
    },
  },
];

async function findCommit(world: World, name: string): Promise<string | undefined> {
  await world.mirror.sync();
  return resolveCommit(world.mirror.dir, name);
}

function permissionOf(login: string, world: World): CollaboratorPermission {
  const known = Object.entries(world.collaborators).find(
    ([name]) => name.toLowerCase() === login.toLowerCase(),
  );
  if (known !== undefined) return known[1];
  if (login.toLowerCase() === world.owner.toLowerCase()) return 'admin';
  return world.isPublic ? 'read' : 'none';
}
