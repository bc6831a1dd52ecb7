import { onTestFinished } from 'vitest';
import { createGitFixture, type FixtureDescription } from '../../../sandbox/git-fixture.ts';
import { type GitHubOptions, startFakeGitHub } from '../../../sandbox/github/server.ts';
import { type SharedRepository, sharedRepository } from '../../support/shared-repository.ts';

/**
 * The repository of these tests. The branch `topic` starts at the first commit of `main`. The branch `alone` shares no
 * commit with `main`. `twice` is a branch and a tag.
 */
const GRAPH: FixtureDescription = {
  commits: [
    { name: 'root', files: { 'a.txt': 'one\n', 'old.txt': 'the same words\nas before\n' } },
    { name: 'main', files: { 'b.txt': 'two\n' } },
    { name: 't1', parents: ['root'], files: { 'c.txt': 'three\n' } },
    { name: 't2', files: { 'a.txt': 'changed\n' } },
    { name: 't3', files: { 'old.txt': null, 'new.txt': 'the same words\nas before\n' } },
    { name: 'orphan', parents: [], files: { 'x.txt': 'x\n' } },
    {
      name: 'kinds',
      parents: ['orphan'],
      files: {
        'folder/long.txt': 'é'.repeat(30),
        link: { symlinkTo: 'x.txt' },
        module: { submodule: '5'.repeat(40) },
        run: { executable: '' },
      },
    },
    {
      name: 'many',
      parents: ['root'],
      files: Object.fromEntries(Array.from({ length: 310 }, (_, at) => [`f${at}.txt`, `${at}\n`])),
    },
  ],
  branches: {
    main: 'main',
    topic: 't3',
    'feature/with/slash': 't1',
    alone: 'orphan',
    kinds: 'kinds',
    many: 'many',
    twice: 't3',
  },
  refs: { 'refs/tags/twice': 't1' },
};

/** The names of the commits. */
export const COMMITS = GRAPH.commits.map(({ name }) => name);

export type Setup = Awaited<ReturnType<typeof setup>>;

/** Starts a fake GitHub like `setup`. The test may change the repository, which is deleted after the test. */
export async function setupOwn(): Promise<Setup> {
  const repo = await createGitFixture(GRAPH);
  onTestFinished(() => repo.remove());
  return setup({}, repo);
}

/**
 * Starts a fake GitHub that has pull request 7. Tests share its repository. The fake GitHub is closed after the test.
 */
export async function setup(options: Partial<GitHubOptions> = {}, own?: SharedRepository) {
  const repo = own ?? (await sharedRepository(GRAPH));
  const github = await startFakeGitHub({
    repository: 'Octo-Org/demo',
    directory: repo.dir,
    pullRequests: [{ number: 7, headSha: repo.id('t3'), baseRef: 'main' }],
    ...options,
  });
  onTestFinished(() => github.close());
  /** Sends a request to a path of the repository, to a path such as `/user`, or to `graphql`. By default, it has the workflow token. */
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    authorization: string | undefined = `Bearer ${github.token}`,
  ) => {
    const place = path.startsWith('/') ? path : `/repos/octo-org/demo/${path}`;
    const response = await fetch(path === 'graphql' ? github.graphqlUrl : `${github.apiUrl}${place}`, {
      method,
      headers: authorization === '' ? {} : { authorization },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed: unknown = text === '' ? undefined : JSON.parse(text);
    return { status: response.status, headers: response.headers, body: parsed };
  };
  return { repo, github, call };
}
