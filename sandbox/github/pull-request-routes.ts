import { linkHeader, readPage, slicePage } from './paging.ts';
import { newestFirst, renderPullRequest } from './pull-requests.ts';
import type { Route } from './routes.ts';

/** The list of pull requests, which here does not show the tips of their base branches, and reactions to comments. */
export const PULL_REQUEST_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    pattern: /^pulls$/,
    point: 'pulls.list',
    need: { anyOf: ['pull-requests'], access: 'read', publicReadable: true },
    handle: ({ query }, state) => {
      const open = [...state.pullRequests.values()].filter((pull) => pull.state === 'open');
      const page = readPage(query);
      const repository = { fullName: state.fullName, ...state.urls };
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
    method: 'POST',
    pattern: /^issues\/comments\/(\d+)\/reactions$/,
    point: 'comments.react',
    need: { anyOf: ['issues', 'pull-requests'], access: 'write', publicReadable: false },
    handle: ({ params: [id], body }, state) => state.comments.react(Number(id), body),
  },
];
