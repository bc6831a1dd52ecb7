import { describe, expect, test } from 'vitest';
import { countOf, expectPaid, runAgain } from './reuse.ts';
import { prepare, runPrepared } from './scenario.ts';

const REPORTED_AGAIN = {
  outcome: 'blocked',
  'scan-status': 'COMPLETED',
  'scan-reused': 'true',
  'credits-reserved': '0',
  'findings-total': '4',
  'findings-blocking': '2',
};

test('a re-run reuses the completed scan, and uses no credits', async () => {
  const scenario = await prepare({});
  const first = await runPrepared(scenario);
  const spent = scenario.environment.service.ledger().spent;
  const again = await runAgain(scenario, { runAttempt: 2 });

  expect(again.run.outputs, again.run.log).toMatchObject(REPORTED_AGAIN);
  expect(again.run.exitCode).toBe(1);
  expect(again.run.outputs['scan-id']).toBe(first.run.outputs['scan-id']);
  expect(again.run.outputs['severity-counts']).toBe(first.run.outputs['severity-counts']);
  expectPaid(scenario, 1);
  expect(scenario.environment.service.ledger().spent).toBe(spent);
  expect(again.run.log).toContain(`Found scan \`${first.run.outputs['scan-id']}\` of another run`);
  expect(again.run.log).toContain(`Reusing scan \`${first.run.outputs['scan-id']}\`. No credits used.`);
  expect(again.run.summary).toContain('scan of another run, no credits used');
  expect(again.run.state['running-scan'] ?? '').toBe('');
});

test('a re-run creates its own check run with annotations', async () => {
  const scenario = await prepare({});
  const first = await runPrepared(scenario);
  const again = await runAgain(scenario, { runAttempt: 2 });
  const shown = scenario.environment.github.checkRuns.map((one) => [
    one.htmlUrl,
    one.status,
    one.conclusion,
    one.annotations.length,
  ]);
  expect(shown).toEqual([
    [first.run.outputs['check-run-url'], 'completed', 'failure', 3],
    [again.run.outputs['check-run-url'], 'completed', 'failure', 3],
  ]);
  const [one, other] = scenario.environment.github.checkRuns;
  // Both marks begin with the same scan, pull request, keys, launch and cost. They differ only in the attempt that
  // wrote the mark, and in the MAC.
  const common = /^v2:[^:]+:7:[\w-]{27}:[\w-]{27}:[\w-]{22}:[\w-]{22}:\d{10}:20:-:-:/;
  expect(one?.externalId).toMatch(common);
  expect(common.exec(other?.externalId ?? '')?.[0]).toBe(common.exec(one?.externalId ?? '')?.[0]);
  expect(one?.externalId).toMatch(/:\d+\.1:[\w-]{43}$/);
  expect(other?.externalId).toMatch(/:\d+\.2:[\w-]{43}$/);
});

test('a re-run passes if all findings were triaged after the first run', async () => {
  const scenario = await prepare({});
  await runPrepared(scenario);
  const { service } = scenario.environment;
  for (const id of service.scans()[0]?.findingIds ?? []) {
    service.control.triage(id, { resolutionStatus: 'FALSE_POSITIVE' });
  }
  const again = await runAgain(scenario, { runAttempt: 2 });
  expect(again.run.outputs).toMatchObject({ outcome: 'passed', 'scan-reused': 'true' });
  expect(again.run.exitCode).toBe(0);
  expectPaid(scenario, 1);
});

test('a re-run with the same result does not rewrite the comment', async () => {
  const scenario = await prepare({});
  await runPrepared(scenario);
  await runAgain(scenario, { runAttempt: 2 });
  const writes = () =>
    countOf(scenario, 'github', 'comments.create') + countOf(scenario, 'github', 'comments.update');
  const before = writes();
  await runAgain(scenario, { runAttempt: 3 });
  expect(writes()).toBe(before);
  expect(scenario.environment.github.comments).toHaveLength(1);
  expect(scenario.environment.github.comments[0]?.body.split('\n')[1]).toMatch(
    /^<!-- scangate-state v2:\S+ -->$/,
  );
});

