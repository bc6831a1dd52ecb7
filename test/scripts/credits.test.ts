import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readClone } from '../../scripts/bench/credits/read-clone.ts';
import recorded from '../../scripts/bench/credits/recorded.json' with { type: 'json' };
import { countLaunches, type Events, runsOf } from '../../scripts/bench/credits/replay.ts';
import { changeOf, changesOf, countShapes, shapeOf } from '../../scripts/bench/credits/shape.ts';
import { scansByEvent } from '../../scripts/bench/credits/table.ts';
import { read } from '../project/code.ts';
import { sharedRepository } from '../support/shared-repository.ts';
import { runScripts } from './run-scripts.ts';

const BRANCH = { queue: true, push: true };

/** Counts the workflow runs, and the scans that Scangate launches in them. */
function count(shapes: readonly string[], events: Partial<Events>) {
  const changes = shapes.map((shape, index) => changeOf(shape, String(index)));
  const runs = runsOf(changes, { queue: false, push: false, ...events });
  return [runs.length, countLaunches(runs)];
}

describe('the scans of a history', () => {
  test.each<[what: string, shape: string, events: Partial<Events>, runs: number, launches: number]>([
    ['a push of new files', '0.1 d0.2 > 0.2', {}, 2, 2],
    ['a push of the same files', '0.1 d0.1 > 0.1', {}, 2, 1],
    ['a push back to the files of an older, scanned head', '0.1 d0.2 d0.1 > 0.1', {}, 3, 3],
    ['a merge of the base branch', '0.1 d2.3 > 2.3', {}, 2, 2],
    ['an up-to-date change in a merge queue', '0.1 > 0.1', BRANCH, 3, 1],
    ['an outdated change in a merge queue', '0.1 > 2.3', BRANCH, 3, 2],
    ['an outdated change that is merged without a queue', '0.1 > 2.3', { push: true }, 2, 2],
    ['the same files from another base', '0.1 > 2.1', { queue: true }, 2, 2],
    ['commits that are pushed together', '0.1 b0.2 c0.3 > 0.3', {}, 2, 2],
    ['rewritten commits, with a push before the rewrite', '~ 0.1 > 0.1', {}, 2, 2],
  ])(
    'the benchmark counts the runs and the scans of a change: %s',
    (_what, shape, events, runs, launches) => {
      expect(count([shape], events)).toEqual([runs, launches]);
    },
  );

  test('changes of the same shape share no scan, in one repository or in two', () => {
    const changes = ['a', 'b'].flatMap((name) => changesOf(name, { '0.1 > 0.1': 2 }));
    expect(countLaunches(runsOf(changes, BRANCH))).toBe(4);
  });
});

const merge = (number: number) => `Merge pull request #${number} from octo-org/topic`;
const openClone = () =>
  sharedRepository({
    commits: [
      { name: 'start', files: { a: '1' } },
      { name: 'one', files: { b: '1' } },
      { name: 'two', files: { b: '2' } },
      { name: 'merge 1', parents: ['start', 'two'], files: { b: '2' }, message: merge(1) },
      { name: 'three', parents: ['start'], files: { c: '1' } },
      { name: 'update', parents: ['three', 'merge 1'], files: { b: '2' } },
      { name: 'four', files: { c: '2' } },
      { name: 'squashed', parents: ['merge 1'], files: { d: '1' } },
      { name: 'merge 2', parents: ['squashed', 'four'], files: { c: '2' }, message: merge(2) },
      { name: 'other merge', parents: ['merge 2', 'start'], message: 'Merge branch x' },
    ],
  });

describe('a clone', () => {
  test('the benchmark finds the heads and the base of each merged change in a clone', async () => {
    const repository = await openClone();
    const changes = readClone(repository.dir, repository.id('other merge'), 10);
    expect(changes.map(shapeOf)).toEqual(['0.1 a0.2 > 0.2', '0.1 a2.3 a2.4 > 5.6']);
    expect(changes[1]?.heads[1]?.base.sha).toBe(repository.id('merge 1'));
    expect(readClone(repository.dir, repository.id('other merge'), 1)).toEqual(changes.slice(1));
    const [real, made] = [changes, changesOf('made', countShapes(changes))].map((each) =>
      countLaunches(runsOf(each, BRANCH)),
    );
    // Each change is one push with one scan. The third scan is for the merge group of the second change, because the
    // head of this change was not up to date.
    expect([real, made]).toEqual([3, 3]);
  });
});

test('`npm run bench:credits -- --clone` prints the table of the clone, or explains why it cannot', async () => {
  const repository = await openClone();
  const missing = path.join(repository.dir, 'missing');
  const clone = ['bench:credits', '--clone', repository.dir, '--tip'] as const;
  const [table, shapes, none, absent] = runScripts(
    [...clone, repository.id('other merge')],
    [...clone, repository.id('other merge'), '--shapes'],
    [...clone, repository.id('two')],
    ['bench:credits', '--clone', missing],
  );
  // Each of the two changes has two runs: for a push and for a merge group. The merge group of the first change needs no
  // scan, because this change was up to date.
  const row = '| pull requests and merge queue | 2.00 | 1.50 | 25 % |';
  expect(table).toEqual({ status: 0, stdout: expect.stringContaining(row), stderr: '' });
  expect(JSON.parse(shapes?.stdout ?? '')).toEqual({ '0.1 a0.2 > 0.2': 1, '0.1 a2.3 a2.4 > 5.6': 1 });
  const isMissing = 'Found no pull request that was merged by a merge commit';
  expect(none).toEqual({ status: 2, stdout: '', stderr: expect.stringContaining(isMissing) });
  const cannotRead =
    /^--clone: git cannot read HEAD in .*\/missing \(fatal: .*\)\. Use the path of a clone, and a commit in it\.\n$/;
  expect(absent).toEqual({ status: 2, stdout: '', stderr: expect.stringMatching(cannotRead) });
});

test('the shape of a change describes its heads and its base', () => {
  for (const { shapes } of recorded)
    for (const shape of Object.keys(shapes)) expect(shapeOf(changeOf(shape, 'x'))).toBe(shape);
  expect(() => changeOf('0.1', 'x')).toThrow('no shape of a change');
});

describe('docs/cost.md', () => {
  const page = read('docs/cost.md');

  test('docs/cost.md shows the table that `npm run bench:credits` prints', () =>
    expect(page).toContain(scansByEvent(recorded)));

  test('docs/cost.md names the source of each history', () => {
    const sum = (shapes: object) => Object.values(shapes).reduce((total, one) => total + Number(one), 0);
    expect(recorded.length).toBeGreaterThanOrEqual(3);
    expect(recorded.reduce((total, { shapes }) => total + sum(shapes), 0)).toBeGreaterThanOrEqual(300);
    for (const { repository, tip } of recorded) expect(page).toContain(`${repository}/tree/${tip}`);
  });
});
