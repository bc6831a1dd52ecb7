import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { openDoctorEnvironment, rowsOf, runDoctorIn, runDoctorScenario } from './doctor.ts';

// These tests run the doctor in a process of its own, as the runner does.

test('the bundle of the doctor prints the same table as the source code', async () => {
  const [bundle, code] = [
    await runDoctorScenario({ driver: 'bundle', inputs: { 'fail-on': 'hihg' } }),
    await runDoctorScenario({ driver: 'in process', inputs: { 'fail-on': 'hihg' } }),
  ];
  const withoutPort = (rows: readonly string[]) => rows.map((row) => row.replace(/127\.0\.0\.1:\d+/, 'host'));
  expect(withoutPort(rowsOf(bundle.run))).toEqual(withoutPort(rowsOf(code.run)));
  expect(bundle.run.masks).toEqual(
    expect.arrayContaining([bundle.environment.service.token, bundle.environment.github.token]),
  );
  expect(bundle.run.stderr).toBe('');
});

test('the doctor reports an unusable proxy as an error, and sends no request', async () => {
  const { run, environment } = await runDoctorScenario({
    driver: 'bundle',
    run: { env: { HTTPS_PROXY: '::' } },
  });
  expect(rowsOf(run)).toContainEqual(
    expect.stringMatching(/^error Address: .*not a valid URL.*\[Admin of the runner: Fix the proxy/),
  );
  expect([environment.service.requests, environment.github.requests]).toEqual([[], []]);
});

test('the doctor shows an error in its table if it does not run in GitHub Actions', async () => {
  const { run } = await runDoctorScenario({ driver: 'bundle', run: { env: { GITHUB_REPOSITORY: 'x' } } });
  expect(rowsOf(run)).toEqual([
    expect.stringMatching(/^error Inputs: This does not look like a GitHub Actions/),
  ]);
});

test('the doctor hides the spend limit of the token if it cannot read the payload of the event', async () => {
  const { run } = await runDoctorScenario({
    driver: 'bundle',
    service: { tokens: [{ spendLimit: 4_321 }] },
    run: { env: { GITHUB_EVENT_PATH: `${tmpdir()}/none` } },
  });
  expect(rowsOf(run)).toContain(
    'ok Spend limit: The service shows none that is below the budget of one scan.',
  );
});

test('the doctor fails if it cannot write its outputs', async () => {
  const environment = await openDoctorEnvironment({ driver: 'bundle' });
  const run = await runDoctorIn(environment, { env: { GITHUB_OUTPUT: '/nowhere/at/all' } });
  expect(run.exitCode).toBe(1);
  expect(run.log).toContain('Not ready: unexpected error');
});

test('the doctor fails and prints its table if the job is cancelled', async () => {
  const environment = await openDoctorEnvironment({
    driver: 'bundle',
    service: { intercept: ({ point }) => (point === 'token' ? { fault: 'hang-before' } : undefined) },
  });
  const run = await runDoctorIn(environment, {
    timeScale: 1,
    cancelAfter: environment.when(() => environment.service.requests.length > 0),
  });
  expect(run.exitCode).toBe(1);
  expect(run.log).toContain('Not ready:');
  expect(rowsOf(run)).toContainEqual(expect.stringMatching(/^error Address: The job was cancelled/));
});
