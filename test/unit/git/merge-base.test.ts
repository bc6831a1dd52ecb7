import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import type { FixtureDescription } from '../../../sandbox/git-fixture.ts';
import { git } from '../../../sandbox/git-process.ts';
import { gitHttp } from '../../../sandbox/github/git-http.ts';
import { type MergeBaseQuestion, mergeBaseByGit } from '../../../src/git/merge-base.ts';
import { createAuthority } from '../../scenarios/certificates.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { listening } from '../../support/serve.ts';
import { sharedRepository } from '../../support/shared-repository.ts';

const TOKEN = 'ghs_secretsecretsecret';
const BASIC = Buffer.from(`x-access-token:${TOKEN}`).toString('base64');
const GONE = 'f'.repeat(40);
const REFUSED_ID = '0020ERR upload-pack: not our ref';

let root: string;
let temp: string;
let serverUrl: string;
/** What the server was asked since the test began. Git compresses long bodies. */
const requests: { readonly authorization: string | undefined; readonly body: string }[] = [];
/** The folder of the repository that the server has as `acme/shop`. */
let hosted: string;
/** True if the server answers the next fetch like one that does not serve commits by their id. */
let refusesIds: boolean;

const server = createHttpServer(async (request, response) => {
  const body = await buffer(request);
  const { method = '', url = '', headers } = request;
  requests.push({ authorization: headers.authorization, body: body.toString('latin1') });
  const { pathname, search } = new URL(url, serverUrl);
  const path = pathname.replace('/acme/shop', '');
  if (headers.authorization?.toLowerCase() !== `basic ${BASIC}`.toLowerCase()) {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
  } else if (refusesIds && body.includes('command=fetch')) {
    refusesIds = false;
    response.setHeader('content-type', 'application/x-git-upload-pack-result').end(REFUSED_ID);
  } else {
    const answer = await gitHttp(hosted, { method, path, query: search.slice(1), headers, body });
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }
});

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'scangate-git-test-'));
  temp = join(root, 'runner-temp');
  await mkdir(temp);
  serverUrl = `http://${await listening(server)}`;
});

beforeEach(() => {
  requests.length = 0;
  refusesIds = false;
});

afterEach(() => vi.unstubAllEnvs());

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(root, { recursive: true, force: true });
});

/** Serves a repository. Like repositories on GitHub, it accepts filters. */
async function host(description: FixtureDescription = FORKED, filters = true) {
  const { dir, id } = await sharedRepository(description);
  hosted = await mkdtemp(join(root, 'srv-'));
  const repository = join(hosted, 'repository.git');
  await cp(dir, repository, { recursive: true });
  await appendFile(join(repository, 'config'), `[uploadpack]\n\tallowFilter = ${filters}\n`);
  return { id, repository };
}

