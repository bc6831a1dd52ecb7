import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpsServer } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { FixtureDescription } from '../../../sandbox/git-fixture.ts';
import { git } from '../../../sandbox/git-process.ts';
import { type MergeBaseQuestion, mergeBaseByGit } from '../../../src/git/merge-base.ts';
import { createAuthority } from '../../scenarios/certificates.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { listening } from '../../support/serve.ts';
import { sharedRepository } from '../../support/shared-repository.ts';
import { type GitServer, serveGit } from './http-backend.ts';

const TOKEN = 'ghs_secretsecretsecret';
const BASIC = Buffer.from(`x-access-token:${TOKEN}`).toString('base64');
const GONE = 'f'.repeat(40);

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
  vi.unstubAllEnvs();
  await server.close();
  await rm(root, { recursive: true, force: true });
});

/** Serves a repository. Like repositories on GitHub, it accepts filters. */
async function host(description: FixtureDescription = FORKED) {
  const hosted = join(root, 'srv/acme/shop');
  const { dir, id } = await sharedRepository(description);
  await cp(dir, hosted, { recursive: true });
  await appendFile(join(hosted, 'config'), '[uploadpack]\n\tallowFilter = true\n');
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

const CRISS_CROSS: FixtureDescription = {
  commits: [
    { name: 'root' },
    { name: 'a', parents: ['root'] },
    { name: 'b', parents: ['root'] },
    { name: 'main', parents: ['a', 'b'] },
    { name: 'head', parents: ['b', 'a'] },
  ],
  branches: { main: 'main' },
  refs: { 'refs/pull/1/head': 'head' },
};
const UNRELATED: FixtureDescription = {
  commits: [{ name: 'main' }, { name: 'head', parents: [] }],
  branches: { main: 'main' },
  refs: { 'refs/pull/1/head': 'head' },
};
const OPTION = '--upload-pack=touch-pwned';

/** The question is about the commit `head`. The names of the fixture stand for its commits. */
interface Situation {
  readonly repository?: FixtureDescription;
  readonly question?: Partial<MergeBaseQuestion>;
  /** The base is this commit. Default: the branch `main`. */
  readonly base?: string;
  readonly refusesIds?: true;
  /** The text of the user's configuration of git. `SERVER` stands for the address of the server. */
  readonly config?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

async function asked({ repository, question, base, refusesIds, config, environment = {} }: Situation = {}) {
  const { id } = await host(repository);
  if (refusesIds) server.refuseNextFetch();
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  if (config !== undefined)
    vi.stubEnv('GIT_CONFIG_GLOBAL', await fileOf('gitconfig', config.replaceAll('SERVER', server.url)));
  const commit = base === undefined ? {} : { base: { kind: 'commit', sha: id(base) } as const };
  return { id, answer: await ask({ head: id('head'), ...commit, ...question }) };
}

async function fileOf(name: string, text: string): Promise<string> {
  const file = join(root, name);
  await writeFile(file, text);
  return file;
}

const branch = (name: string) => ({ base: { kind: 'branch', name } as const });
const instead = (path: string) => ({ config: `[url "http://127.0.0.1:1/"]\n\tinsteadOf = SERVER${path}\n` });

test.each<[what: string, found: string, situation: Situation]>([
  ['the base branch has newer commits', 'fork', {}],
  ['the base is a commit', 'root', { base: 'root' }],
  ['a shallow history would miss it', 'real', { repository: CUT_TRAP }],
  ['the ids are SHA-256', 'fork', { repository: { ...FORKED, objectFormat: 'sha256' } }],
  ['the server refuses a fetch by id', 'fork', { refusesIds: true }],
  [
    'the name of the base branch looks like an option',
    'fork',
    { repository: { ...FORKED, branches: { [OPTION]: 'main2' } }, question: branch(OPTION) },
  ],
  ['the configuration replaces the address of the server', 'fork', instead('/')],
  ['the configuration replaces the address of the owner', 'fork', instead('/acme/')],
  ['the configuration replaces the address of the repository', 'fork', instead('/acme/shop')],
])('git finds the merge base if %s', async (_what, found, situation) => {
  const { id, answer } = await asked(situation);
  expect(answer).toEqual({ ok: true, value: id(found) });
  expect(existsSync('-pwned') || existsSync('touch-pwned')).toBe(false);
});

test.each<[what: string, kind: string, detail: RegExp, situation: Situation]>([
  ['there are several', 'several', /2 merge bases/, { repository: CRISS_CROSS }],
  ['the histories are unrelated', 'no-common-ancestor', /share no commit/, { repository: UNRELATED }],
  [
    'the server refuses the id, and there is no pull request',
    'unavailable',
    /not our ref/,
    { refusesIds: true, question: { pullRequest: undefined } },
  ],
  ['the pull request has another head', 'unavailable', /another head/, { question: { head: GONE } }],
  [
    'the head does not exist',
    'unavailable',
    /not our ref/,
    { question: { head: GONE, pullRequest: undefined } },
  ],
  [
    'the token is wrong',
    'unavailable',
    /Authentication|could not read/i,
    { question: { token: 'wrong-token' } },
  ],
  ['there is no git', 'unavailable', /git/, { environment: { PATH: '/nowhere' } }],
])('git finds no merge base if %s', async (_what, kind, detail, situation) => {
  const { answer } = await asked(situation);
  expect(answer).toMatchObject({ ok: false, error: { kind, detail: expect.stringMatching(detail) } });
  expect(JSON.stringify(answer)).not.toContain('wrong-token');
  expect(await readdir(temp)).toEqual([]);
});

test.each([
  ...['--upload-pack=touch pwned', '-x', '--exec=touch pwned', 'x:refs/heads/y', '*', '../../x'].map(branch),
  { head: '--upload-pack=x' },
])('an invalid name runs no command: %j', async (question) => {
  const { answer } = await asked({ question });
  expect(answer).toMatchObject({ ok: false, error: { kind: 'unavailable' } });
  expect(existsSync('pwned')).toBe(false);
  expect(await readdir(temp)).toEqual([]);
  if ('head' in question) expect(server.requests).toEqual([]);
});

describe('the fetch', () => {
  test('the shallow history of a test leads to another commit', async () => {
    const { id, hosted } = await host(CUT_TRAP);
    const shallow = await mkdtemp(join(root, 'shallow-'));
    await git(shallow, ['init', '--quiet', '--bare']);
    await git(shallow, [
      ...['fetch', '--quiet', '--depth=2', `file://${hosted}`],
      '+refs/heads/*:refs/heads/*',
    ]);
    const found = await git(shallow, ['merge-base', 'main', 'topic']);
    expect(found.toString().trim()).toBe(id('old'));
  });

  test('git computes the merge base with a single fetch of commits', async () => {
    expect((await asked()).answer).toMatchObject({ ok: true });
    const [fetch, ...others] = server.requests.filter(({ body }) => body.includes('command=fetch'));
    expect(others).toEqual([]);
    expect(fetch?.body).toContain('filter tree:0');
    expect(fetch?.body).not.toContain('deepen');
  });

  test('git computes the merge base if the server cannot leave out trees', async () => {
    const { id, hosted } = await host();
    await git(hosted, ['config', 'uploadpack.allowFilter', 'false']);
    expect(await ask({ head: id('head') })).toMatchObject({ ok: true });
  });

  test('git sends the token in one header', async () => {
    const config = '[http "SERVER/"]\n\textraheader = AUTHORIZATION: basic b3RoZXI=\n';
    expect((await asked({ config })).answer).toMatchObject({ ok: true });
    const sent = server.requests.map(({ authorization }) => authorization);
    expect(new Set(sent)).toEqual(new Set([`basic ${BASIC}`]));
  });

  test.each(['', 'acme/shop'])(
    'git verifies the certificate of the server, even if the configuration for its address %j does not',
    async (path) => {
      const { serverUrl, requests } = await refusingServer();
      const off = '\tsslVerify = false\n';
      const config = `[http "${serverUrl}/${path}"]\n${off}[http]\n${off}`;
      const environment = { GIT_SSL_NO_VERIFY: '1' };
      const { answer } = await asked({ config, environment, question: { serverUrl } });
      const error = { kind: 'unavailable', detail: expect.stringMatching(/certificate/) };
      expect(answer).toMatchObject({ ok: false, error });
      expect(requests()).toBe(0);
    },
  );

  test('git accepts the certificate of a server whose authority `GIT_SSL_CAINFO` names', async () => {
    const { serverUrl, requests, authority } = await refusingServer();
    vi.stubEnv('GIT_SSL_CAINFO', await fileOf('authority.pem', authority));
    await ask({ serverUrl, head: GONE });
    expect(requests()).toBeGreaterThan(0);
  });
});

describe('a call of git', () => {
  test("hooks in the user's git configuration do not run", async () => {
    const template = join(root, 'template/hooks');
    await mkdir(template, { recursive: true });
    const hook = `#!/bin/sh\ntouch ${join(root, 'pwned')}\n`;
    await writeFile(join(template, 'reference-transaction'), hook, { mode: 0o755 });
    const config = `[init]\n\ttemplateDir = ${join(root, 'template')}\n[core]\n\thooksPath = ${template}\n`;
    expect((await asked({ config })).answer).toMatchObject({ ok: true });
    expect(existsSync(join(root, 'pwned'))).toBe(false);
  });

  test("a call of git does not change the user's checkout, and prints nothing", async () => {
    const { id } = await host();
    const checkout = join(root, 'checkout');
    const header = ['-c', `http.extraheader=AUTHORIZATION: basic ${BASIC}`];
    await git(root, [...header, 'clone', '--quiet', '--depth=1', `${server.url}/acme/shop`, checkout]);
    const before = await filesOf(join(checkout, '.git'));
    const cwd = process.cwd();
    vi.stubEnv('GIT_DIR', join(checkout, '.git'));
    vi.stubEnv('GIT_WORK_TREE', checkout);
    const print = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    onTestFinished(() => print.mockRestore());
    expect(await ask({ head: id('head') })).toMatchObject({ ok: true });
    expect(await ask({ head: GONE })).toMatchObject({ ok: false });
    expect(print.mock.calls).toEqual([]);
    expect(process.cwd()).toBe(cwd);
    expect(await filesOf(join(checkout, '.git'))).toEqual(before);
    expect(await readdir(temp)).toEqual([]);
  });

  test('a call of git ends after 30 seconds if the server never answers', async () => {
    const silent = await listenSilently();
    const pipes = () => process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length;
    const before = pipes();
    const clock = new FakeClock({ auto: false });
    const answer = ask({ serverUrl: silent.url, head: GONE, clock });
    await silent.connected;
    await clock.advance(29_999);
    expect(pipes()).toBeGreaterThan(before);
    await clock.advance(1);
    const error = { kind: 'unavailable', detail: expect.stringMatching(/30 seconds/) };
    expect(await answer).toMatchObject({ ok: false, error });
    // Git's helper for HTTP may still wait for the server, but this process has closed its pipes to git.
    expect(pipes()).toBe(before);
    expect(await readdir(temp)).toEqual([]);
  });

  test('a call of git ends at once if a signal stops the run', async () => {
    const silent = await listenSilently();
    const stop = new AbortController();
    const answer = ask({ serverUrl: silent.url, head: GONE, signal: stop.signal });
    await silent.connected;
    stop.abort();
    const error = { kind: 'unavailable', detail: expect.stringMatching(/stopped/) };
    expect(await answer).toMatchObject({ ok: false, error });
  });
});

async function filesOf(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    files.sort().map(async (file) => `${file} ${(await readFile(file)).toString('base64')}`),
  );
}

/** A server that accepts connections, and never answers. `connected` resolves at the first connection. */
async function listenSilently() {
  const { promise: connected, resolve } = Promise.withResolvers<void>();
  const listener = createServer((socket) => {
    onClose.push(() => socket.destroy());
    socket.on('error', () => {});
    resolve();
  });
  const onClose: (() => unknown)[] = [() => listener.close()];
  onTestFinished(() => {
    for (const close of onClose) close();
  });
  return { url: `http://${await listening(listener)}`, connected };
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
  const serverUrl = `https://${await listening(server)}`;
  onTestFinished(() => void server.close());
  return { serverUrl, authority: authority.cert, requests: () => asked };
}
