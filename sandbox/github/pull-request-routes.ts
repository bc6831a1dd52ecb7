import type { Need } from './access.ts';
import { NOT_FOUND } from './answer.ts';
import { linkHeader, readPage, slicePage } from './paging.ts';
import { newestFirst, renderCommits, renderPullRequest } from './pull-requests.ts';
import type { Route } from './routes.ts';

const COMMENTS: Pick<Need, 'anyOf'> = { anyOf: ['issues', 'pull-requests'] };

/** The routes for the list of pull requests, for their commits, for comments, and for reactions to comments. */
export const PULL_REQUEST_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    pattern: /^pulls$/,
    point: 'pulls.list',
    need: { anyOf: ['pull-requests'], access: 'read', publicReadable: true },
    handle: ({ query }, state) => {
      const open = [...state.pullRequests.values()].filter((pull) => pull.state === 'open');
      const page = readPage(query);
      const repository = { fullName: state.fullName, isPublic: state.isPublic, ...state.urls };
      return {
        status: 200,
        headers: linkHeader(`${state.urls.api}/pulls`, query, open.length, page),
        body: slicePage(newestFirst(open), page).map((pull) =>
          renderPullRequest(pull, repository, undefined),
        ),
      };
    },
  },
  {
    method: 'GET',
    pattern: /^pulls\/(\d+)\/commits$/,
    point: 'pulls.commits',
    need: { anyOf: ['pull-requests'], access: 'read', publicReadable: true },
    handle: ({ params: [number], query }, state) => {
      const pull = state.pullRequests.get(Number(number));
      if (pull === undefined) return NOT_FOUND;
      const page = readPage(query);
      const commits = renderCommits(pull);
      return {
        status: 200,
        headers: linkHeader(`${state.urls.api}/pulls/${number}/commits`, query, commits.length, page),
        body: slicePage(commits, page),
      };
    },
  },
  {
    method: 'GET',
    pattern: /^issues\/(\d+)\/comments$/,
    point: 'comments.list',
    need: { ...COMMENTS, access: 'read', publicReadable: true },
    handle: ({ params: [number], query }, state) =>
      state.pullRequests.has(Number(number))
        ? state.comments.list(Number(number), query, `${state.urls.api}/issues/${number}/comments`)
        : NOT_FOUND,
  },
  {
    method: 'POST',
    pattern: /^issues\/(\d+)\/comments$/,
    point: 'comments.create',
    need: { ...COMMENTS, access: 'write', publicReadable: false },
    handle: ({ params: [number], body }, state) =>
      state.pullRequests.has(Number(number)) ? state.comments.create(Number(number), body) : NOT_FOUND,
  },
  {
    method: 'GET',
    pattern: /^issues\/comments\/(\d+)$/,
    point: 'comments.read',
    need: { ...COMMENTS, access: 'read', publicReadable: true },
    handle: ({ params: [id] }, state) => state.comments.read(Number(id)),
  },
  {
    method: 'PATCH',
    pattern: /^issues\/comments\/(\d+)$/,
    point: 'comments.update',
    need: { ...COMMENTS, access: 'write', publicReadable: false },
    handle: ({ params: [id], body }, state) => state.comments.update(Number(id), body),
  },
  {
    method: 'DELETE',
    pattern: /^issues\/comments\/(\d+)$/,
    point: 'comments.delete',
    need: { ...COMMENTS, access: 'write', publicReadable: false },
    handle: ({ params: [id] }, state) => state.comments.remove(Number(id)),
  },
  {
    method: 'POST',
    pattern: /^issues\/comments\/(\d+)\/reactions$/,
    point: 'comments.react',
    need: { ...COMMENTS, access: 'write', publicReadable: false },
    handle: ({ params: [id], body }, state) => state.comments.react(Number(id), body),
  },
];
