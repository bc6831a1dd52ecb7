import { expect, test } from 'vitest';
import { expectPaid, runAgain } from './reuse.ts';
import { prepare, runPrepared, type ScenarioOptions } from './scenario.ts';

const NOT_FOUND = {
  status: 404,
  body: { error: { code: 'not_found', message: 'Scan was not found.' } },
} as const;

/** Makes the service answer 404 to requests for one scan. `slips` sets the scan, and the number of these answers. */
function slipping(
  otherwise: (point: string, path: string) => { status: number; body: unknown } | undefined = () => undefined,
) {
  const slips = { scanId: '', left: 0 };
  const service: ScenarioOptions['service'] = {
    intercept: ({ point, path }) => {
      if (point === 'scans.read' && path.endsWith(`/${slips.scanId}`) && slips.left > 0) {
        slips.left -= 1;
        return NOT_FOUND;
      }
      return otherwise(point, path);
    },
  };
  return { slips, service };
}

test.each([
  ['a re-run', { runAttempt: 2 }],
  ['a run for an edited title', undefined],
])('after one 404 for the scan, %s launches no second scan', async (_what, rerun) => {
  const { slips, service } = slipping();
  const scenario = await prepare({ service });
  const first = await runPrepared(scenario);
  Object.assign(slips, { scanId: first.run.outputs['scan-id'], left: 1 });
  const payload = scenario.environment.pullRequestPayload({ action: 'edited' });
  const again = rerun ?? { event: { name: 'pull_request', payload }, runId: 9_000_000_070 };
  const next = await runAgain(scenario, again);
  expect(next.run.outputs, next.run.log).toMatchObject({
    outcome: 'blocked',
    'scan-id': slips.scanId,
    'scan-reused': 'true',
  });
  expectPaid(scenario, 1);
});

/** Scans one change twice. The older scan found nothing, and the newer scan blocks. */
async function passedThenBlocked() {
  let older: string | undefined;
  const { slips, service } = slipping((point, path) => {
    const { searchParams } = new URL(path, 'http://127.0.0.1');
    if (point !== 'findings.list') return undefined;
    older ??= searchParams.get('scanId') ?? undefined;
    const isOlder = searchParams.get('scanId') === older;
    return isOlder ? { status: 200, body: { items: [], page: 1, limit: 100, total: 0 } } : undefined;
  });
  const scenario = await prepare({ service });
  const passed = await runPrepared(scenario);
  expect(passed.run.outputs, passed.run.log).toMatchObject({ outcome: 'passed' });
  const blocked = await runAgain(scenario, { runAttempt: 2 }, { 'reuse-scan': 'false' });
  expect(blocked.run.outputs, blocked.run.log).toMatchObject({ outcome: 'blocked', 'scan-reused': 'false' });
  slips.scanId = blocked.run.outputs['scan-id'] ?? '';
  return { scenario, slips };
}

test.each([1, 2])(
  'a run does not use the older scan if the newest scan is gone for a moment (404 answers: %i)',
  async (left) => {
    const { scenario, slips } = await passedThenBlocked();
    slips.left = left;
    const next = await runAgain(scenario, { runAttempt: 3 });
    expect(next.run.outputs, next.run.log).toMatchObject({ outcome: 'blocked', 'scan-id': slips.scanId });
    expectPaid(scenario, 2);
  },
);

test('a run uses the older scan if the newest scan is permanently gone', async () => {
  const { scenario, slips } = await passedThenBlocked();
  slips.left = Number.POSITIVE_INFINITY;
  const next = await runAgain(scenario, { runAttempt: 3 });
  expect(next.run.outputs, next.run.log).toMatchObject({ outcome: 'passed', 'scan-reused': 'true' });
  expectPaid(scenario, 2);
});

test.each([
  ['of the service', NOT_FOUND],
  ['of a proxy', { status: 404, headers: { 'content-type': 'text/html' }, body: '<html>Not here</html>' }],
])('after one 404 %s, a run continues to follow its scan', async (_what, answer) => {
  let reads = 0;
  const scenario = await prepare({
    service: {
      pace: { phasesPerPoll: 1 },
      retryAfterSeconds: 8,
      intercept: ({ point }) => {
        if (point !== 'scans.read') return undefined;
        reads += 1;
        return reads === 6 ? answer : undefined;
      },
    },
  });
  const result = await runPrepared(scenario);
  expect(result.run.outputs, result.run.log).toMatchObject({
    outcome: 'blocked',
    'scan-status': 'COMPLETED',
  });
  expectPaid(scenario, 1);
});
