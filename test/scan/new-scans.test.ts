import { describe, expect, test } from 'vitest';
import type { LaunchIntent } from '../../src/domain/launch-intent.ts';
import type { ListedScan, Scan, ScanList } from '../../src/domain/scan.ts';
import { judgeNewScans, newScans, notedIds, showsTooLittle } from '../../src/scan/new-scans.ts';
import { aScan, BASE, HEAD } from './stand-in-api.ts';

const OTHER = 'c'.repeat(40);
const wanted = { repositoryId: 'r', presetRef: 'diff', baseCommit: BASE, commit: HEAD, creditBudget: 20 };
const intent: LaunchIntent = { projectId: 'p', headSha: HEAD, noted: ['old'], wanted };
/** Everything about a scan as it was wanted. */
const whole = { repositoryId: 'r', presetRef: 'diff', baseCommit: BASE, commit: HEAD };

function listed(id: string | undefined, shown: Partial<ListedScan> = {}): ListedScan {
  const { progress: _, ...nothing } = aScan('RUNNING');
  return { ...nothing, ...shown, id };
}

const list = (...scans: ListedScan[]): ScanList => ({ scans, complete: true });
const details = (...scans: Scan[]) => new Map(scans.map((scan) => [scan.id, scan]));
const judge = (scans: ScanList, seen: Scan[] = [], changes: Partial<LaunchIntent> = {}) =>
  judgeNewScans(scans, details(...seen), { ...intent, ...changes });

describe('exactly one new scan', () => {
  test('that is visibly what was wanted is found, whatever older ones look like', () => {
    const scans = list(listed('new', whole), listed('old', whole));
    expect(judge(scans)).toEqual({ kind: 'found', scanId: 'new' });
  });

  test('is found among new ones that are visibly something else', () => {
    const others = (['repositoryId', 'presetRef', 'baseCommit', 'commit'] as const).map((member) =>
      listed(`other ${member}`, { ...whole, [member]: OTHER }),
    );
    expect(judge(list(...others, listed('new', whole)))).toEqual({ kind: 'found', scanId: 'new' });
  });

  test.each([
    ['in any case', { ...whole, commit: HEAD.toUpperCase() }],
    ['abbreviated', { ...whole, commit: HEAD.slice(0, 7) }],
  ])('is recognized by a commit %s', (_how, shown) => {
    expect(judge(list(listed('new', shown)))).toMatchObject({ kind: 'found' });
  });

  test('is found by its details where the list shows ids alone', () => {
    const detail = { ...aScan('QUEUED', whole), id: 'new' };
    expect(judge(list(listed('new')), [detail])).toEqual({ kind: 'found', scanId: 'new' });
  });

  test('is found where only the base or only the commit can be seen at all', () => {
    for (const shown of [{ baseCommit: BASE }, { commit: HEAD }]) {
      const detail = { ...aScan('QUEUED', shown), id: 'new' };
      expect(judge(list(listed('new', shown)), [detail])).toMatchObject({ kind: 'found' });
    }
  });

  test('is found whatever it shows of what the launch body did not say', () => {
    const without = { ...wanted, repositoryId: undefined, presetRef: undefined };
    expect(judge(list(listed('new', whole)), [], { wanted: without })).toMatchObject({ kind: 'found' });
  });

  test('is not found by what the launch body did not say', () => {
    const without = { ...wanted, commit: undefined, baseCommit: undefined };
    expect(judge(list(listed('new', whole)), [], { wanted: without })).toMatchObject({ why: 'cannot-tell' });
  });
});

describe('no scan is taken for ours', () => {
  test('when there is none', () => {
    expect(judge(list(listed('old', whole)))).toEqual({ kind: 'undecided', why: 'none', ids: [] });
    expect(judge(list(), [], { noted: [] })).toMatchObject({ why: 'none' });
    expect(judge(list(listed('new', { ...whole, commit: OTHER })))).toMatchObject({ why: 'none' });
  });

  test('when several match', () => {
    const scans = list(listed('a', whole), listed('b', whole), listed('old', whole));
    expect(judge(scans)).toEqual({ kind: 'undecided', why: 'several', ids: ['a', 'b'] });
  });

  test.each([
    ['neither commit nor base is shown, in the details either', { repositoryId: 'r', presetRef: 'diff' }],
    ['nothing is shown', {}],
  ])('when %s', (_what, shown) => {
    const detail = { ...aScan('QUEUED', shown), id: 'new' };
    expect(judge(list(listed('new', shown)), [detail])).toEqual({
      kind: 'undecided',
      why: 'cannot-tell',
      ids: ['new'],
    });
  });

  test('while its details, which may show another commit, could not be read', () => {
    const scans = list(listed('new', { ...whole, commit: undefined }));
    expect(judge(scans)).toMatchObject({ why: 'cannot-tell', ids: ['new'] });
    const detail = { ...aScan('QUEUED', { commit: OTHER }), id: 'new' };
    expect(judge(scans, [detail])).toMatchObject({ why: 'none' });
  });

  test('while another new one could be ours as well', () => {
    expect(judge(list(listed('new', whole), listed('unseen')))).toMatchObject({
      why: 'cannot-tell',
      ids: ['new', 'unseen'],
    });
    expect(judge(list(listed('new', whole), listed(undefined)))).toMatchObject({ why: 'cannot-tell' });
  });

  test('when it has no id', () => {
    expect(judge(list(listed(undefined, whole)))).toEqual({ kind: 'undecided', why: 'cannot-tell', ids: [] });
  });

  test('when a page full of new scans may hide others', () => {
    const full: ScanList = { scans: [listed('new', whole), listed('x', { commit: OTHER })], complete: false };
    expect(judge(full)).toMatchObject({ why: 'cannot-tell', ids: ['new'] });
    const withOld: ScanList = { scans: [...full.scans, listed('old')], complete: false };
    expect(judge(withOld)).toMatchObject({ kind: 'found' });
  });

  test('when it was not noted which were there before; those of this change are named', () => {
    const scans = list(listed('a', whole), listed('b', { commit: OTHER }), listed('c'));
    expect(judge(scans, [], { noted: undefined })).toEqual({
      kind: 'undecided',
      why: 'not-noted',
      ids: ['a'],
    });
  });
});

test('details are asked for exactly where they can tell something', () => {
  expect(showsTooLittle(listed('new', whole), wanted)).toBe(false);
  expect(showsTooLittle(listed('new', { commit: HEAD }), wanted)).toBe(true);
  expect(showsTooLittle(listed('new', { commit: OTHER }), wanted)).toBe(false);
  const { presetRef: _, ...unseen } = whole;
  expect(showsTooLittle(listed('new', unseen), { ...wanted, presetRef: undefined })).toBe(false);
});

test('ids are noted all or not at all', () => {
  expect(notedIds(list(listed('b'), listed('a')))).toEqual(['b', 'a']);
  expect(notedIds(list(listed('b'), listed(undefined)))).toBeUndefined();
  expect(newScans(list(listed('b'), listed('old'), listed(undefined)), intent).map(({ id }) => id)).toEqual([
    'b',
    undefined,
  ]);
});
