import { TOKEN_AUTHOR } from './comments.ts';
import type { Route } from './routes.ts';

/** The routes of GitHub Actions. */
export const WORKFLOW_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    pattern: /^actions\/runs\/(\d+)$/,
    point: 'run.read',
    need: { anyOf: ['actions'], access: 'read', publicReadable: true },
    handle: ({ params: [id] }, state) => state.workflowRuns.read(Number(id)),
  },
  {
    method: 'GET',
    pattern: /^actions\/workflows\/(\d+)\/runs$/,
    point: 'run.list',
    need: { anyOf: ['actions'], access: 'read', publicReadable: true },
    handle: ({ params: [id], query }, state) =>
      state.workflowRuns.list(Number(id), query, `${state.urls.api}/actions/workflows/${id}/runs`),
  },
  {
    method: 'GET',
    pattern: /^actions\/runs\/(\d+)\/jobs$/,
    point: 'run.jobs',
    need: { anyOf: ['actions'], access: 'read', publicReadable: true },
    handle: ({ params: [id], query }, state) =>
      state.workflowRuns.listJobs(Number(id), query, `${state.urls.api}/actions/runs/${id}/jobs`),
  },
  {
    method: 'POST',
    pattern: /^actions\/jobs\/(\d+)\/rerun$/,
    point: 'job.rerun',
    need: { anyOf: ['actions'], access: 'write', publicReadable: false },
    handle: ({ params: [id] }, state) =>
      state.workflowRuns.rerun(Number(id), { login: TOKEN_AUTHOR.author, type: TOKEN_AUTHOR.type }),
  },
];
