import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpsServer } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { FixtureDescription } from '../../../sandbox/git-fixture.ts';
import { git } from '../../../sandbox/git-process.ts';
import { type MergeBaseQuestion, mergeBaseByGit } from '../../../src/git/merge-base.ts';
import { createAuthority } from '../../scenarios/certificates.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { hostRepository } from './host-repository.ts';
import { type GitServer, serveGit } from './http-backend.ts';

const TOKEN = 'ghs_secretsecretsecret';

let root: string;
let temp: string;
let server: GitServer;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'scangate-git-test-'));
  temp = join(root, 'runner-temp');
  await mkdir(temp);
  await mkdir(join(root, 'srv/acme'), { recursive: true });
  server = await serveGit(join(root, 'srv'), { token: TOKEN });
});

afterEach(async () => {
  await server.close();
  await rm(root, { recursive: true, force: true });
});

async function host(description: FixtureDescription) {
  const hosted = join(root, 'srv/acme/shop');
  const { id } = await hostRepository(description, hosted);
  return { id, hosted };
}

function ask(question: Partial<MergeBaseQuestion> & Pick<MergeBaseQuestion, 'head'>) {
  return mergeBaseByGit({
    serverUrl: server.url,
    owner: 'acme',
    repo: 'shop',
    token: TOKEN,
    base: { kind: 'branch', name: 'main' },
    pullRequest: 1,
    runnerTemp: temp,
    clock: new FakeClock({ auto: false }),
    signal: new AbortController().signal,
    ...question,
  });
}

const FORKED: FixtureDescription = {
  commits: [
    { name: 'root', files: { 'a.txt': '1' } },
    { name: 'fork', files: { 'a.txt': '2' } },
    { name: 'main2', parents: ['fork'], files: { 'b.txt': '1' } },
    { name: 'head', parents: ['fork'], files: { 'c.txt': '1' } },
  ],
  branches: { main: 'main2' },
  refs: { 'refs/pull/1/head': 'head' },
};

/**
 * Both branches merge `old`, an ancestor of their merge base `real`. A shallow fetch can leave out `real`, but get
 * `old`. Git then takes `old` for the merge base.
 */
const CUT_TRAP: FixtureDescription = {
  commits: [
    { name: 'old' },
    { name: 'real', parents: ['old'] },
    { name: 'm1', parents: ['real'] },
    { name: 'm2' },
    { name: 'm3' },
    { name: 'main', parents: ['m3', 'old'] },
    { name: 'h1', parents: ['real'] },
    { name: 'head', parents: ['h1', 'old'] },
  ],
  branches: { main: 'main', topic: 'head' },
};

