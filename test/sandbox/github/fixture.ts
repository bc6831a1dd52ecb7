import { onTestFinished } from 'vitest';
import { createGitFixture, type FixtureDescription } from '../../../sandbox/git-fixture.ts';
import { type FakeGitHub, type GitHubOptions, startFakeGitHub } from '../../../sandbox/github/server.ts';
import { type SharedRepository, sharedRepository } from '../../support/shared-repository.ts';

/**
 * The repository of these tests. The branch `topic` starts at the first commit of `main`. The branch `alone` shares no
 * commit with `main`.
 */
export const GRAPH: FixtureDescription = {
  commits: [
    { name: 'root', files: { 'a.txt': 'one\n', 'old.txt': 'the same words\nas before\n' } },
    { name: 'main', files: { 'b.txt': 'two\n' } },
    { name: 't1', parents: ['root'], files: { 'c.txt': 'three\n' } },
    { name: 't2', files: { 'a.txt': 'changed\n' } },
    { name: 't3', files: { 'old.txt': null, 'new.txt': 'the same words\nas before\n' } },
    { name: 'orphan', parents: [], files: { 'x.txt': 'x\n' } },
  ],
  branches: { main: 'main', topic: 't3', 'feature/with/slash': 't1', alone: 'orphan' },
};

export interface Setup {
  readonly repo: SharedRepository;
  readonly github: FakeGitHub;
  /** Sends a request with the workflow token. */
  call(method: string, path: string, body?: unknown): Promise<Called>;
  /** Sends a request with this authorization. If it is undefined, the request has none. */
  callAs(authorization: string | undefined, method: string, path: string, body?: unknown): Promise<Called>;
}

export interface Called {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Starts a fake GitHub like `setup`. The test may change the repository, which is deleted after the test. */
export async function setupOwn(): Promise<Setup> {
  const repo = await createGitFixture(GRAPH);
  onTestFinished(() => repo.remove());
  return start(repo, {});
}

/**
 * Starts a fake GitHub that has pull request 7. Tests share its repository. The fake GitHub is closed after the test.
 */
export async function setup(options: Partial<GitHubOptions> = {}): Promise<Setup> {
  return start(await sharedRepository(GRAPH), options);
}

async function start(repo: SharedRepository, options: Partial<GitHubOptions>): Promise<Setup> {
  const github = await startFakeGitHub({
    repository: 'Octo-Org/demo',
    directory: repo.dir,
    pullRequests: [{ number: 7, headSha: repo.id('t3'), baseRef: 'main' }],
    ...options,
  });
  onTestFinished(() => github.close());
  const callAs: Setup['callAs'] = async (authorization, method, path, body) => {
    const url = path.startsWith('/') ? `${github.apiUrl}${path}` : path;
    const response = await fetch(url, {
      method,
      headers: authorization === undefined ? {} : { authorization },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
  };
  return { repo, github, callAs, call: (...args) => callAs(`Bearer ${github.token}`, ...args) };
}

/**
 * The value at a path of a parsed body, such as `commits.*.sha`. `*` stands for every item of a list, and a number for
 * one item.
 */
export function at(value: unknown, path: string): unknown {
  const [key, ...rest] = path.split('.');
  if (key === undefined || key === '') return value;
  const tail = rest.join('.');
  if (Array.isArray(value)) {
    return key === '*' ? value.map((item: unknown) => at(item, tail)) : at(value[Number(key)], tail);
  }
  if (typeof value !== 'object' || value === null) return undefined;
  return at(new Map<string, unknown>(Object.entries(value)).get(key), tail);
}
