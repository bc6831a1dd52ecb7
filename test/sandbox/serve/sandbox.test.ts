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
import { readCliOptions } from '../../../sandbox/serve/cli-options.ts';
import { listen } from '../../../sandbox/serve/listen.ts';
import { optionsWithoutEffect, serve as serveHere, serviceOptions } from '../../../sandbox/serve/serve.ts';
import { givenRepository, sampleRepository } from '../../../sandbox/serve/served-repository.ts';
import { guardSpawned } from '../../support/guard-spawned.ts';

const MAIN = path.resolve(import.meta.dirname, '../../../sandbox/serve/main.ts');

interface Served {
  readonly child: ChildProcess;
  readonly printed: string;
  /** The text after `name:` in the output. */
  value(name: string): string;
}

async function serve(...args: string[]): Promise<Served> {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += String(chunk);
    if (printed.includes('Ctrl-C')) break;
  }
  const value = (name: string) => new RegExp(`^${name}: +(\\S+)`, 'm').exec(printed)?.[1] ?? '';
  guardSpawned(value('base-url'));
  return { child, printed, value };
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('close', resolve));
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'the sandbox prints curl commands that work, removes its temporary repository, and exits with 0 after %s',
  async (signal) => {
    const { child, printed } = await serve();
    expect(printed).toContain('It is not a real scanner');
    expect(printed).toContain('at most 600 in 60 seconds');
    const answers = [...printed.matchAll(/^ {2}(curl .*)$/gm)].map(([, line = '']): unknown =>
      JSON.parse(execFileSync('sh', ['-c', line], { encoding: 'utf8' })),
    );
    expect(answers).toMatchObject([
      { repositories: [{ owner: 'octo-org', name: 'shop', readiness: 'ready' }] },
      { scanId: expect.any(String) },
    ]);
    const folder = /^repository: .*, (.+)$/m.exec(printed)?.[1] ?? '';
    expect(existsSync(folder)).toBe(true);
    child.kill(signal);
    expect(await ended(child)).toBe(0);
    expect(existsSync(folder)).toBe(false);
  },
);

test('after SIGKILL, the next sandbox with the same data folder has the same data, and leaves the repository unchanged', async () => {
  const data = path.join(await mkdtemp(path.join(tmpdir(), 'scangate-data-')), 'state');
  onTestFinished(() => rm(path.dirname(data), { recursive: true }));
  const repository = await createGitFixture({
    commits: [{ name: 'base' }, { name: 'vulnerable', files: { 'a.js': 'eval(x);\n' } }],
  });
  onTestFinished(repository.remove);
  const status = () => repository.git('status', '--porcelain', '--ignored');
  const before = await status();
  const begin = async () => {
    const args = ['--repository', repository.dir, '--owner-name', 'acme/till', '--credits', '25'];
    const served = await serve('--data', data, ...args);
    const project = `${served.value('base-url')}/projects/${served.value('project-id')}`;
    const headers = {
      authorization: `Bearer ${served.value('api-token')}`,
      'content-type': 'application/json',
    };
    const call = async (method: string, place: string, body?: object) => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer: object = Object(
        await (await fetch(project + place, { method, headers, ...sent })).json(),
      );
      return new Map(Object.entries(answer));
    };
    return { ...served, call };
  };
  const launch = {
    presetRef: 'diff-review',
    repositoryId: 'repo_till',
    baseCommit: repository.id('base'),
    commit: repository.id('vulnerable'),
  };
  const first = await begin();
  expect(first.printed).toContain('repository: acme/till (repo_till)');
  const scanId = (await first.call('POST', '/scans', launch)).get('scanId');
  const scan = `/scans/${scanId}`;
  expect((await first.call('GET', scan)).get('scan')).toMatchObject({ status: 'RUNNING' });
  const guidance = '/repositories/repo_till/guidance';
  await first.call('PUT', guidance, { content: 'Mind the till.' });
  first.child.kill('SIGKILL');
  await ended(first.child);
  const second = await begin();
  for (const name of ['api-token', 'base-url']) expect(second.value(name)).toBe(first.value(name));
  expect((await second.call('GET', guidance)).get('content')).toBe('Mind the till.');
  expect((await second.call('GET', scan)).get('scan')).toMatchObject({
    status: 'COMPLETED',
    creditsSpent: 20,
  });
  expect((await second.call('GET', '/findings')).get('items')).toMatchObject([{ filePath: 'a.js', scanId }]);
  const publicId = (await second.call('POST', `${scan}/publish`, {})).get('publicId');
  const page = await fetch(second.value('published').replace('PUBLIC-ID', publicId));
  expect(await page.text()).toContain('a.js:1');
  // The first scan used 20 of the 25 credits.
  expect((await second.call('POST', '/scans', launch)).get('error')).toMatchObject({
    code: 'insufficient_credits',
  });
  const third = spawnSync(process.execPath, [MAIN, '--data', data], { encoding: 'utf8' });
  expect(third).toMatchObject({
    status: 2,
    stderr: expect.stringContaining(`--data: another sandbox is using `),
  });
  expect(await status()).toBe(before);
});