test('a run that could not scan keeps the mark in the comment for the next run', async () => {
  let away = false;
  const scenario = await prepare({
    service: {
      intercept: ({ point }) =>
        away && point === 'presets'
          ? { rewrite: () => ({ status: 503, body: 'Service Unavailable' }) }
          : undefined,
    },
    github: { permissions: { contents: 'read', 'pull-requests': 'write' } },
  });
  const first = await runPrepared(scenario);
  away = true;
  const second = await runAgain(scenario, { runAttempt: 2 });
  expect(second.run.outputs).toMatchObject({ outcome: 'not-scanned', reason: 'service-error' });
  expect(scenario.environment.github.comments[0]?.body).toContain('Not scanned');
  away = false;
  const third = await runAgain(scenario, { runAttempt: 3 });
  expect(third.run.outputs, third.run.log).toMatchObject(REPORTED_AGAIN);
  expect(third.run.outputs['scan-id']).toBe(first.run.outputs['scan-id']);
  expectPaid(scenario, 1);
});

test('a run that launches a scan sends nine requests to GitHub', async () => {
  const scenario = await prepare({});
  await runPrepared(scenario);
  const { requests } = scenario.environment.github;
  expect(requests.map(({ point }) => point).toSorted()).toEqual([
    'check.create',
    'check.list',
    'check.list',
    'check.update',
    'comments.create',
    'comments.list',
    'compare',
    'graphql',
    'graphql',
  ]);
});

describe('another scan is launched', () => {
  test('a re-run with `reuse-scan: false` launches another scan', async () => {
    const scenario = await prepare({ head: 'clean' });
    await runPrepared(scenario);
    const again = await runAgain(scenario, { runAttempt: 2 }, { 'reuse-scan': 'false' });
    expect(again.run.outputs).toMatchObject({ outcome: 'passed', 'scan-reused': 'false' });
    expectPaid(scenario, 2);
  });

  test('a run with another budget launches another scan', async () => {
    const scenario = await prepare({ head: 'clean' });
    await runPrepared(scenario);
    const again = await runAgain(scenario, { runAttempt: 2 }, { 'credit-budget': '30' });
    expect(again.run.outputs).toMatchObject({ 'scan-reused': 'false', 'credits-reserved': '30' });
    expectPaid(scenario, 2);
  });

  test('a re-run launches another scan if the earlier scan failed', async () => {
    const scenario = await prepare({ head: 'clean', service: { pace: { ending: 'FAILED' } } });
    const first = await runPrepared(scenario);
    const again = await runAgain(scenario, { runAttempt: 2 });
    expect(again.run.log).toContain(`Scan \`${first.run.outputs['scan-id']}\` cannot be reused.`);
    expect(again.run.log).not.toMatch(/Reusing|No credits/);
    expectPaid(scenario, 2);
  });

  test('a run ignores marks that were copied, invented, or made with another token', async () => {
    const scenario = await prepare({
      head: 'clean',
      service: { tokens: [{}, {}] },
    });
    const { github, service } = scenario.environment;
    const rotated = service.tokens[1]?.token ?? '';
    await runPrepared(scenario, { inputs: { 'api-token': rotated } });
    const [, scanId = ''] = github.checkRuns[0]?.externalId?.split(':') ?? [];
    for (const externalId of [
      github.checkRuns[0]?.externalId ?? '',
      `v2:${scanId}:7:${'A'.repeat(27)}:${'A'.repeat(27)}:${'A'.repeat(22)}:-:1790000000:-:-:-:1.1:${'A'.repeat(43)}`,
      `v1:${scanId}:${'0'.repeat(64)}:${'0'.repeat(64)}`,
      `v1:..:${'0'.repeat(64)}:${'0'.repeat(64)}`,
      'v1:::',
      'x'.repeat(10_000),
    ]) {
      await writeCheckRun(scenario, externalId);
    }
    const again = await runAgain(scenario, { runAttempt: 2 });
    expect(again.run.outputs).toMatchObject({ outcome: 'passed', 'scan-reused': 'false' });
    expectPaid(scenario, 2);
  });
});

/** Creates a check run. Any workflow of the repository can do so, because all workflows write as the same app. */
async function writeCheckRun(
  { environment, headSha }: Awaited<ReturnType<typeof prepare>>,
  externalId: string,
): Promise<void> {
  const response = await fetch(`${environment.github.apiUrl}/repos/${environment.repository}/check-runs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${environment.github.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Security scan', head_sha: headSha, external_id: externalId }),
  });
  expect(response.status).toBe(201);
}
