import { expect } from 'vitest';
import type { End } from './run-rows.ts';
import type { ScenarioResult } from './scenario.ts';

type Outputs = Readonly<Record<string, unknown>>;
/** Some outputs, or a function that returns them. */
export const outputs =
  (wanted: Outputs | ((result: ScenarioResult) => Outputs)): End =>
  (result) => {
    const { run } = result;
    expect(run.outputs, run.log).toMatchObject(typeof wanted === 'function' ? wanted(result) : wanted);
  };
export const passed = outputs({ outcome: 'passed' });
/** The output `base-commit` names this commit of the repository. */
export const base = (commit: string): End =>
  outputs(({ repository }) => ({ 'base-commit': repository.id(commit) }));

/** The scans of the service, the newest first. */
export const scans =
  (...wanted: readonly object[]): End =>
  ({ environment, run }) =>
    expect(environment.service.scans(), run.log).toMatchObject(wanted);
/** The number of requests of these kinds that the run sent. All kinds are counted together. */
export const requests =
  (kinds: string, count: number): End =>
  ({ run }, jobs) =>
    expect(jobs.sent(kinds).length, run.log).toBe(count);
/** The whole seconds between the requests of these kinds. */
export const waits =
  (kinds: string, ...seconds: readonly number[]): End =>
  ({ run }, jobs) => {
    const at = jobs.sent(kinds).map(({ ms }) => ms / 1000);
    const between = at.slice(1).map((time, index) => Math.floor(time - (at[index] ?? 0)));
    expect(between, run.log).toEqual(seconds);
  };

/** The log contains these texts. */
export const says =
  (...texts: readonly string[]): End =>
  ({ run }) => {
    for (const text of texts) expect(run.log).toContain(text);
  };
/** The log contains none of these texts. */
export const omits =
  (...texts: readonly string[]): End =>
  ({ run }) => {
    for (const text of texts) expect(run.log).not.toContain(text);
  };
/** The job summary contains these texts. */
export const summarizes =
  (...texts: readonly string[]): End =>
  ({ run }) => {
    for (const text of texts) expect(run.summary).toContain(text);
  };

/** How many seconds after the check run was created, the run has listed check runs. */
export const readsMarksAfter =
  (...seconds: readonly number[]): End =>
  ({ run }, jobs) => {
    const created = jobs.sent('check.create')[0]?.ms ?? 0;
    const later = jobs.sent('check.list').filter(({ ms }) => ms > created);
    expect(
      later.map(({ ms }) => Math.floor((ms - created) / 1000)),
      run.log,
    ).toEqual(seconds);
  };
/** The scans that the run has read, each once, without those of its own. */
export const readsScans =
  (...scanIds: readonly string[]): End =>
  ({ run }, jobs) => {
    const read = jobs.sent('scans.read').map(({ scanId }) => scanId);
    expect(
      read.filter((scanId) => !scanId.startsWith('own-')),
      run.log,
    ).toEqual(scanIds);
  };