function ask(question: Partial<MergeBaseQuestion> & Pick<MergeBaseQuestion, 'head'>) {
  return mergeBaseByGit({
    serverUrl,
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
  /** The server refuses the first fetch, which names commits by their ids. */
  readonly refused?: true;
  /** The text of the user's configuration of git. `SERVER` stands for the address of the server. */
  readonly config?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

async function asked({ repository, question, base, refused, config, environment = {} }: Situation = {}) {
  const { id } = await host(repository);
  refusesIds = refused === true;
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  if (config !== undefined)
    vi.stubEnv('GIT_CONFIG_GLOBAL', await fileOf('gitconfig', config.replaceAll('SERVER', serverUrl)));
  const commit = base === undefined ? {} : { base: { kind: 'commit', sha: id(base) } as const };
  return { id, answer: await ask({ head: id('head'), ...commit, ...question }) };
}

async function fileOf(name: string, text: string): Promise<string> {
  const file = join(root, name);
  await writeFile(file, text);
  return file;
}

const branch = (name: string) => ({ base: { kind: 'branch', name } as const });
const instead = (path: string) => `[url "http://127.0.0.1:1/"]\n\tinsteadOf = SERVER${path}\n`;

test.each<[what: string, found: string, situation: Situation]>([
  ['the base is a commit', 'root', { base: 'root' }],
  ['a shallow history would miss it', 'real', { repository: CUT_TRAP }],
  ['the ids are SHA-256', 'fork', { repository: { ...FORKED, objectFormat: 'sha256' } }],
  ['the server refuses a fetch by id', 'fork', { refused: true }],
  [
    'the name of the base branch looks like an option',
    'fork',
    { repository: { ...FORKED, branches: { [OPTION]: 'main2' } }, question: branch(OPTION) },
  ],
  [
    'the configuration replaces the addresses of the server, the owner and the repository',
    'fork',
    { config: ['/', '/acme/', '/acme/shop'].map(instead).join('') },
  ],
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
    { refused: true, question: { pullRequest: undefined } },
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
  ...['--upload-pack=touch pwned', 'x:refs/heads/y', '*', '../../x'].map(branch),
  { head: '--upload-pack=x' },
])('an invalid name runs no command: %j', async (question) => {
  const { answer } = await asked({ question });
  expect(answer).toMatchObject({ ok: false, error: { kind: 'unavailable' } });
  expect(existsSync('pwned')).toBe(false);
  expect(await readdir(temp)).toEqual([]);
  expect(requests).toEqual([]);
});

describe('the fetch', () => {
  test('the shallow history of a test leads to another commit', async () => {
    const { id, repository } = await host(CUT_TRAP);
    const shallow = await mkdtemp(join(root, 'shallow-'));
    await git(shallow, ['init', '--quiet', '--bare']);
    await git(shallow, [
      ...['fetch', '--quiet', '--depth=2', `file://${repository}`],
      '+refs/heads/*:refs/heads/*',
    ]);
    const found = await git(shallow, ['merge-base', 'main', 'topic']);
    expect(found.toString().trim()).toBe(id('old'));
  });

  test('git computes the merge base with a single fetch of commits, and sends the token in one header', async () => {
    const config = '[http "SERVER/"]\n\textraheader = AUTHORIZATION: basic b3RoZXI=\n';
    const { id, answer } = await asked({ config });
    expect(answer).toEqual({ ok: true, value: id('fork') });
    const [fetch, ...others] = requests.filter(({ body }) => body.includes('command=fetch'));
    expect(others).toEqual([]);
    expect(fetch?.body).toContain('filter tree:0');
    expect(fetch?.body).not.toContain('deepen');
    const sent = requests.map(({ authorization }) => authorization);
    expect(new Set(sent)).toEqual(new Set([`basic ${BASIC}`]));
  });

  test('git computes the merge base if the server cannot leave out trees', async () => {
    const { id } = await host(FORKED, false);
    expect(await ask({ head: id('head') })).toMatchObject({ ok: true });
  });

  test('git verifies the certificate of the server, even if the configuration for its address does not', async () => {
    const refusing = await refusingServer();
    const addresses = ['http', ...['', 'acme/shop'].map((path) => `http "${refusing.serverUrl}/${path}"`)];
    const config = addresses.map((address) => `[${address}]\n\tsslVerify = false\n`).join('');
    const environment = { GIT_SSL_NO_VERIFY: '1' };
    const { answer } = await asked({ config, environment, question: { serverUrl: refusing.serverUrl } });
    const error = { kind: 'unavailable', detail: expect.stringMatching(/certificate/) };
    expect(answer).toMatchObject({ ok: false, error });
    expect(refusing.requests()).toBe(0);
  });

  test('git accepts the certificate of a server whose authority `GIT_SSL_CAINFO` names', async () => {
    const refusing = await refusingServer();
    vi.stubEnv('GIT_SSL_CAINFO', await fileOf('authority.pem', refusing.authority));
    await ask({ serverUrl: refusing.serverUrl, head: GONE });
    expect(refusing.requests()).toBeGreaterThan(0);
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
    await git(root, [...header, 'clone', '--quiet', '--depth=1', `${serverUrl}/acme/shop`, checkout]);
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
  onTestFinished(() => void server.close());
  return {
    serverUrl: `https://${await listening(server)}`,
    authority: authority.cert,
    requests: () => asked,
  };
}
