import { expect, test } from 'vitest';
import { type Head, openRepository } from '../repository.ts';
import { runAgain } from '../reuse.ts';
import { prepare, type Scenario, type ScenarioOptions } from '../scenario.ts';
import { asBlocked, blockedPullRequest, type During, sweep, triage } from './blocked-pull-request.ts';

/** Creates the blocked pull request 7, and other pull requests on which the gate did not run. */
async function amongOthers(
  others: readonly number[],
  during: During,
  options: Pick<ScenarioOptions, 'driver'> = {},
): Promise<Scenario> {
  const repository = await openRepository();
  const seed = (number: number, headSha: string) => ({ number, headSha, baseRef: 'main' });
  const pullRequests = [
    seed(7, repository.id('vulnerable')),
    ...others.map((number) => seed(number, repository.id('clean'))),
  ];
  const scenario = await blockedPullRequest({ ...options, github: { pullRequests } }, {}, during);
  triage(scenario);
  return scenario;
}

/** Makes GitHub fail to list the check runs of this commit. `undefined` means every commit. */
const failingFor = (headSha: string | undefined): During => ({
  github: ({ point, path }) =>
    point === 'check.list' && path.includes(headSha ?? '')
      ? { status: 502, body: { message: 'Server Error' } }
      : undefined,
});

test('a sweep continues with the next pull request after a lasting error', async () => {
  const repository = await openRepository();
  const scenario = await amongOthers([8], failingFor(repository.id('clean')));
  const ended = await sweep(scenario);
  expect(ended.outputs, ended.log).toEqual({ rerun: '1' });
  expect(ended.log).toContain('#8: not re-run. Could not list the check runs: GitHub could not be reached');
  expect(ended.log).toContain('#7: re-ran the job `scangate`');
  expect(ended.exitCode).toBe(1);
});

test('a sweep ends after three lasting errors in a row', async () => {
  const scenario = await amongOthers([8, 9, 10, 11], failingFor(undefined));
  const ended = await sweep(scenario);
  expect(ended.outputs, ended.log).toEqual({ rerun: '0' });
  expect(ended.log.match(/not re-run/g)).toHaveLength(3);
  expect(ended.log).toContain('2 pull requests were not looked at, because of this error.');
  expect(ended.exitCode).toBe(1);
});

test('if each sweep ends early, several sweeps still reach all pull requests', async () => {
  const scenario = await amongOthers(
    [8, 9, 10, 11, 12, 13],
    {
      github: ({ point }) => (point === 'check.list' ? { status: 403, body: { message: 'No' } } : undefined),
    },
    // A sweep starts at a random pull request. With this driver, its random numbers come from a seed.
    { driver: 'in process' },
  );
  const lookedAt = new Set<string>();
  for (let count = 0; count < 20; count += 1) {
    const { log } = await sweep(scenario);
    for (const [number] of log.matchAll(/#\d+(?=: not re-run)/g)) lookedAt.add(number);
  }
  expect([...lookedAt].toSorted()).toEqual(['#10', '#11', '#12', '#13', '#7', '#8', '#9']);
});

/** Runs the gate on the pull requests 7 and 8, makes their jobs fail, and closes all findings. Then runs a sweep. */
async function sweepTwo(second: Head, service: During['service'] = () => undefined) {
  const { id } = await openRepository();
  const heads = [
    { number: 7, headSha: id('vulnerable'), baseRef: 'main' },
    { number: 8, headSha: id(second), baseRef: 'main' },
  ];
  let isSweep = false;
  const scenario = await prepare({
    service: { intercept: (request) => (isSweep ? service(request) : undefined) },
    github: { pullRequests: heads },
  });
  const { environment } = scenario;
  for (const { number, headSha } of heads) {
    const payload = environment.pullRequestPayload({ number, headSha });
    await runAgain(scenario, {
      event: { name: 'pull_request', payload },
      runId: 9_000_000_000 + number,
      sha: headSha,
    });
  }
  for (const { number, headSha } of heads) asBlocked(scenario, { id: 9_000_000_000 + number, headSha });
  for (const { findingIds } of environment.service.scans())
    for (const id of findingIds) environment.service.control.triage(id, { resolutionStatus: 'WONT_FIX' });
  const before = environment.service.requests.length;
  isSweep = true;
  const ended = await sweep(scenario);
  return { ended, asked: environment.service.requests.slice(before).map(({ point }) => point) };
}

test('a sweep asks once for the project of the token', async () => {
  const { ended, asked } = await sweepTwo('amended');
  expect(ended.outputs, ended.log).toEqual({ rerun: '2' });
  expect(asked.filter((point) => point === 'token')).toHaveLength(1);
});

test('a sweep asks again for the project of the token if an earlier request for it failed', async () => {
  let count = 0;
  const { ended } = await sweepTwo('amended', ({ point }) => {
    if (point !== 'token') return undefined;
    count += 1;
    return count <= 4 ? { status: 503, body: 'Service Unavailable' } : undefined;
  });
  expect(ended.outputs, ended.log).toEqual({ rerun: '1' });
  expect(ended.exitCode).toBe(1);
});

test('a sweep reads no findings of a scan if none of them blocked', async () => {
  const { ended, asked } = await sweepTwo('medium');
  expect(ended.outputs, ended.log).toEqual({ rerun: '1' });
  expect(ended.log).toContain('#8: not re-run. No finding blocked this commit');
  expect(asked.filter((point) => point === 'findings.list')).toHaveLength(1);
});
