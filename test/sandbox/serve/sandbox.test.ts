import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { UsageError } from '../../../sandbox/command-line.ts';
import { createGitFixture } from '../../../sandbox/git-fixture.ts';
import { banner } from '../../../sandbox/serve/banner.ts';
import { type CliOptions, readCliOptions } from '../../../sandbox/serve/cli-options.ts';
import { listen } from '../../../sandbox/serve/listen.ts';
import { optionsWithoutEffect, serve as serveHere, serviceOptions } from '../../../sandbox/serve/serve.ts';
import { givenRepository, sampleRepository } from '../../../sandbox/serve/served-repository.ts';
import { guardSpawned } from '../../support/guard-spawned.ts';
import { at } from '../play.ts';

const MAIN = path.resolve(import.meta.dirname, '../../../sandbox/serve/main.ts');

async function serve(...args: string[]) {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += String(chunk);
    if (printed.includes('Ctrl-C')) break;
  }
  /** The text after `name:` in the output. */
  const value = (name: string) => new RegExp(`^${name}: +(\\S+)`, 'm').exec(printed)?.[1] ?? '';
  guardSpawned(value('base-url'));
  return { child, printed, value };
}

/** Ends a sandbox. Returns its exit code. */
function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const exitCode = new Promise<number | null>((resolve) => child.once('close', resolve));
  child.kill(signal);
  return exitCode;
}

function choicesOf(...args: string[]): CliOptions {
  const choices = readCliOptions(args);
  if (choices === 'help') throw new Error('not asked for');
  return choices;
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'scangate-data-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test('the sandbox prints curl commands that work, and removes its temporary repository after SIGINT', async () => {
  const { child, printed } = await serve();
  expect(printed).toMatch(/It is not a real scanner.*at most 600 in 60 seconds/s);
  const answers = [...printed.matchAll(/^ {2}(curl .*)$/gm)].map(([, line = '']): unknown =>
    JSON.parse(execFileSync('sh', ['-c', line], { encoding: 'utf8' })),
  );
  expect(answers).toMatchObject([
    { repositories: [{ owner: 'octo-org', name: 'shop', readiness: 'ready' }] },
    { scanId: expect.any(String) },
  ]);
  const folder = /^repository: .*, (.+)$/m.exec(printed)?.[1] ?? '';
  expect(existsSync(folder)).toBe(true);
  expect(await ended(child, 'SIGINT')).toBe(0);
  expect(existsSync(folder)).toBe(false);
});

test('after SIGKILL, the next sandbox with the same data folder has the same data, and leaves the repository unchanged', async () => {
  const data = path.join(await temporaryFolder(), 'state');
  const repository = await createGitFixture({
    commits: [{ name: 'base' }, { name: 'vulnerable', files: { 'a.js': 'eval(x);\n' } }],
  });
  onTestFinished(repository.remove);
  const status = () => repository.git('status', '--porcelain', '--ignored');
  const before = await status();
  const begin = async () => {
    const args = ['--repository', repository.dir, '--owner-name', 'acme/till', '--credits', '25'];
    const served = await serve('--data', data, ...args);
    const authorization = `Bearer ${served.value('api-token')}`;
    const call = async (method: string, place: string, body?: object): Promise<unknown> => {
      const url = `${served.value('base-url')}/projects/${served.value('project-id')}${place}`;
      const headers = { authorization, 'content-type': 'application/json' };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      return (await fetch(url, { method, headers, ...sent })).json();
    };
    return { ...served, call };
  };
  const launch = {
    ...{ presetRef: 'diff-review', repositoryId: 'repo_till' },
    ...{ baseCommit: repository.id('base'), commit: repository.id('vulnerable') },
  };
  const first = await begin();
  expect(first.printed).toContain('repository: acme/till (repo_till)');
  const scan = `/scans/${at(await first.call('POST', '/scans', launch), 'scanId')}`;
  expect(at(await first.call('GET', scan), 'scan.status')).toBe('RUNNING');
  const guidance = '/repositories/repo_till/guidance';
  await first.call('PUT', guidance, { content: 'Mind the till.' });
  await ended(first.child, 'SIGKILL');
  const second = await begin();
  for (const name of ['api-token', 'base-url']) expect(second.value(name)).toBe(first.value(name));
  expect(at(await second.call('GET', guidance), 'content')).toBe('Mind the till.');
  expect(at(await second.call('GET', scan), 'scan')).toMatchObject({ status: 'COMPLETED', creditsSpent: 20 });
  expect(at(await second.call('GET', '/findings'), 'items.*.filePath')).toEqual(['a.js']);
  const publicId = String(at(await second.call('POST', `${scan}/publish`, {}), 'publicId'));
  const page = await fetch(second.value('published').replace('PUBLIC-ID', publicId));
  expect(await page.text()).toContain('a.js:1');
  // The first scan used 20 of the 25 credits.
  expect(at(await second.call('POST', '/scans', launch), 'error.code')).toBe('insufficient_credits');
  const third = spawnSync(process.execPath, [MAIN, '--data', data], { encoding: 'utf8' });
  expect(third).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--data: another sandbox is using '),
  });
  expect(await status()).toBe(before);
  expect(await ended(second.child, 'SIGTERM')).toBe(0);
});