describe('the merge base by git', () => {
  test('git finds the fork point if the base branch has newer commits', async () => {
    const repository = await host(FORKED);
    expect(await ask({ head: repository.id('head') })).toEqual({ ok: true, value: repository.id('fork') });
  });

  test('git accepts a commit id as the base', async () => {
    const repository = await host(FORKED);
    const base = { kind: 'commit', sha: repository.id('root') } as const;
    expect(await ask({ base, head: repository.id('head') })).toEqual({
      ok: true,
      value: repository.id('root'),
    });
  });

  test('git finds the merge base that a shallow history would miss', async () => {
    const repository = await host(CUT_TRAP);
    const shallow = await mkdtemp(join(root, 'shallow-'));
    await git(shallow, ['init', '--quiet', '--bare']);
    const source = `file://${repository.hosted}`;
    await git(shallow, ['fetch', '--quiet', '--depth=2', source, '+refs/heads/*:refs/heads/*']);
    // git() throws if git finds no merge base or fails.
    const cut = (await git(shallow, ['merge-base', 'main', 'topic'])).toString().trim();
    expect(cut).toBe(repository.id('old'));

    expect(await ask({ head: repository.id('head') })).toEqual({ ok: true, value: repository.id('real') });
  });

  test('git computes the merge base in SHA-256 repositories', async () => {
    const repository = await host({ ...FORKED, objectFormat: 'sha256' });
    expect(repository.id('head')).toHaveLength(64);
    expect(await ask({ head: repository.id('head') })).toEqual({ ok: true, value: repository.id('fork') });
  });

  test('git computes the merge base with a single fetch of commits', async () => {
    const repository = await host(FORKED);
    expect(await ask({ head: repository.id('head') })).toMatchObject({ ok: true });
    const fetches = server.requests.filter(({ body }) => body.includes('command=fetch'));
    expect(fetches).toHaveLength(1);
    expect(fetches[0]?.body).toContain('filter tree:0');
    expect(fetches[0]?.body).not.toContain('deepen');
  });

  test('git computes the merge base if the server cannot leave out trees', async () => {
    const repository = await host(FORKED);
    await git(repository.hosted, ['config', 'uploadpack.allowFilter', 'false']);
    expect(await ask({ head: repository.id('head') })).toMatchObject({ ok: true });
  });

  test('git does not choose among several merge bases of a criss-cross history', async () => {
    const repository = await host({
      commits: [
        { name: 'root' },
        { name: 'a', parents: ['root'] },
        { name: 'b', parents: ['root'] },
        { name: 'main', parents: ['a', 'b'] },
        { name: 'head', parents: ['b', 'a'] },
      ],
      branches: { main: 'main' },
      refs: { 'refs/pull/1/head': 'head' },
    });
    expect(await ask({ head: repository.id('head') })).toMatchObject({
      ok: false,
      error: { kind: 'several' },
    });
  });

  test('git finds no merge base of unrelated histories', async () => {
    const repository = await host({
      commits: [{ name: 'main' }, { name: 'head', parents: [] }],
      branches: { main: 'main' },
      refs: { 'refs/pull/1/head': 'head' },
    });
    const answer = await ask({ head: repository.id('head') });
    expect(answer).toMatchObject({ ok: false, error: { kind: 'no-common-ancestor' } });
  });
});

describe('the head', () => {
  test("the head is fetched from the pull request's ref if the server refuses a fetch by id", async () => {
    const repository = await host(FORKED);
    server.refuseNextFetch();
    expect(await ask({ head: repository.id('head') })).toEqual({ ok: true, value: repository.id('fork') });
  });

  test('without a pull request, git does not repeat a refused fetch', async () => {
    const repository = await host(FORKED);
    server.refuseNextFetch();
    const answer = await ask({ head: repository.id('head'), pullRequest: undefined });
    expect(answer).toMatchObject({ ok: false, error: { detail: expect.stringMatching(/not our ref/) } });
  });

  test('git refuses the current head of the pull request if another head was requested', async () => {
    await host(FORKED);
    const gone = 'f'.repeat(40);
    const answer = await ask({ head: gone });
    expect(answer).toMatchObject({
      ok: false,
      error: { kind: 'unavailable', detail: expect.stringMatching(/another head/) },
    });
    const pulls = server.requests.filter(({ line }) => line.startsWith('POST')).length;
    expect(pulls).toBeGreaterThan(1);
  });

  test('a head that does not exist causes an error', async () => {
    await host(FORKED);
    const answer = await ask({ head: 'f'.repeat(40), pullRequest: undefined });
    expect(answer).toMatchObject({
      ok: false,
      error: { kind: 'unavailable', detail: expect.stringMatching(/not our ref/) },
    });
  });
});

