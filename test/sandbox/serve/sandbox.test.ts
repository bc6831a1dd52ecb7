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
import { closeAtEndOfFile } from '../../support/end-of-file.ts';
import { guardSpawned } from '../../support/guard-spawned.ts';

const MAIN = path.resolve(import.meta.dirname, '../../../sandbox/serve/main.ts');

interface Served {
  readonly child: ChildProcess;
  readonly printed: string;
  /** The text after `name:` in the output. */
  value(name: string): string;
}

async function serve(...args: string[]): Promise<Served> {
  const served = await start(args);
  onTestFinished(() => void served.child.kill('SIGKILL'));
  return served;
}

let standard: Promise<Served> | undefined;

/** A sandbox without options. Tests share the sandbox if they only read its output and send requests. */
function serveStandard(): Promise<Served> {
  standard ??= start([]).then((served) => {
    closeAtEndOfFile(async () => {
      standard = undefined;
      served.child.kill('SIGKILL');
    });
    return served;
  });
  return standard;
}

async function start(args: readonly string[]): Promise<Served> {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
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

test('the sandbox prints a curl command that works, and a warning that it is not a real scanner', async () => {
  const { printed } = await serveStandard();
  expect(printed).toContain('It is not a real scanner');
  const line = /^ {2}(curl .*)$/m.exec(printed)?.[1] ?? '';
  const answer: unknown = JSON.parse(execFileSync('sh', ['-c', line], { encoding: 'utf8' }));
  expect(answer).toMatchObject({ repositories: [{ owner: 'octo-org', name: 'shop', readiness: 'ready' }] });
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'the sandbox removes its temporary repository and exits with 0 after %s',
  async (signal) => {
    const { child, printed } = await serve();
    const folder = /^repository: .*, (.+)$/m.exec(printed)?.[1] ?? '';
    expect(existsSync(folder)).toBe(true);
    child.kill(signal);
    expect(await ended(child)).toBe(0);
    expect(existsSync(folder)).toBe(false);
  },
);

test('the sandbox scans a given repository without changing it', async () => {
  const repository = await createGitFixture({
    commits: [{ name: 'base' }, { name: 'vulnerable', files: { 'a.js': 'eval(x);\n' } }],
  });
  onTestFinished(repository.remove);
  const before = await repository.git('status', '--porcelain', '--ignored');
  const args = ['--repository', repository.dir, '--owner-name', 'acme/till', '--pace', 'instant'];
  const { child, value, printed } = await serve(...args, '--credits', '25');
  expect(printed).toContain('repository: acme/till (repo_till)');
  const project = `${value('base-url')}/projects/${value('project-id')}`;
  const headers = { authorization: `Bearer ${value('api-token')}`, 'content-type': 'application/json' };
  const launch = (over: object) =>
    fetch(`${project}/scans`, {
      method: 'POST',
      headers,
      body: JSON.stringify({
        presetRef: 'diff-review',
        repositoryId: 'repo_till',
        baseCommit: repository.id('base'),
        commit: repository.id('vulnerable'),
        ...over,
      }),
    });
  const { scanId }: { scanId?: unknown } = Object(await (await launch({})).json());
  const scan: unknown = await (await fetch(`${project}/scans/${String(scanId)}`, { headers })).json();
  expect(scan).toMatchObject({ scan: { status: 'COMPLETED' } });
  const findings: unknown = await (await fetch(`${project}/findings`, { headers })).json();
  expect(findings).toMatchObject({ total: 1, items: [{ filePath: 'a.js' }] });
  const publish = { method: 'POST', headers, body: '{}' };
  const published = await fetch(`${project}/scans/${String(scanId)}/publish`, publish);
  const { publicId }: { publicId?: unknown } = Object(await published.json());
  const page = await fetch(value('published').replace('PUBLIC-ID', String(publicId)));
  expect(await page.text()).toContain('a.js:1');
  // The first scan used 20 of the 25 credits.
  expect((await launch({})).status).toBe(402);
  child.kill('SIGINT');
  expect(await ended(child)).toBe(0);
  expect(await repository.git('status', '--porcelain', '--ignored')).toBe(before);
});

test('the sandbox limits requests to the number in `--request-ceiling`, and prints the limit', async () => {
  expect((await serveStandard()).printed).toContain('at most 600 in 60 seconds');
  const { printed, value } = await serve('--request-ceiling', '2');
  expect(printed).toContain('at most 2 in 60 seconds');
  const headers = { authorization: `Bearer ${value('api-token')}` };
  const statuses: number[] = [];
  for (let sent = 0; sent < 3; sent += 1)
    statuses.push((await fetch(`${value('base-url')}/token`, { headers })).status);
  expect(statuses).toEqual([200, 200, 429]);
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

test('after SIGKILL, the next sandbox with the same data folder has the same data', async () => {
  const data = path.join(await mkdtemp(path.join(tmpdir(), 'scangate-data-')), 'state');
  onTestFinished(() => rm(path.dirname(data), { recursive: true }));
  const repository = await createGitFixture({
    commits: [{ name: 'base' }, { name: 'vulnerable', files: { 'a.js': 'eval(x);\n' } }],
  });
  onTestFinished(repository.remove);
  const begin = async () => {
    const served = await serve('--data', data, '--repository', repository.dir, '--owner-name', 'acme/shop');
    const project = `${served.value('base-url')}/projects/${served.value('project-id')}`;
    const headers = {
      authorization: `Bearer ${served.value('api-token')}`,
      'content-type': 'application/json',
    };
    const call = async (method: string, place: string, body?: object): Promise<unknown> => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      return (await fetch(`${project}${place}`, { method, headers, ...sent })).json();
    };
    return { ...served, call };
  };
  const first = await begin();
  const launch = {
    presetRef: 'diff-review',
    repositoryId: 'repo_shop',
    baseCommit: repository.id('base'),
    commit: repository.id('vulnerable'),
  };
  const { scanId }: { scanId?: unknown } = Object(await first.call('POST', '/scans', launch));
  const scan = `/scans/${String(scanId)}`;
  expect(await first.call('GET', scan)).toMatchObject({ scan: { status: 'RUNNING' } });
  const guidance = '/repositories/repo_shop/guidance';
  await first.call('PUT', guidance, { content: 'Mind the till.' });
  first.child.kill('SIGKILL');
  await ended(first.child);
  const second = await begin();
  expect(second.value('api-token')).toBe(first.value('api-token'));
  expect(second.value('base-url')).toBe(first.value('base-url'));
  expect(await second.call('GET', guidance)).toMatchObject({ content: 'Mind the till.' });
  expect(await second.call('GET', scan)).toMatchObject({ scan: { status: 'COMPLETED', creditsSpent: 20 } });
  expect(await second.call('GET', '/findings')).toMatchObject({ total: 1, items: [{ scanId }] });
  const third = spawnSync(process.execPath, [MAIN, '--data', data], { encoding: 'utf8' });
  expect(third).toMatchObject({
    status: 2,
    stderr: expect.stringContaining(`--data: another sandbox is using `),
  });
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

test('the sandbox can answer with each refusal that a client has to handle', async () => {
  const limited = ['scopes=read', 'expires=2020-01-01', 'spend-limit=5', 'allowlist=octo-org/other'];
  const tokens = limited.map((spec) => `--token=${spec}`);
  const { value, printed } = await serve('--analyzing=1', '--credits=10', ...tokens);
  const project = `${value('base-url')}/projects/${value('project-id')}`;
  const [scoped, expired, poor, other] = [2, 3, 4, 5].map((number) => value(`token ${number}`));
  const ask = async (token = '', url = `${project}/repositories`, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(url, { headers, ...sent });
    const { error }: { error?: { code: string } } = JSON.parse(await answer.text());
    return `${answer.status} ${error?.code ?? ''}`.trim();
  };
  const [, repository, directory = ''] = /^repository: .*\((\S+)\), (.*)$/m.exec(printed) ?? [];
  const commit = execFileSync('git', ['-C', directory, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  const launch = { repositoryId: repository, presetRef: 'full-audit', commit, creditBudget: 20 };
  const scan = (token: string | undefined) => ask(token, `${project}/scans`, launch);
  const guidance = `${project}/repositories/${repository}/guidance`;
  expect(await ask('unknown')).toBe('401 unauthorized');
  expect(await ask(expired)).toBe('401 unauthorized');
  expect(await ask(value('api-token'), `${value('base-url')}/projects/other/repositories`)).toBe(
    '404 not_found',
  );
  expect(await scan(scoped)).toBe('403 forbidden');
  expect(await ask(other, guidance)).toBe('404 not_found');
  expect(await scan(value('api-token'))).toBe('409 repository_initializing');
  expect([await ask(scoped), await ask(scoped)]).toEqual(['200', '200']);
  expect(await scan(poor)).toBe('429 rate_limited');
  expect(await scan(value('api-token'))).toBe('402 insufficient_credits');
});
