import { expect } from 'vitest';
import type { Environment } from '../../../sandbox/environment.ts';
import { isObject, type JsonObject } from '../../../sandbox/json.ts';

/** The workflow and the job of the gate. Every test uses them. */
export const GATE = { workflowId: 1, job: 'scangate' } as const;

/** The hidden first line of a reply. */
const REPLY = '<!-- scangate-reply:v1 ';

/** The state before a run of the triage action. */
export interface Before {
  /** The number of requests to the service. */
  readonly service: number;
  /** The number of requests to GitHub. */
  readonly github: number;
  readonly comments: Environment['github']['comments'];
  readonly pullRequests: Environment['github']['pullRequests'];
}

export function lookBefore({ service, github }: Environment): Before {
  return {
    service: service.requests.length,
    github: github.requests.length,
    comments: [...github.comments],
    pullRequests: new Map(github.pullRequests),
  };
}

const STATUS_OF: Readonly<Record<string, string>> = {
  'false-positive': 'FALSE_POSITIVE',
  'wont-fix': 'WONT_FIX',
  mitigated: 'MITIGATED',
  duplicate: 'DUPLICATE',
  reopen: 'NOT_STARTED',
};

/**
 * Checks what holds for every run of the triage action, in every test:
 * - At the service, the run only changes findings. The comment that started the run asks for each change. Each change
 *   has a note that names the user, the pull request, the head and the reason code.
 * - The only writes to GitHub are the re-run of the gate's job, a reaction, a reply, the removal of a surplus reply,
 *   and an edit of the hidden state of the gate's comment.
 * @param payload the payload of the event of this run
 */
export function expectOnlyReruns(environment: Environment, before: Before, payload: unknown): void {
  const { service, github } = environment;
  for (const { method, path, body } of service.requests.slice(before.service)) {
    if (method === 'GET') continue;
    expect(`${method} ${path}`).toMatch(/^PATCH \/.*\/findings\/[^/]+\/resolution$/);
    expectAskedFor(body, environment, before, payload);
  }

  const sent = github.requests.slice(before.github);
  const writes = sent.filter(({ method, point, body }) => method !== 'GET' && !isQuery(point, body));
  const allowed = new Set([
    'job.rerun',
    'comments.react',
    'comments.create',
    'comments.update',
    'comments.delete',
  ]);
  expect(
    writes.filter(({ point }) => !allowed.has(point)).map(({ method, path }) => `${method} ${path}`),
  ).toEqual([]);
  for (const { path } of writes.filter(({ point }) => point === 'comments.delete')) {
    const removed = before.comments.find(({ id }) => path.endsWith(`/${id}`));
    expect(removed?.body ?? REPLY, 'only a surplus reply is removed').toContain(REPLY);
  }
  const gateJobs = github.workflowRuns.all
    .filter(({ workflowId }) => workflowId === GATE.workflowId)
    .flatMap(({ jobs }) => jobs.filter(({ name }) => name === GATE.job).map(({ id }) => id));
  for (const { path } of writes.filter(({ point }) => point === 'job.rerun')) {
    const id = Number(/\/actions\/jobs\/(\d+)\/rerun$/.exec(path)?.[1]);
    expect(gateJobs, 'only the job of the gate is re-run').toContain(id);
  }
}

/**
 * Checks that the comment that started the run asks for the status in `sent`. The first lines of the note must name the
 * comment and the status.
 */
function expectAskedFor(sent: unknown, { github }: Environment, before: Before, payload: unknown): void {
  const { comment, issue, repository } = objectOf(payload);
  const { body, id, user } = objectOf(comment);
  const number = Number(objectOf(issue)['number']);
  const [command = '', word = '', ...rest] =
    String(body)
      .split(/\r?\n/)[0]
      ?.split(/[ \t,]+/) ?? [];
  expect(command, 'only a command changes a finding').toBe('/scangate');
  const { resolutionStatus, note, ...others } = objectOf(sent);
  expect(others, 'the service ignores what stands beside a note').toEqual({});
  expect(resolutionStatus).toBe(STATUS_OF[word]);
  const lines = String(objectOf(note)['content']).split('\n');
  const code = rest.find((text) => /^[a-z]+(_[a-z]+)+$|^monitored$/.test(text)) ?? 'none given';
  const pullRequest = `${github.serverUrl}/${String(objectOf(repository)['full_name'])}/pull/${number}`;
  const head = lines[4]?.replace('- Head commit: ', '') ?? '';
  expect(lines.slice(0, 7)).toEqual([
    `Set to ${STATUS_OF[word]} by ${String(objectOf(user)['login'])} with a comment on GitHub.`,
    '',
    `- Reason code: ${code}`,
    `- Pull request: ${pullRequest}`,
    `- Head commit: ${head}`,
    `- Comment: ${pullRequest}#issuecomment-${String(id)}`,
    ...(lines.length > 6 ? [''] : []),
  ]);
  expect(lines.slice(7).filter((line) => !/^(>|$|The comment has the rest)/.test(line))).toEqual([]);
  const heads = [before.pullRequests, github.pullRequests].map((pulls) => pulls.get(number)?.headSha);
  expect(heads, 'the head of the pull request').toContain(head);
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function isQuery(point: string, body: unknown): boolean {
  return point === 'graphql' && isObject(body) && /^query\b/.test(String(body['query']));
}
