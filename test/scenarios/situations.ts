import { expect, test } from 'vitest';
import { type OtherJobs, type OtherJobsOptions, withOtherJobs } from './other-jobs.ts';
import type { ScenarioResult } from './scenario.ts';

/** What other jobs do before and during the run of the action, and how this run ends. */
export interface Situation extends OtherJobsOptions {
  readonly name: string;
  readonly before?: (jobs: OtherJobs) => Promise<void>;
  readonly run?: (jobs: OtherJobs) => Parameters<OtherJobs['run']>[0];
  readonly inputs?: Readonly<Record<string, string>>;
  readonly ends: Ends;
}

export interface Ends {
  /** The output `scan-id`; empty if the run names no scan. */
  readonly scan: string;
  /** The output `reason` if the run ends as `not-scanned`. Default: the run ends as `blocked`. */
  readonly reason?: string;
  /** The output `scan-reused`: true if the run uses the scan of another run. Default: false. */
  readonly reused?: true;
  readonly launches: number;
  /** The scans that the action asked to cancel. Default: none. */
  readonly cancelled?: unknown;
  /** The scans in the marks of the head's check runs at the end. */
  readonly marked?: readonly (string | undefined)[];
  /** Texts that the log contains. */
  readonly says?: readonly string[];
  /** The scan that the run leaves to the post step. Default: none. */
  readonly left?: string;
  readonly more?: (jobs: OtherJobs, result: ScenarioResult) => void;
}

/** Declares one test for each situation. */
export function testSituations(situations: readonly Situation[]): void {
  // `test.each` would shorten long names.
  for (const situation of situations) test(situation.name, () => play(situation));
}

async function play(situation: Situation): Promise<void> {
  const { before, run, inputs, ends } = situation;
  const jobs = await withOtherJobs(situation);
  await before?.(jobs);
  const result = await jobs.run(run?.(jobs), inputs);
  const { outputs, state, log } = result.run;
  expect(
    {
      scan: outputs['scan-id'],
      end: outputs['reason'] || outputs['outcome'],
      reused: outputs['scan-reused'],
      launches: jobs.count('scans.launch'),
      cancelled: jobs.cancelled(),
      left: state['running-scan'] ?? '',
    },
    log,
  ).toEqual({
    scan: ends.scan,
    end: ends.reason ?? 'blocked',
    reused: ends.scan === '' ? '' : String(ends.reused ?? false),
    launches: ends.launches,
    cancelled: ends.cancelled ?? [],
    left: ends.left === undefined ? '' : expect.stringContaining(ends.left),
  });
  if (ends.marked !== undefined) expect(jobs.marked(), log).toEqual(ends.marked);
  for (const text of ends.says ?? []) expect(log).toContain(text);
  ends.more?.(jobs, result);
}
