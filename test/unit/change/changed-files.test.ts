import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { changedFiles, hasOneMergeBase } from '../../../src/change/changed-files.ts';
import type { TargetBase } from '../../../src/domain/target.ts';
import { treesOnce } from '../../../src/github/git-tree.ts';
import { githubClient } from '../../support/github-client.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { SHA } from '../github/client.ts';
import { type Folder, filesOnGitHub } from './repository-files.ts';

/** Changes files of a folder, or adds them, by their paths. */
function withFiles(folder: Folder, paths: readonly string[]): Folder {
  const changed: Record<string, Folder[string]> = { ...folder };
  for (const path of paths) {
    const [name = '', ...rest] = path.split('/');
    const entry = changed[name];
    const below = typeof entry === 'object' && !('mode' in entry) ? (entry as Folder) : {};
    changed[name] = rest.length === 0 ? 'changed' : withFiles(below, [rest.join('/')]);
  }
  return changed;
}

/** Finds the files of a change of `before`, and which of them the base branch has moved. */
async function find(tip: Folder, paths: readonly string[], fail?: number) {
  const files = filesOnGitHub({
    [SHA.base]: before,
    [SHA.head]: withFiles(before, paths),
    [SHA.other]: tip,
  });
  if (fail !== undefined) files.fail(fail, { kind: 'forbidden' });
  const commits = { baseSha: SHA.base, headSha: SHA.head, tip: SHA.other };
  const found = { paths: [] as string[], moved: [] as string[], error: undefined as unknown };
  for await (const file of changedFiles(treesOnce(files.github), commits)) {
    if (!file.ok) found.error = file.error.error;
    else if (file.value.moved === undefined) found.paths.push(file.value.path);
    else found.moved.push(file.value.moved);
  }
  return found;
}

const src: Folder = { 'a.js': 'one' };
const docs: Folder = { 'a.md': 'one', 'b.md': 'two', img: { 'a.png': 'x' } };
const before: Folder = { 'README.md': 'hello', docs, src };

describe('changedFiles: the base branch has not moved the files', () => {
  test.each<[string, Folder, readonly string[]]>([
    ['changed only other paths', { ...before, src: { 'a.js': 'two' } }, ['README.md', 'docs/a.md']],
    [
      'changed another file in the folder of the file',
      { ...before, docs: { ...docs, 'b.md': 'x' } },
      ['docs/a.md'],
    ],
    ['added the folder of the file', { ...before, new: { 'a.md': 'x' } }, ['new/b.md']],
    [
      'added the folder of the file and the folder above it',
      { ...before, new: { sub: src } },
      ['new/sub/b.md'],
    ],
    [
      'does not have the files, because the change adds them',
      { ...before, 'x.js': 'x' },
      ['docs/new.md', 'deep/new/file.md'],
    ],
    ['moved a file of another folder', { ...before, src: {}, lib: src }, ['new.md', 'docs/a.md']],
    [
      'moved another file out of the folder of the file',
      { ...before, docs: { 'a.md': 'one', img: docs['img'] as Folder }, 'b.md': 'two' },
      ['docs/a.md', 'docs/new.md'],
    ],
  ])('changedFiles finds no moved file if the base branch %s', async (_where, tip, paths) => {
    expect(await find(tip, paths)).toEqual({ paths, moved: [], error: undefined });
  });
});

describe('changedFiles: the base branch has moved or changed a file', () => {
  const { 'a.md': _moved, ...without } = docs;
  test.each<[string, Folder, readonly string[], string]>([
    [
      'a file that moved',
      { ...before, docs: without, src: { ...src, 'a.md': 'one' } },
      ['docs/a.md'],
      'docs/a.md',
    ],
    ['a file that is gone', { ...before, docs: without }, ['README.md', 'docs/a.md'], 'docs/a.md'],
    ['a file that changed', { ...before, 'README.md': 'bye' }, ['docs/a.md', 'README.md'], 'README.md'],
    ['a file with another mode', { ...before, 'README.md': { mode: '100755' } }, ['README.md'], 'README.md'],
    ['a file where there was none', { ...before, 'NEW.md': 'x' }, ['NEW.md'], 'NEW.md'],
    ['a file in a new folder', { ...before, new: { 'a.md': 'x' } }, ['new/a.md'], 'new/a.md'],
    [
      'the folder of a file that the change adds',
      { 'README.md': 'hello', src, text: docs },
      ['docs/new.md'],
      'docs',
    ],
    [
      'the folder above a folder that the change adds',
      { 'README.md': 'hello', src, text: docs },
      ['docs/new/a.md'],
      'docs',
    ],
    [
      'the subfolder of a file that the change adds',
      { ...before, docs: { 'a.md': 'one', 'b.md': 'two' }, img: docs['img'] as Folder },
      ['docs/img/new.png'],
      'docs/img',
    ],
    ['a symlink in place of a folder', { ...before, docs: { mode: '120000' } }, ['docs/new.md'], 'docs'],
    ['a submodule in place of a folder', { ...before, docs: { mode: '160000' } }, ['docs/new.md'], 'docs'],
    ['a file in place of a folder', { ...before, docs: 'x' }, ['docs/new.md'], 'docs'],
    ['a file where the change has a folder', { ...before, new: 'x' }, ['new/a.md'], 'new'],
    [
      'a folder in place of a file',
      { ...before, 'README.md': { 'a.md': 'x' } },
      ['README.md/b.md'],
      'README.md',
    ],
    ['a folder where the change has a file', { ...before, new: { 'a.md': 'x' } }, ['new'], 'new'],
    [
      'a folder that the change replaces by a file',
      { ...before, docs: { ...docs, 'c.md': 'x' } },
      ['docs'],
      'docs',
    ],
  ])('on the base branch, changedFiles finds %s', async (_what, tip, paths, moved) => {
    for (const order of [paths, paths.toReversed()]) expect((await find(tip, order)).moved[0]).toEqual(moved);
  });
});

describe('changedFiles: not all files are known', () => {
  const tip = { ...before, docs: { ...docs, 'b.md': 'x' } };
  test.each([1, 2, 3, 4, 5, 6])('changedFiles ends with an error if request %i fails', async (request) => {
    expect((await find(tip, ['docs/a.md'], request)).error).toMatchObject({ kind: 'forbidden' });
  });
});

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
  const github = githubClient(async ({ parameters, answer }) => {
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
  });
  const range = { baseSha: id('base'), headSha: id('head'), how: 'compare' } as const;
  return { one: await hasOneMergeBase({ github, signal: NEVER_ABORTED }, base, range), asked };
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
