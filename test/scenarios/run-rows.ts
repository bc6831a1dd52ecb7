import { test } from 'vitest';
import type { EnvironmentRunOptions } from '../../sandbox/environment.ts';
import { DRIVER } from '../support/driver/environment.ts';
import { rounds } from '../support/rounds.ts';
import type { SharedRepository } from '../support/shared-repository.ts';
import { declareBlocks, expectBlock } from './golden.ts';
import { type Course, type OtherJobs, withOtherJobs } from './other-jobs.ts';
import { recordOf, recordOfPost } from './record.ts';
import { openRepository } from './repository.ts';
import type { Scenario, ScenarioOptions, ScenarioResult } from './scenario.ts';
import type { Act, Timeline } from './timeline.ts';

type PayloadChanges = NonNullable<Parameters<OtherJobs['scenario']['environment']['pullRequestPayload']>[0]>;
type Run = Omit<EnvironmentRunOptions, 'inputs'>;
type Inputs = Readonly<Record<string, string>>;
type Service = Exclude<ScenarioOptions['service'], undefined | ((...any: never) => unknown)>;

/** A row of a table of whole runs: what happens before and during a run of the action, and how the run ends. */
export interface RunRow
  extends Pick<
    ScenarioOptions,
    'head' | 'visibility' | 'driver' | 'timeScale' | 'baseRef' | 'ownRepository'
  > {
  readonly name: string;
  readonly service?: Service | ((repository: SharedRepository) => Service);
  readonly github?: ScenarioOptions['github'];
  /**
   * The course of the scans that the action launches, for all launches or for each. These scans have the ids `own-1`,
   * `own-2` and so on, and other jobs can launch scans too. The run is always in process. Default: a scan ends after
   * some reads.
   */
  readonly scans?: Course | ((launch: number) => Course);
  /** The id of the scan that the action launches, instead of `own-1`. */
  readonly scanId?: string;
  /** What happens at the requests of the run. */
  readonly at?: Timeline;
  /** What happens before the event, for example earlier runs. */
  readonly earlier?: readonly Act[];
  /** Members of the payload of the pull request event, or a function that returns the run of another event. */
  readonly event?: PayloadChanges | ((jobs: OtherJobs) => Run);
  /** Default: `pull_request`. */
  readonly eventName?: string;
  /** What happens between the event and the run. */
  readonly meanwhile?: readonly Act[];
  /** Default: 1. */
  readonly attempt?: number;
  readonly runId?: number;
  readonly inputs?: Inputs | ((scenario: Scenario) => Inputs);
  /** The post step runs after the run, with these inputs. */
  readonly post?: Inputs;
  /** What happens between the run and the post step. */
  readonly beforePost?: readonly Act[];
  /** What is checked in addition to the record of the run. A row without a record needs it. */
  readonly ends?: End | readonly End[] | undefined;
}

/** Checks one thing about the end of a run. */
export type End = (result: ScenarioResult, jobs: OtherJobs) => void | Promise<void>;

/** Writes about a run for the golden text. Returns no text if there is nothing to say. */
export type Note = (result: ScenarioResult, jobs: OtherJobs) => string;

/**
 * Declares a test for each row. `golden` names the golden text with the records of the runs. `write` replaces what is
 * recorded of each run.
 */
export function testRuns(rows: readonly RunRow[], golden?: string, write: Note = recordOf): void {
  if (golden !== undefined) declareBlocks(golden, rows);
  // `test.each` would shorten long names.
  for (const [index, row] of rows.entries())
    test.skipIf(isSkipped(row, index))(row.name, () => playRow(row, golden, write));
}

/**
 * With the bundle, skips rows that run in process anyway. Also plays only a sample of the other rows, unless
 * `SCANGATE_ROUNDS=full` is set: they differ in decisions, and the default driver shows these.
 */
function isSkipped({ scans, driver }: RunRow, index: number): boolean {
  if (DRIVER !== 'bundle') return false;
  return scans !== undefined || driver === 'in process' || index % rounds(SAMPLED, 1) !== 0;
}

/** Of so many rows, one is played. */
const SAMPLED = 3;

/** The row twice: the job fails, and the job passes because the workflow allows the reason. */
export function inBothWays(reason: string, row: RunRow & { readonly inputs?: Inputs }): readonly RunRow[] {
  return [
    { ...row, name: `${row.name} (the job fails)` },
    {
      ...row,
      name: `${row.name} (the job passes, because the workflow allows the reason)`,
      inputs: { ...row.inputs, 'allow-unscanned': reason },
    },
  ];
}

async function playRow(row: RunRow, golden: string | undefined, write: Note): Promise<void> {
  const { name, at, earlier = [], event, eventName, meanwhile = [], attempt, runId, inputs, ends = [] } = row;
  if (golden === undefined && [ends].flat().length === 0)
    throw new Error(`Nothing checks the row "${name}".`);
  const { service, github, scans, scanId, head, visibility, driver, timeScale, baseRef, ownRepository } = row;
  const jobs = await withOtherJobs({
    ...(service && { service: await serviceOf(service, ownRepository) }),
    ...(github && { github }),
    ...(scans ? { own: scans } : { hasTimes: false }),
    ...(scanId && { ownId: () => scanId }),
    setting: {
      ...(head && { head }),
      ...(visibility && { visibility }),
      ...(driver && { driver }),
      ...(timeScale && { timeScale }),
      ...(baseRef && { baseRef }),
      ...(ownRepository && { ownRepository }),
    },
  });
  for (const act of earlier) await act(jobs, NO_REQUEST);
  const run = typeof event === 'function' ? event(jobs) : ofPullRequest(jobs, event, eventName);
  for (const act of meanwhile) await act(jobs, NO_REQUEST);
  const more = { ...(attempt && { runAttempt: attempt }), ...(runId && { runId }) };
  const result = await jobs.run(
    { ...run, ...more },
    typeof inputs === 'function' ? inputs(jobs.scenario) : inputs,
    at,
  );
  const record = write(result, jobs);
  for (const end of [ends].flat()) await end(result, jobs);
  for (const act of row.beforePost ?? []) await act(jobs, NO_REQUEST);
  const after = row.post === undefined ? '' : `\n${await recordOfPost(result, row.post)}`;
  if (golden !== undefined) expectBlock(golden, name, record + after);
}

async function serviceOf(service: NonNullable<RunRow['service']>, ownRepository?: SharedRepository) {
  return typeof service === 'function' ? service(ownRepository ?? (await openRepository())) : service;
}

const NO_REQUEST = { point: '', scanId: '', path: '', body: undefined, ms: 0 };

function ofPullRequest({ scenario }: OtherJobs, changes: PayloadChanges = {}, name = 'pull_request'): Run {
  return { event: { name, payload: scenario.environment.pullRequestPayload(changes) } };
}
