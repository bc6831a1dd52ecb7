import { describe, expect, test } from 'vitest';
import { countOf, expectPaid, runAgain } from '../reuse.ts';
import type { Scenario } from '../scenario.ts';
import { blockedPullRequest, comment, GATE_RUN, seen, sweep, triage } from './blocked-pull-request.ts';

/** Runs the gate in this attempt of its job. */
async function rerun(scenario: Scenario, runAttempt: number, inputs: Readonly<Record<string, string>> = {}) {
  const { github } = scenario.environment;
  const granted = { ...github.permissions };
  Object.assign(github.permissions, { contents: 'read', checks: 'write' });
  const { run } = await runAgain(scenario, { runId: GATE_RUN, runAttempt }, inputs);
  Object.assign(github.permissions, granted);
  github.workflowRuns.complete(GATE_RUN, run.exitCode === 0 ? 'success' : 'failure');
  return run;
}

/** Closes or reopens one finding in the service, as a user would. */
function setStatus({ environment }: Scenario, index: number, resolutionStatus: string): void {
  const { service } = environment;
  const id = service.scans()[0]?.findingIds[index] ?? '';
  service.control.triage(id, { resolutionStatus });
}

test('a sweep writes nothing but the request for the re-run', async () => {
  const scenario = await blockedPullRequest();
  triage(scenario);
  const { github } = scenario.environment;
  const before = github.requests.length;
  await sweep(scenario);
  const writes = github.requests
    .slice(before)
    .filter(({ method, point }) => method !== 'GET' && point !== 'graphql');
  expect(writes.map(({ point }) => point)).toEqual(['job.rerun']);
  expect(countOf(scenario, 'github', 'comments.update')).toBe(0);
});

describe('a sweep asks once for a result', () => {
  test.each<[what: string, each: (scenario: Scenario, attempt: number) => Promise<unknown>]>([
    ['had no API token', (scenario, attempt) => rerun(scenario, attempt, { 'api-token': '' })],
    ['had a wrong preset', (scenario, attempt) => rerun(scenario, attempt, { preset: 'gone-diff' })],
    [
      'ended before the gate ran',
      async ({ environment }) => environment.github.workflowRuns.complete(GATE_RUN, 'failure'),
    ],
    [
      'met a finding that a user had reopened, and that is closed again by now',
      async (scenario, attempt) => {
        const { service } = scenario.environment;
        triage(scenario, 'NOT_STARTED');
        await rerun(scenario, attempt);
        triage(scenario);
        expect(service.scans()).toHaveLength(1);
      },
    ],
  ])('after a re-run that %s, a sweep requests no other re-run', async (_what, each) => {
    const scenario = await blockedPullRequest();
    triage(scenario);
    for (let attempt = 2; attempt < 5; attempt += 1) {
      const ended = await sweep(scenario);
      if (seen(scenario).attempt < attempt) {
        expect(ended.log).toContain('The triage action already asked for the newest attempt of this run');
        expect(ended).toMatchObject({ exitCode: 0, outputs: { rerun: '0' } });
        break;
      }
      await each(scenario, attempt);
    }
    expect(seen(scenario).attempt).toBe(2);
    expectPaid(scenario, 1);
  });

  test('after a user has re-run the job, a sweep asks again', async () => {
    const scenario = await blockedPullRequest();
    const { workflowRuns } = scenario.environment.github;
    triage(scenario);
    await sweep(scenario);
    await rerun(scenario, 2, { preset: 'gone-diff' });
    workflowRuns.rerun(workflowRuns.all[0]?.jobs[0]?.id ?? 0);
    await rerun(scenario, 3, { preset: 'gone-diff' });
    await sweep(scenario);
    expect(seen(scenario).attempt).toBe(4);
  });

  test('after a command whose re-run left a new result, a sweep asks again', async () => {
    const scenario = await blockedPullRequest();
    setStatus(scenario, 0, 'FALSE_POSITIVE');
    await comment(scenario);
    expect(seen(scenario).attempt).toBe(2);
    const early = await rerun(scenario, 2);
    expect(early.outputs['outcome'], early.log).toBe('blocked');
    triage(scenario);
    await sweep(scenario);
    expect(seen(scenario).attempt).toBe(3);
    const passed = await rerun(scenario, 3);
    expect(passed.outputs, passed.log).toMatchObject({ outcome: 'passed', 'scan-reused': 'true' });
    expectPaid(scenario, 1);
  });
});

test('a re-run that a sweep asked for scans anew if the workflow changed since, as one by hand does', async () => {
  const scenario = await blockedPullRequest();
  triage(scenario);
  await sweep(scenario);
  const swept = await rerun(scenario, 2, { 'credit-budget': '30' });
  expect(swept.outputs, swept.log).toMatchObject({ 'scan-reused': 'false' });
  expectPaid(scenario, 2);
});
