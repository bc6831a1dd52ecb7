import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { SharedRepository } from '../support/shared-repository.ts';
import { allowing, BOTH_WAYS, expectNotScanned } from './expect-result.ts';
import { runScenario } from './scenario.ts';

const analyzing =
  (readyAfterListings: number) =>
  ({ dir }: SharedRepository) => ({
    repositories: [{ owner: 'octo-org', name: 'octo-repo', gitDir: dir, readyAfterListings }],
  });

test.each(BOTH_WAYS)('a repository that never becomes ready is not scanned ($way)', async ({ allowed }) => {
  const result = await runScenario({
    service: analyzing(1_000_000),
    inputs: allowing('initializing', allowed),
  });
  expectNotScanned(result, 'initializing', {
    allowed,
    launches: 1,
    texts: [
      'before the scanning service had analyzed this repository for the first time',
      'ready in the service',
      'timeout-minutes',
    ],
  });
  expect(result.environment.service.ledger().entries).toHaveLength(1);
});

test('a repository that becomes ready is scanned once', async () => {
  const result = await runScenario({
    head: 'clean',
    service: analyzing(3),
    inputs: { 'report-file': 'scan.json' },
  });
  expect(result.run.outputs).toMatchObject({ outcome: 'passed', 'scan-status': 'COMPLETED' });
  expect(result.run.exitCode).toBe(0);
  expect(result.run.log).toContain('analyzing this repository for the first time');
  const report = JSON.parse(await readFile(result.run.outputs['report-file'] ?? '', 'utf8'));
  expect(report.waitedForReadinessMs).toBeGreaterThan(1_000);
  expect(report.totalMs).toBeGreaterThan(report.waitedForReadinessMs);
  expect(result.environment.service.requests.filter(({ point }) => point === 'scans.launch')).toMatchObject([
    { status: 409 },
    { status: 202 },
  ]);
  expect(result.environment.service.ledger()).toMatchObject({ reserved: 0 });
});
