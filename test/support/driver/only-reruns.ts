import { expect } from 'vitest';
import type { Environment } from '../../../sandbox/environment.ts';
import { isObject } from '../../../sandbox/json.ts';

/** In every test: the workflow of the gate, and its job. */
export const GATE = { workflowId: 1, job: 'scangate' } as const;

/** The first lines of every note. */
const NOTE =
  /^Set to [A-Z_]+ by \S+ with a comment on GitHub\.\n\n- Reason code: [a-z_ ]+\n- Pull request: \S+\/pull\/\d+\n- Head commit: [0-9a-f]{40,64}\n- Comment: \S+\/pull\/\d+#issuecomment-\d+(\n\n|$)/;

/**
 * What holds for every run of the triage action, in every test: the only writes to the service are changes of findings, each
 * with a note that names the person, the pull request, the head and the code; the only writes to GitHub are the re-run of
 * the gate's job, a reaction, a reply, and an entry in the hidden state of the gate's comment.
 * @param seen requests before the run
 */
export function expectOnlyReruns(
  { service, github }: Environment,
  seen: { readonly service: number; readonly github: number },
): void {
  for (const { method, path, body } of service.requests.slice(seen.service)) {
    if (method === 'GET') continue;
    expect(`${method} ${path}`).toMatch(/^PATCH \/.*\/findings\/[^/]+\/resolution$/);
    const note = isObject(body) && isObject(body['note']) ? body['note']['content'] : undefined;
    expect(note).toMatch(NOTE);
    expect(body).not.toHaveProperty('reason');
  }

  const sent = github.requests.slice(seen.github);
  const writes = sent.filter(({ method, point, body }) => method !== 'GET' && !isQuery(point, body));
  const allowed = new Set(['job.rerun', 'comments.react', 'comments.create', 'comments.update']);
  expect(
    writes.filter(({ point }) => !allowed.has(point)).map(({ method, path }) => `${method} ${path}`),
  ).toEqual([]);
  const gateJobs = github.workflowRuns.all
    .filter(({ workflowId }) => workflowId === GATE.workflowId)
    .flatMap(({ jobs }) => jobs.filter(({ name }) => name === GATE.job).map(({ id }) => id));
  for (const { path } of writes.filter(({ point }) => point === 'job.rerun')) {
    const id = Number(/\/actions\/jobs\/(\d+)\/rerun$/.exec(path)?.[1]);
    expect(gateJobs, 'only the job of the gate is re-run').toContain(id);
  }
}

function isQuery(point: string, body: unknown): boolean {
  return point === 'graphql' && isObject(body) && /^query\b/.test(String(body['query']));
}