test('the command shows its usage on `--help`', () => {
  const { status, stdout } = spawnSync(process.execPath, [MAIN, '--help'], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, expect.stringContaining('Usage: npm run sandbox')]);
});

test('the options of the command line become the options of the fake service', () => {
  const repository = { owner: 'acme', name: 'shop', gitDir: '.', defaultBranch: 'main' };
  const optionsOf = (...args: string[]) => {
    const { onScanFailure: _, ...options } = serviceOptions(choicesOf(...args), repository);
    return options;
  };
  expect(optionsOf()).toEqual({ repositories: [repository], keptRequests: 0, tokens: [{}] });
  const limits = ['--analyzing=1', '--credits=10', '--request-ceiling=2', '--pace=instant', '--port=7'];
  expect(optionsOf(...limits, '--token=spend-limit=5', '--data=/data')).toEqual({
    repositories: [{ ...repository, readiness: 'analyzing', readyAfterListings: 1 }],
    ...{ keptRequests: 0, credits: 10, port: 7, dataFolder: '/data' },
    pace: { phasesPerPoll: Number.POSITIVE_INFINITY },
    tokens: [{ requestCeiling: { requests: 2, windowSeconds: 60 } }, { spendLimit: 5 }],
  });
});

test('the sandbox names a repository after its remote, or after its folder if it has no remote', async () => {
  const repository = await createGitFixture({ commits: [{ name: 'first' }, { name: 'second' }] });
  onTestFinished(repository.remove);
  const named = async () => {
    const { owner, name } = await givenRepository(repository.dir);
    return `${owner}/${name}`;
  };
  expect(await named()).toBe(`local/${path.basename(repository.dir)}`);
  await repository.git('config', 'remote.origin.url', 'git@github.com:acme/till.git');
  expect(await named()).toBe('acme/till');
  await repository.git('config', 'remote.origin.url', 'https://github.example/acme/shop');
  const { child, printed } = await serve('--repository', repository.dir);
  expect(printed).toContain('repository: acme/shop (');
  expect(await ended(child, 'SIGHUP')).toBe(0);
  const shallow = `${repository.dir}-shallow`;
  onTestFinished(() => rm(shallow, { recursive: true, force: true }));
  await repository.git('clone', '--quiet', '--depth=1', `file://${repository.dir}`, shallow);
  const fault = `--repository: ${shallow} is a shallow clone, which lacks older commits. Run \`git fetch --unshallow\` in it, then start the sandbox again.`;
  await expect(givenRepository(shallow)).rejects.toThrow(new UsageError(fault));
});

test('the sandbox says which options have no effect, because the data folder keeps their values', async () => {
  const data = await temporaryFolder();
  const begin = async (...args: string[]) => {
    const choices = choicesOf('--data', data, ...args);
    const { remove, ...repository } = await sampleRepository(choices.ownerName);
    onTestFinished(remove);
    const { service, moved } = await listen(serviceOptions(choices, repository));
    const printed = banner(service, moved, optionsWithoutEffect(choices, service));
    await service.close();
    return printed.replaceAll('\n', ' ');
  };
  const notice = 'No effect';
  expect(
    await begin('--credits=5', '--request-ceiling=7', '--token=scopes=read', '--analyzing=2'),
  ).not.toContain(notice);
  expect(await begin('--port=0', '--pace=instant')).not.toContain(notice);
  expect(await begin('--credits=5')).toContain(
    'No effect: --credits. The data folder keeps what an earlier start has set. To set it anew, use an empty folder.',
  );
  expect(await begin('--credits=9', '--request-ceiling=9', '--token=scopes=read', '--analyzing=3')).toContain(
    'No effect: --credits, --request-ceiling, --token, --analyzing. The data folder',
  );
  expect(await begin('--owner-name=acme/new', '--analyzing=3')).not.toContain(notice);
});

test('the sandbox refuses a port on which another program listens', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const port = String(at(other.address(), 'port'));
  onTestFinished(() => new Promise((resolve) => other.close(() => resolve())));
  const fault = `--port: another program is listening on ${port}. Use another port.`;
  await expect(serveHere(choicesOf('--port', port))).rejects.toThrow(new UsageError(fault));
});

test.each([
  ['--repository=/nowhere', '--repository: /nowhere is not a git repository.'],
  ['--data=/dev/null', '--data: /dev/null cannot be used'],
  ['--data=/proc/x', '--data: /proc/x cannot be used'],
  [
    '--data=/nowhere/x',
    '--data: cannot create /nowhere/x: /nowhere does not exist. Create that folder first.',
  ],
])('the sandbox refuses %s with a plain message', async (line, says) => {
  const refused: unknown = await serveHere(choicesOf(line)).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(UsageError);
  expect(refused).toHaveProperty('message', expect.stringContaining(says));
});