describe('code of the repository never runs', () => {
  test.each(['--upload-pack=touch pwned', '-x', '--exec=touch pwned', 'x:refs/heads/y', '*', '../../x'])(
    'an invalid name of a base branch runs no command: %s',
    async (name) => {
      const repository = await host(FORKED);
      const answer = await ask({ base: { kind: 'branch', name }, head: repository.id('head') });
      expect(answer).toMatchObject({ ok: false, error: { kind: 'unavailable' } });
      expect(existsSync('pwned')).toBe(false);
      expect(await readdir(temp)).toEqual([]);
    },
  );

  test('git accepts a base branch whose name looks like an option', async () => {
    const repository = await host({ ...FORKED, branches: { '--upload-pack=touch-pwned': 'main2' } });
    const base = { kind: 'branch', name: '--upload-pack=touch-pwned' } as const;
    expect(await ask({ base, head: repository.id('head') })).toEqual({
      ok: true,
      value: repository.id('fork'),
    });
    expect(existsSync('-pwned') || existsSync('touch-pwned')).toBe(false);
  });

  test('a head that is not a commit id never reaches git', async () => {
    await host(FORKED);
    expect(await ask({ head: '--upload-pack=x' })).toMatchObject({
      ok: false,
      error: { kind: 'unavailable' },
    });
    expect(server.requests).toEqual([]);
  });

  test('git sends the token in one header, and no error shows the token', async () => {
    const repository = await host(FORKED);
    const header = `[http "${server.url}/"]\n\textraheader = AUTHORIZATION: basic b3RoZXI=\n`;
    await withEnvironment({ GIT_CONFIG_GLOBAL: await globalConfig(header) }, async () => {
      expect(await ask({ head: repository.id('head') })).toMatchObject({ ok: true });
    });
    const sent = `basic ${Buffer.from(`x-access-token:${TOKEN}`).toString('base64')}`;
    expect(new Set(server.requests.map(({ authorization }) => authorization))).toEqual(new Set([sent]));

    const refused = await ask({ head: repository.id('head'), token: 'wrong-token' });
    expect(refused).toMatchObject({ ok: false, error: { kind: 'unavailable' } });
    expect(JSON.stringify(refused)).not.toContain('wrong-token');
  });

  test.each<[what: string, path: string]>([
    ['the server', '/'],
    ['the owner', '/acme/'],
    ['the repository', '/acme/shop'],
  ])(
    'git uses the address as given, even if its configuration replaces the address of %s',
    async (_, path) => {
      const repository = await host(FORKED);
      const config = `[url "http://127.0.0.1:1/"]\n\tinsteadOf = ${server.url}${path}\n`;
      await withEnvironment({ GIT_CONFIG_GLOBAL: await globalConfig(config) }, async () => {
        expect(await ask({ head: repository.id('head') })).toEqual({
          ok: true,
          value: repository.id('fork'),
        });
      });
    },
  );

  test.each(['', 'acme/shop'])(
    'git verifies the certificate of the server, even if the configuration for its address %j does not',
    async (path) => {
      const { serverUrl, requests } = await refusingServer();
      const config = `[http "${serverUrl}/${path}"]\n\tsslVerify = false\n[http]\n\tsslVerify = false\n`;
      const env = { GIT_CONFIG_GLOBAL: await globalConfig(config), GIT_SSL_NO_VERIFY: '1' };
      await withEnvironment(env, async () => {
        expect(await ask({ serverUrl, head: 'f'.repeat(40) })).toMatchObject({
          ok: false,
          error: { kind: 'unavailable', detail: expect.stringMatching(/certificate/) },
        });
      });
      expect(requests()).toBe(0);
    },
  );

  test('git accepts the certificate of a server whose authority `GIT_SSL_CAINFO` names', async () => {
    const { serverUrl, requests, authority } = await refusingServer();
    const file = join(root, 'authority.pem');
    await writeFile(file, authority);
    await withEnvironment({ GIT_SSL_CAINFO: file }, async () => {
      await ask({ serverUrl, head: 'f'.repeat(40) });
    });
    expect(requests()).toBeGreaterThan(0);
  });

  test("hooks in the user's git configuration do not run", async () => {
    const repository = await host(FORKED);
    const template = join(root, 'template/hooks');
    await mkdir(template, { recursive: true });
    const hook = `#!/bin/sh\ntouch ${join(root, 'pwned')}\n`;
    await writeFile(join(template, 'reference-transaction'), hook, { mode: 0o755 });
    const config = `[init]\n\ttemplateDir = ${join(root, 'template')}\n[core]\n\thooksPath = ${template}\n`;
    await withEnvironment({ GIT_CONFIG_GLOBAL: await globalConfig(config) }, async () => {
      expect(await ask({ head: repository.id('head') })).toMatchObject({ ok: true });
    });
    expect(existsSync(join(root, 'pwned'))).toBe(false);
  });
});

