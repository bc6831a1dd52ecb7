import type { EnvironmentRunOptions } from '../../sandbox/environment.ts';
import { mergeGroupEvent, pushEvent, scheduleEvent, workflowDispatchEvent } from '../../sandbox/events.ts';
import type { JsonObject } from '../../sandbox/json.ts';
import type { Scenario } from './scenario.ts';

/** The id that GitHub sends for "no commit". */
export const NO_COMMIT = '0'.repeat(40);

type Run = Pick<EnvironmentRunOptions, 'event' | 'runId' | 'sha' | 'actor'>;

function describeRepository({ environment }: Scenario) {
  const { repository, github } = environment;
  return { repository, visibility: 'private', serverUrl: github.serverUrl } as const;
}

/** The id of a run without a pull request. It is larger than the ids of runs of pull requests. */
const RUN_ID = 9_000_000_100;

/** The run for a push to a branch. By default, the head of the scenario is pushed to `stable`. */
export function push(
  scenario: Scenario,
  {
    branch = 'stable',
    ...changes
  }: {
    readonly branch?: string;
    readonly ref?: string;
    readonly before: string;
    readonly after?: string;
    readonly fork?: boolean;
  },
): Run {
  const after = scenario.headSha;
  const payload = pushEvent({
    ...describeRepository(scenario),
    ref: `refs/heads/${branch}`,
    after,
    ...changes,
  });
  return { event: { name: 'push', payload }, runId: RUN_ID };
}

/** The run for a schedule or a dispatch on the head of the scenario. */
export function fullScan(
  scenario: Scenario,
  name: 'schedule' | 'workflow_dispatch',
  { sha = scenario.headSha, runId = RUN_ID }: Pick<Run, 'sha' | 'runId'> = {},
): Run {
  const repository = describeRepository(scenario);
  const payload: JsonObject =
    name === 'schedule'
      ? scheduleEvent(repository)
      : workflowDispatchEvent({ ...repository, ref: 'refs/heads/main' });
  return { event: { name, payload }, sha, runId };
}

/** The run for a merge group. By default, its head is that of the scenario, and it is built on the tip of `main`. */
export function mergeGroup(
  scenario: Scenario,
  {
    action = 'checks_requested',
    base = 'moved on',
    branch = 'main',
    head,
    pullRequest,
  }: {
    readonly action?: string;
    /** The name of the commit that the group is built on. */
    readonly base?: string;
    readonly branch?: string;
    /** The name of the head of the group. */
    readonly head?: string;
    readonly pullRequest?: number;
  } = {},
): Run {
  const { id } = scenario.repository;
  const payload = mergeGroupEvent({
    ...describeRepository(scenario),
    headSha: head === undefined ? scenario.headSha : id(head),
    baseSha: id(base),
    baseRef: branch,
    ...(pullRequest !== undefined && { pullRequest }),
  });
  return { event: { name: 'merge_group', payload: { ...payload, action } } };
}