test('the options of the command line become the options of the fake service', () => {
  const repository = { owner: 'acme', name: 'shop', gitDir: '.', defaultBranch: 'main' };
  const optionsOf = (...args: string[]) => {
    const choices = readCliOptions(args);
    if (choices === 'help') throw new Error('not asked for');
    const { onScanFailure: _, ...options } = serviceOptions(choices, repository);
    return options;
  };
  expect(optionsOf()).toEqual({ repositories: [repository], keptRequests: 0, tokens: [{}] });
  const limits = ['--analyzing=1', '--credits=10', '--request-ceiling=2', '--pace=instant', '--port=7'];
  expect(optionsOf(...limits, '--token=spend-limit=5', '--data=/data')).toEqual({
    repositories: [{ ...repository, readiness: 'analyzing', readyAfterListings: 1 }],
    keptRequests: 0,
    credits: 10,
    port: 7,
    dataFolder: '/data',
    pace: { phasesPerPoll: Number.POSITIVE_INFINITY },
    tokens: [{ requestCeiling: { requests: 2, windowSeconds: 60 } }, { spendLimit: 5 }],
  });
});

test('the sandbox names a repository after its remote, or after its folder if it has no remote', async () => {
  const repository = await createGitFixture({ commits: [{ name: 'base' }] });
  onTestFinished(repository.remove);
  const named = async () => {
    const { remove: _, ...given } = await givenRepository(repository.dir);
    const { service, moved } = await listen({ repositories: [given] });
    onTestFinished(() => service.close());
    return banner(service, moved);
  };
  expect(await named()).toContain(`repository: local/${path.basename(repository.dir)} (`);
  await repository.git('config', 'remote.origin.url', 'git@github.com:acme/till.git');
  expect(await named()).toContain('repository: acme/till (');
  await repository.git('config', 'remote.origin.url', 'https://github.example/acme/shop');
  expect((await serve('--repository', repository.dir)).printed).toContain('repository: acme/shop (');
});

test('the sandbox asks the owner of a shallow clone to fetch the missing history', async () => {
  const repository = await createGitFixture({ commits: [{ name: 'first' }, { name: 'second' }] });
  onTestFinished(repository.remove);
  const shallow = `${repository.dir}-shallow`;
  onTestFinished(() => rm(shallow, { recursive: true, force: true }));
  await repository.git('clone', '--quiet', '--depth=1', `file://${repository.dir}`, shallow);
  await expect(givenRepository(shallow)).rejects.toThrow(
    new UsageError(
      `--repository: ${shallow} is a shallow clone, which lacks older commits. Run \`git fetch --unshallow\` in it, then start the sandbox again.`,
    ),
  );
});

test('the sandbox listens on the given port unless another program uses it', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? String(address.port) : '';
  const taken = spawnSync(process.execPath, [MAIN, '--port', port], { encoding: 'utf8' });
  expect(taken).toMatchObject({ status: 2, stdout: '' });
  expect(taken.stderr).toBe(`--port: another program is listening on ${port}. Use another port.\n`);
  await new Promise((resolve) => other.close(resolve));
  expect((await serve('--port', port)).value('base-url')).toBe(`http://127.0.0.1:${port}/api/v1`);
});

test('the sandbox says which options have no effect, because the data folder keeps their values', async () => {
  const data = await mkdtemp(path.join(tmpdir(), 'scangate-data-'));
  onTestFinished(() => rm(data, { recursive: true }));
  const begin = async (...args: string[]) => {
    const choices = readCliOptions(['--data', data, ...args]);
    if (choices === 'help') throw new Error('not asked for');
    const { remove, ...repository } = await sampleRepository(choices.ownerName);
    onTestFinished(remove);
    const { service, moved } = await listen(serviceOptions(choices, repository));
    const printed = banner(service, moved, optionsWithoutEffect(choices, service));
    await service.close();
    return printed.replaceAll('\n', ' ');
  };
  const limited = ['--credits=5', '--request-ceiling=7', '--token=scopes=read', '--analyzing=2'];
  const notice = 'No effect';
  expect(await begin(...limited)).not.toContain(notice);
  expect(await begin('--port=0', '--pace=instant')).not.toContain(notice);
  expect(await begin('--credits=5')).toContain(
    'No effect: --credits. The data folder keeps what an earlier start has set. To set it anew, use an empty folder.',
  );
  expect(await begin('--credits=9', '--request-ceiling=9', '--token=scopes=read', '--analyzing=3')).toContain(
    'No effect: --credits, --request-ceiling, --token, --analyzing. The data folder',
  );
  expect(await begin('--owner-name=acme/new', '--analyzing=3')).not.toContain(notice);
});

test.each([
  ['--help', 0, 'Usage: npm run sandbox'],
  ['--bogus', 2, 'Usage: npm run sandbox'],
  ['--repository=/nowhere', 2, '--repository: /nowhere is not a git repository.'],
  ['--data=/dev/null', 2, '--data: /dev/null cannot be used'],
])('the sandbox prints a plain message for %s', (line, exitCode, says) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, line], { encoding: 'utf8' });
  expect({ status, stack: /\n\s+at /.test(stderr) }).toEqual({ status: exitCode, stack: false });
  expect(exitCode === 0 ? stdout : stderr).toContain(says);
});

test.each([
  ['--data=/proc/x', '--data: /proc/x cannot be used'],
  [
    '--data=/nowhere/x',
    '--data: cannot create /nowhere/x: /nowhere does not exist. Create that folder first.',
  ],
])('the sandbox refuses %s with a plain message', async (line, says) => {
  const choices = readCliOptions([line]);
  if (choices === 'help') throw new Error('not asked for');
  const refused: unknown = await serveHere(choices).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(UsageError);
  expect(refused).toHaveProperty('message', expect.stringContaining(says));
});