describe('a call of git', () => {
  test("a call of git does not change the user's checkout", async () => {
    const repository = await host(FORKED);
    const checkout = join(root, 'checkout');
    await git(root, [
      '-c',
      `http.extraheader=${basic()}`,
      'clone',
      '--quiet',
      '--depth=1',
      `${server.url}/acme/shop`,
      checkout,
    ]);
    const state = () => filesOf(join(checkout, '.git'));
    const before = await state();
    const cwd = process.cwd();
    await withEnvironment({ GIT_DIR: join(checkout, '.git'), GIT_WORK_TREE: checkout }, async () => {
      expect(await ask({ head: repository.id('head') })).toMatchObject({ ok: true });
    });
    expect(process.cwd()).toBe(cwd);
    expect(await state()).toEqual(before);
    expect(await readdir(temp)).toEqual([]);
  });

  test('a call of git prints nothing', async () => {
    const repository = await host(FORKED);
    const printed: string[] = [];
    const write = process.stdout.write.bind(process.stdout);
    process.stdout.write = (chunk: string | Uint8Array) => printed.push(String(chunk)) > 0;
    try {
      await ask({ head: repository.id('head') });
      await ask({ head: 'f'.repeat(40) });
    } finally {
      process.stdout.write = write;
    }
    expect(printed).toEqual([]);
  });

  test('a call of git ends after 30 seconds if the server never answers', async () => {
    const silent = await listenSilently();
    const pipes = () => process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length;
    const before = pipes();
    const clock = new FakeClock({ auto: false });
    const answer = ask({ serverUrl: silent.url, head: 'f'.repeat(40), clock });
    await silent.connected;
    await clock.advance(29_999);
    expect(pipes()).toBeGreaterThan(before);
    await clock.advance(1);
    expect(await answer).toMatchObject({
      ok: false,
      error: { kind: 'unavailable', detail: expect.stringMatching(/30 seconds/) },
    });
    // Git's helper for HTTP may still wait for the server, but this process has closed its pipes to git.
    expect(pipes()).toBe(before);
    expect(await readdir(temp)).toEqual([]);
    await silent.close();
  });

  test('a call of git ends at once if a signal stops the run', async () => {
    const silent = await listenSilently();
    const stop = new AbortController();
    const answer = ask({ serverUrl: silent.url, head: 'f'.repeat(40), signal: stop.signal });
    await silent.connected;
    stop.abort();
    expect(await answer).toMatchObject({
      ok: false,
      error: { kind: 'unavailable', detail: expect.stringMatching(/stopped/) },
    });
    await silent.close();
  });

  test('a machine without git is reported', async () => {
    await withEnvironment({ PATH: root }, async () => {
      const answer = await ask({ head: 'f'.repeat(40) });
      expect(answer).toMatchObject({
        ok: false,
        error: { kind: 'unavailable', detail: expect.stringMatching(/git/) },
      });
    });
  });
});

function basic(): string {
  return `AUTHORIZATION: basic ${Buffer.from(`x-access-token:${TOKEN}`).toString('base64')}`;
}

async function globalConfig(text: string): Promise<string> {
  const file = join(root, 'gitconfig');
  await writeFile(file, text);
  return file;
}

async function withEnvironment(change: Readonly<Record<string, string>>, work: () => Promise<void>) {
  const before = Object.keys(change).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, change);
  try {
    await work();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

async function filesOf(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    files.sort().map(async (file) => `${file} ${(await readFile(file)).toString('base64')}`),
  );
}

async function listenSilently() {
  let connected = () => {};
  const connection = new Promise<void>((resolve) => {
    connected = resolve;
  });
  const sockets = new Set<{ destroy(): void }>();
  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    connected();
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    connected: connection,
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        listener.close(() => resolve());
      }),
  };
}

/** A server that answers 401, with a certificate of an authority that no client knows. */
async function refusingServer() {
  const authority = createAuthority();
  let asked = 0;
  const server = createHttpsServer(
    authority.issue({ names: [], addresses: ['127.0.0.1'] }),
    (_request, response) => {
      asked += 1;
      response.writeHead(401).end();
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    serverUrl: `https://127.0.0.1:${address.port}`,
    authority: authority.cert,
    requests: () => asked,
  };
}
