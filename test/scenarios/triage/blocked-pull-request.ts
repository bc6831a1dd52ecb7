import { expect } from 'vitest';
import { issueCommentEvent, scheduleEvent } from '../../../sandbox/events.ts';
import type { Intercept as ServiceIntercept } from '../../../sandbox/faults/handler.ts';
import type { Interception } from '../../../sandbox/faults/interception.ts';
import type { LoggedRequest } from '../../../sandbox/github/faults.ts';
import type { WorkflowRunSeed } from '../../../sandbox/github/workflow-runs.ts';
import type { ActionRun } from '../../../sandbox/runner/action-run.ts';
import { GATE } from '../../support/driver/only-reruns.ts';
import { prepare, runPrepared, type Scenario, type ScenarioOptions } from '../scenario.ts';

/** The author of the comments that the workflows of the repository write. */
const APP = 'github-actions[bot]';
/** The id of the gate's run. */
export const GATE_RUN = 9_000_000_001;

const PEOPLE = {
  ada: 'admin',
  mae: 'maintain',
  wanda: 'write',
  tri: 'triage',
  rea: 'read',
  nina: 'none',
} as const;

/** The permissions that the triage workflow grants. */
const PERMISSIONS = { actions: 'write', checks: 'read', 'pull-requests': 'write', contents: 'none' } as const;

/** Changes the answers of the service and of GitHub while the triage action runs. */
export interface During {
  readonly service?: ServiceIntercept;
  readonly github?: (
    request: Pick<LoggedRequest, 'path' | 'body'> & { readonly point: string },
    scenario: Scenario,
  ) => Interception | undefined | Promise<Interception | undefined>;
}

/** Creates a pull request that the gate blocked an hour ago, and the run of the gate's workflow. */
export async function blockedPullRequest(
  options: ScenarioOptions = {},
  run: Partial<WorkflowRunSeed> = {},
  during: During = {},
): Promise<Scenario> {
  let blocked: Scenario | undefined;
  const scenario = await prepare({
    ...options,
    service: (repository) => ({
      ...(typeof options.service === 'function' ? options.service(repository) : options.service),
      intercept: (request) => (blocked === undefined ? undefined : during.service?.(request)),
    }),
    github: {
      collaborators: PEOPLE,
      intercept: (request) => (blocked === undefined ? undefined : during.github?.(request, blocked)),
      ...options.github,
    },
  });
  const gate = await runPrepared(scenario, options);
  expect(gate.run.outputs['outcome'], gate.run.log).toBe('blocked');
  asBlocked(scenario, run);
  blocked = scenario;
  return scenario;
}

/** A time of the environment's clock: this many minutes after now. A negative number means before now. */
export function minutesLater({ environment }: Pick<Scenario, 'environment'>, minutes: number): Date {
  return new Date(environment.date().getTime() + minutes * 60_000);
}

/** Makes the gate's run an hour old. From now on, GitHub grants only the permissions of the triage workflow. */
export function asBlocked({ environment, headSha }: Scenario, run: Partial<WorkflowRunSeed> = {}): void {
  const at = minutesLater({ environment }, -60);
  environment.github.workflowRuns.put({
    id: GATE_RUN,
    workflowId: GATE.workflowId,
    headSha,
    createdAt: at,
    startedAt: at,
    ...run,
  });
  Object.assign(environment.github.permissions, PERMISSIONS);
}

/** Closes every finding of the scan in the service, as a user would. */
export function triage({ environment }: Scenario, resolutionStatus = 'FALSE_POSITIVE'): void {
  const { service } = environment;
  for (const id of service.scans()[0]?.findingIds ?? []) service.control.triage(id, { resolutionStatus });
}

export interface CommentChanges {
  readonly author?: string;
  readonly body?: string;
  readonly type?: 'User' | 'Bot';
  readonly action?: 'created' | 'edited';
  readonly onIssue?: boolean;
  readonly edited?: boolean;
  /** The time at which the user writes the comment. Default: now. */
  readonly createdAt?: Date;
  readonly pullRequest?: number;
  readonly runAttempt?: number;
  readonly inputs?: Readonly<Record<string, string>>;
  /** Changes the payload of the event. */
  readonly payload?: ((payload: Payload) => Payload) | undefined;
}
type Payload = ReturnType<typeof issueCommentEvent>;

/** Writes a comment on the pull request as a user, and runs the triage workflow for it. */
export async function comment(scenario: Scenario, changes: CommentChanges = {}): Promise<ActionRun> {
  return scenario.environment.run({
    action: 'triage',
    event: writeComment(scenario, changes),
    runId: 8_000_000_001,
    runAttempt: changes.runAttempt ?? 1,
    inputs: changes.inputs ?? {},
  });
}

/** Writes a comment on the pull request as a user. @returns its event */
export function writeComment({ environment }: Scenario, changes: CommentChanges = {}) {
  const { author = 'wanda', body = '/scangate recheck', type = 'User', action = 'created' } = changes;
  const { github, repository, pullRequest } = environment;
  const issue = changes.pullRequest ?? pullRequest;
  const written = github.addComment({ issue, author, type, body });
  const at = (changes.createdAt ?? new Date(written.createdAt)).toISOString().replace(/\.\d+Z$/, 'Z');
  const payload = issueCommentEvent({
    repository,
    visibility: 'private',
    serverUrl: github.serverUrl,
    number: issue,
    id: written.id,
    body,
    author,
    type,
    action,
    onIssue: changes.onIssue === true,
    createdAt: at,
    editedAt: changes.edited === true ? new Date(Date.parse(at) + 1000).toISOString() : at,
  });
  return { name: 'issue_comment', payload: changes.payload?.(payload) ?? payload };
}

/** Runs the triage workflow by its schedule. */
export function sweep(
  { environment }: Pick<Scenario, 'environment'>,
  inputs: Readonly<Record<string, string>> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<ActionRun> {
  const { github, repository } = environment;
  const payload = scheduleEvent({ repository, visibility: 'private', serverUrl: github.serverUrl });
  return environment.run({
    action: 'triage',
    event: { name: 'schedule', payload },
    runId: 8_000_000_001,
    inputs,
    env,
  });
}

/** What users see of a run of the triage action. */
export interface Seen {
  /** The newest attempt of the gate's run. */
  readonly attempt: number;
  readonly reactions: readonly string[];
  /** The replies of the triage action. */
  readonly replies: readonly string[];
}

export function seen({ environment }: Scenario): Seen {
  const { github } = environment;
  const replies = github.comments.filter(
    ({ author, body }) => author === APP && !body.includes('<!-- scangate:v1'),
  );
  return {
    attempt: github.workflowRuns.all.find(({ id }) => id === GATE_RUN)?.attempt ?? 0,
    reactions: github.reactions.map(({ content }) => content),
    replies: replies.map(({ body }) => body),
  };
}

/** Removes all comments but that of the gate, as a user would. */
export async function removeReplies({ environment }: Scenario): Promise<void> {
  const { github, repository } = environment;
  for (const { id, body } of [...github.comments]) {
    if (body.includes('<!-- scangate:v1')) continue;
    const answer = await fetch(`${github.apiUrl}/repos/${repository}/issues/comments/${id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${github.token}` },
    });
    expect(answer.status).toBe(204);
  }
}
