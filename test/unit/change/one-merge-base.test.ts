import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { hasOneMergeBase } from '../../../src/change/one-merge-base.ts';
import type { TargetBase } from '../../../src/domain/target.ts';
import type { GitHubClient } from '../../../src/github/octokit.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';

const id = (name: string) => Buffer.from(name.padEnd(20, '-')).toString('hex');
const branch: TargetBase = { kind: 'branch', name: 'main', tip: id('tip') };

/** The parents of each commit. `tip` and `base` are commits of the base branch. */
type History = Readonly<Record<string, readonly string[]>>;

function ancestors(history: History, from: string): ReadonlySet<string> {
  const found = new Set([from]);
  for (const name of found) for (const parent of history[name] ?? []) found.add(parent);
  return found;
}

async function ask(history: History, base: TargetBase = branch, total = 0) {
  const names = new Map(Object.keys(history).map((name) => [id(name), name]));
  const asked: string[] = [];
  const github: GitHubClient = {
    owner: 'acme',
    repo: 'shop',
    graphqlUrl: '',
    pauseAfterLoss: async () => {},
    ask: async ({ parameters, answer }) => {
      const { basehead } = v.parse(v.object({ basehead: v.string() }), parameters);
      const [from = '', to = ''] = basehead.split('...').map((sha) => names.get(sha));
      asked.push(`${from}...${to}`);
      const [before, after] = [ancestors(history, from), ancestors(history, to)];
      const own = [...after].filter((name) => !before.has(name));
      const common = [...after].filter((name) => before.has(name));
      const best = common.find(
        (name) => !common.some((other) => other !== name && ancestors(history, other).has(name)),
      );
      const data = v.parse(answer, {
        merge_base_commit: { sha: id(best ?? '') },
        total_commits: own.length + total,
        commits: own.map((name) => ({
          sha: id(name),
          parents: (history[name] ?? []).map((parent) => ({ sha: id(parent) })),
        })),
      });
      return { ok: true, value: { data, hasNextPage: false } };
    },
  };
  const range = { baseSha: id('base'), headSha: id('head'), how: 'compare' } as const;
  return { one: await hasOneMergeBase({ github, signal: NEVER_ABORTED }, { base }, range), asked };
}

describe('hasOneMergeBase: one merge base', () => {
  test.each<[string, History, number]>([
    ['a line of commits', { root: [], base: ['root'], tip: ['base'], a: ['base'], head: ['a'] }, 1],
    [
      'a head into which the base branch was merged',
      { root: [], base: ['root'], tip: ['base'], a: ['root'], head: ['a', 'base'] },
      2,
    ],
  ])('hasOneMergeBase returns true for %s', async (_name, history, requests) => {
    const { one, asked } = await ask(history);
    expect([one, asked.length]).toEqual([true, requests]);
  });

  test('hasOneMergeBase sends no request if the head contains the base branch', async () => {
    const history = { base: [], tip: ['base'], head: ['base'] };
    const current = { ...branch, tip: id('base') };
    expect(await ask(history, current)).toEqual({ one: true, asked: [] });
    const group: TargetBase = { kind: 'merge-group', sha: id('base'), branch: 'main' };
    expect(await ask(history, group)).toEqual({ one: true, asked: [] });
  });
});

describe('hasOneMergeBase: several merge bases, or an unknown number', () => {
  test('hasOneMergeBase returns false if the head and the base branch merge the same two commits', async () => {
    const history = {
      root: [],
      main: ['root'],
      base: ['root'],
      tip: ['main', 'base'],
      undo: ['base', 'main'],
      head: ['undo'],
    };
    expect((await ask(history)).one).toBe(false);
  });

  test('hasOneMergeBase returns false if the list of commits is incomplete', async () => {
    expect((await ask({ base: [], tip: ['base'], head: ['base'] }, branch, 1)).one).toBe(false);
  });

  test('hasOneMergeBase returns false if the history has too many merges', async () => {
    const older = ['a', 'b', 'c', 'd', 'e', 'f'];
    const history = {
      ...Object.fromEntries(older.map((name, index) => [name, older.slice(index - 1, index)])),
      base: ['f'],
      tip: ['base'],
      head: [...older, 'base'],
    };
    expect((await ask(history)).one).toBe(false);
  });

  test('hasOneMergeBase returns false if the tip of the base branch is not known', async () => {
    const history = { base: [], tip: ['base'], head: ['base'] };
    expect((await ask(history, { ...branch, tip: undefined })).one).toBe(false);
    expect((await ask(history, { kind: 'none' })).one).toBe(false);
  });
});
