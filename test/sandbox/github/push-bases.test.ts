import { expect, onTestFinished, test } from 'vitest';
import { createGitFixture, type FixtureCommit } from '../../../sandbox/git-fixture.ts';
import { startFakeGitHub } from '../../../sandbox/github/server.ts';
import { findDiffBase } from '../../../src/change/diff-base.ts';
import type { ScanTarget } from '../../../src/domain/target.ts';
import { createGitHub } from '../../../src/github/octokit.ts';
import { createRandom } from '../../support/driver/random.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';

interface Push {
  readonly how: 'new branch' | 'commits' | 'merge' | 'force';
  readonly branch: string;
  /** The commit before the push. Undefined if the branch is new. */
  readonly before: string | undefined;
  readonly after: string;
}

const MAIN = 'main';
const PUSHES = 20;
const SEED = 20_261_122;

/** A history with merges and force pushes, and the pushes that created it. Commits have names instead of ids. */
function generateHistory(random: () => number) {
  const commits: FixtureCommit[] = [{ name: 'c0', files: { 'c0.txt': 'c0\n' } }];
  const branches: Record<string, string> = { [MAIN]: 'c0' };
  const pushes: Push[] = [];
  const below = (limit: number) => Math.floor(random() * limit);
  const commit = (...parents: string[]): string => {
    const name = `c${commits.length}`;
    commits.push({ name, parents, files: { [`${name}.txt`]: `${name}\n` } });
    return name;
  };
  const grow = (from: string): string => {
    let tip = from;
    for (let count = 1 + below(3); count > 0; count -= 1) tip = commit(tip);
    return tip;
  };
  const anyOf = (names: readonly string[]) => names[below(names.length)] ?? MAIN;
  while (pushes.length < PUSHES) {
    const how = (['new branch', 'commits', 'merge', 'force'] as const)[below(4)] ?? 'commits';
    const branch = how === 'new branch' ? `topic-${pushes.length}` : anyOf(Object.keys(branches));
    const tip = branches[branch];
    const anywhere = `c${below(commits.length)}`;
    const after =
      how === 'merge' && tip !== undefined
        ? commit(tip, branches[anyOf(Object.keys(branches))] === tip ? grow(anywhere) : anywhere)
        : grow(how === 'commits' && tip !== undefined ? tip : anywhere);
    branches[branch] = after;
    pushes.push({ how, branch, before: tip, after });
  }
  return { commits, branches, pushes };
}

test(`for each of ${PUSHES} pushes, the comparison finds a merge base that git finds in the full history`, async () => {
  const { commits, branches, pushes } = generateHistory(createRandom(SEED));
  const repository = await createGitFixture({ commits, branches, bare: true });
  onTestFinished(() => repository.remove());
  const server = await startFakeGitHub({ repository: 'acme/shop', directory: repository.dir });
  onTestFinished(() => server.close());
  const { apiUrl, graphqlUrl, serverUrl, token } = server;
  const place = { owner: 'acme', repo: 'shop', apiUrl, graphqlUrl };
  const clock = new FakeClock();
  const deps = {
    github: createGitHub({ token, environment: place, clock, fetch }),
    githubToken: token,
    environment: { ...place, serverUrl, runnerTemp: undefined },
    clock,
    signal: NEVER_ABORTED,
    warn: () => {},
  };
  const kinds = new Set<Push['how']>();
  let ownBases = 0;
  for (const { how, branch, before, after } of pushes) {
    kinds.add(how);
    const headSha = repository.id(after);
    const beforeSha = before === undefined ? undefined : repository.id(before);
    const target: ScanTarget = {
      event: 'push',
      repository: { owner: 'acme', name: 'shop', isPublic: true },
      headSha,
      base: { kind: 'push', branch, before: beforeSha, defaultBranch: MAIN },
      secretsWithheld: false,
      pullRequest: undefined,
    };
    const found = await findDiffBase(deps, target, undefined);
    const all = await repository.git('merge-base', '--all', beforeSha ?? `refs/heads/${MAIN}`, headSha);
    const what = `${how} of ${branch}, ${before} to ${after}`;
    expect(found, what).toMatchObject({ ok: true, value: { headSha, how: 'compare' } });
    const base = found.ok ? found.value.baseSha : undefined;
    expect(all.split('\n'), what).toContain(base);
    if (base !== beforeSha) ownBases += 1;
  }
  expect([...kinds].toSorted()).toEqual(['commits', 'force', 'merge', 'new branch']);
  // For more than five of the pushes, the base is not the commit before the push.
  expect(ownBases).toBeGreaterThan(5);
});
