import { expect, test } from 'vitest';
import type { Answer } from '../../sandbox/faults/interception.ts';
import { countOf, expectPaid, pushed, runAgain } from './reuse.ts';
import { prepare, type Scenario, type ScenarioOptions, type ScenarioResult } from './scenario.ts';

const ONLY_COMMENTS = { permissions: { contents: 'read', 'pull-requests': 'write' } } as const;
const HOLDING = { pace: { hold: true } };

/** Runs a job whose machine is lost while its scan is polled. `post` never runs. */
async function runLost({ environment }: Scenario): Promise<string> {
  const run = await environment.run({
    onLine: (line, { kill }) => {
      if (line.includes('Scan queued') || line.includes('Scan running')) kill('SIGKILL');
    },
  });
  expect(run.signal, run.log).toBe('SIGKILL');
  const [scan] = environment.service.scans();
  if (scan === undefined) throw new Error('nothing was launched');
  return scan.id;
}

test('a re-run follows the scan of a lost machine, and completes the check run', async () => {
  const scenario = await prepare({ service: HOLDING });
  const { control } = scenario.environment.service;
  const scanId = await runLost(scenario);
  control.release(scanId);
  expect(scenario.environment.github.checkRuns).toMatchObject([{ status: 'in_progress' }]);
  const again = await runAgain(scenario, { runAttempt: 2 });

  expect(again.run.outputs, again.run.log).toMatchObject({
    outcome: 'blocked',
    'scan-id': scanId,
    'scan-reused': 'true',
    'credits-reserved': '0',
  });
  expectPaid(scenario, 1);
  expect(scenario.environment.github.checkRuns).toMatchObject([
    { status: 'completed', conclusion: 'failure' },
  ]);
});

test.each<[string, (scenario: Scenario) => void, NonNullable<ScenarioOptions['inputs']>, string]>([
  [
    'the head is superseded',
    (scenario) => pushed(scenario, scenario.headSha, scenario.repository.id('low')),
    {},
    'superseded',
  ],
  [
    'the pull request is closed',
    ({ environment }) => environment.github.edit(environment.pullRequest, { state: 'closed' }),
    {},
    'unsupported-event',
  ],
  ['an input is wrong', () => {}, { 'fail-on': 'hihg' }, 'configuration'],
  ['the preset does not exist', () => {}, { preset: 'gone' }, 'configuration'],
])('a re-run completes the check run of a lost machine even if %s', async (_, change, inputs, end) => {
  const scenario = await prepare({ head: 'clean', service: HOLDING });
  const scanId = await runLost(scenario);
  const [left] = scenario.environment.github.checkRuns;
  expect(left).toMatchObject({ status: 'in_progress' });
  const payload = scenario.environment.pullRequestPayload();
  scenario.environment.service.control.release(scanId);
  change(scenario);
  const again = await runAgain(scenario, { event: { name: 'pull_request', payload }, runAttempt: 2 }, inputs);

  const { outcome, reason } = again.run.outputs;
  expect(reason || outcome, again.run.log).toBe(end);
  expect(countOf(scenario, 'service', 'scans.launch')).toBe(1);
  const { checkRuns } = scenario.environment.github;
  expect(checkRuns).toMatchObject([{ id: left?.id, status: 'completed' }]);
  // The check run still names the scan, so that later runs can find the scan.
  expect(checkRuns[0]?.externalId).toContain(`v2:${scanId}:`);
});

test('a re-run launches a scan if no check run contains the id of the scan of a lost machine', async () => {
  const scenario = await prepare({ service: HOLDING, github: ONLY_COMMENTS });
  const scanId = await runLost(scenario);
  const again = await runAgain(scenario, {
    runAttempt: 2,
    onLine: () => {
      const [newest] = scenario.environment.service.scans();
      if (newest !== undefined && newest.id !== scanId)
        scenario.environment.service.control.release(newest.id);
    },
  });
  expect(again.run.outputs, again.run.log).toMatchObject({ outcome: 'blocked', 'scan-reused': 'false' });
  expect(scenario.environment.service.scans()).toHaveLength(2);
  expect(countOf(scenario, 'service', 'scans.cancel')).toBe(0);
});

test('a re-run launches a scan if the scan of a lost machine fails', async () => {
  const scenario = await prepare({ service: HOLDING });
  const { control } = scenario.environment.service;
  const scanId = await runLost(scenario);
  const again = await runAgain(scenario, {
    runAttempt: 2,
    onLine: (line) => {
      if (line.includes(`Found scan \`${scanId}\``)) control.fail(scanId);
      const [newest] = scenario.environment.service.scans();
      if (newest !== undefined && newest.id !== scanId) control.release(newest.id);
    },
  });
  expect(again.run.outputs, again.run.log).toMatchObject({ outcome: 'blocked', 'scan-reused': 'false' });
  expectPaid(scenario, 2);
  expect(scenario.environment.github.checkRuns).toMatchObject([
    { status: 'completed', conclusion: 'failure' },
  ]);
});

test('a re-run with `reuse-scan: false` launches a second scan', async () => {
  const scenario = await prepare({ service: HOLDING, github: ONLY_COMMENTS });
  const { control } = scenario.environment.service;
  control.release(await runLost(scenario));
  const again = await runAgain(
    scenario,
    {
      runAttempt: 2,
      onLine: () => {
        const [newest] = scenario.environment.service.scans();
        if (newest !== undefined) control.release(newest.id);
      },
    },
    { 'reuse-scan': 'false' },
  );
  expect(again.run.outputs, again.run.log).toMatchObject({ outcome: 'blocked', 'scan-reused': 'false' });
  expect(scenario.environment.service.scans()).toHaveLength(2);
});

const asAnalyzing = ({ body, ...answer }: Answer): Answer => {
  return { ...answer, body: JSON.parse(JSON.stringify(body).replaceAll('"ready"', '"analyzing"')) };
};

test('a run that waits for the repository uses the scan that another run completes meanwhile', async () => {
  let other: Promise<ScenarioResult> | undefined;
  let isOver = false;
  const scenario = await prepare({
    service: {
      intercept: ({ point, count }) => {
        if (point === 'repositories' && !isOver) return { rewrite: asAnalyzing };
        if (point !== 'scans.launch' || count > 1) return undefined;
        other = runAgain(scenario, { runId: 9_000_000_002 }).finally(() => {
          isOver = true;
        });
        return { status: 409, body: { error: { code: 'repository_initializing', message: '' } } };
      },
    },
  });
  const waiting = await runAgain(scenario, {}, { 'timeout-minutes': '20' });
  const paid = await other;
  expect(paid?.run.outputs, paid?.run.log).toMatchObject({ outcome: 'blocked', 'scan-reused': 'false' });
  expect(waiting.run.outputs, waiting.run.log).toMatchObject({
    outcome: 'blocked',
    'scan-id': paid?.run.outputs['scan-id'],
    'scan-reused': 'true',
  });
  expect(scenario.environment.service.scans()).toHaveLength(1);
});
