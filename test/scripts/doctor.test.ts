import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type FakeScanService, startFakeScanService } from '../../sandbox/scan-service/server.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

async function service(): Promise<FakeScanService> {
  const repository = { owner: 'octo-org', name: 'shop', gitDir: tmpdir() };
  const fake = await startFakeScanService({ repositories: [repository] });
  onTestFinished(() => fake.close());
  return fake;
}

async function doctor(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [path.join(ROOT, 'scripts/doctor.ts'), ...args], {
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
  }
  const exitCode = await new Promise((resolve) => child.on('close', resolve));
  return { exitCode, output };
}

test('`npm run doctor` prints the table if it has no token for GitHub', async () => {
  const { baseUrl, token, requests } = await service();
  const args = ['--repository', 'octo-org/shop', '--base-url', baseUrl, '--preset', 'diff-review'];
  const { exitCode, output } = await doctor(args, { SCANGATE_API_TOKEN: token });
  expect(output).toContain('✓        Inputs          All inputs are valid.');
  expect(output).toContain('ACTIVE and ready.');
  expect(output).toContain('warning  Comparison      GitHub was not asked: there is no token for it.');
  expect(output).toContain('Ready, as far as the service goes: 0 errors, 1 warning. GitHub was not checked.');
  expect(output).not.toContain(token);
  expect(output).not.toMatch(/^::|##\[/m);
  expect(exitCode).toBe(0);
  expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('`npm run doctor` exits with 1 if it finds an error', async () => {
  const { baseUrl, token } = await service();
  const args = ['--repository', 'octo-org/other', '--base-url', baseUrl, '--fail-on', 'hihg'];
  const { exitCode, output } = await doctor(args, { SCANGATE_API_TOKEN: token });
  expect(output).toContain('Not ready: 2 errors, 1 warning.');
  expect(output.match(/`fail-on` is `hihg`/g)).toHaveLength(1);
  expect(exitCode).toBe(1);
});

test('`npm run doctor` speaks of itself, and of its environment variables', async () => {
  const { baseUrl } = await service();
  const args = ['--repository', 'octo-org/shop', '--base-url', baseUrl];
  const { output } = await doctor(args, { SCANGATE_API_TOKEN: 'svc_proj_x_notknown1' });
  expect(output).toContain('The service rejected `SCANGATE_API_TOKEN`');
  expect(output).toContain('update the secret, then run the doctor again.');
  expect(output).not.toMatch(/this job|job's/);
});

test('`npm run doctor -- --help` lists the inputs of the gate', async () => {
  const { exitCode, output } = await doctor(['--help']);
  expect(output).toContain('  --fail-on             Block on open findings at or above this severity');
  expect(exitCode).toBe(0);
});
