import { describe, expect, test } from 'vitest';
import { ok } from '../../src/domain/result.ts';
import type { ListedScan, ScanList } from '../../src/domain/scan.ts';
import { type OtherScansSearch, watchOtherScans } from '../../src/reuse/other-scans.ts';
import type { PolledScan } from '../../src/scan-api/client.ts';
import { answers, aScan, BASE, HEAD, unreachable } from '../scan/stand-in-api.ts';

const SUBJECT = { repositoryId: 'r', presetRef: 'diff', baseCommit: BASE, commit: HEAD };

const mark = (scanId: string, key = 'ours') => ({ scanId, key, headSha: HEAD });

/** Scans that visibly are of the change. */
function listOf(...scans: readonly (readonly [id: string, status: string])[]): ScanList {
  const { progress: _, ...shown } = aScan('', SUBJECT);
  return { scans: scans.map(([id, status]): ListedScan => ({ ...shown, id, status })), complete: true };
}

function watch(search: Partial<OtherScansSearch>, ...lists: Parameters<typeof answers<ScanList>>) {
  const said: string[] = [];
  const api = { scans: answers<ScanList>(...lists), scan: answers<PolledScan>() };
  const others = watchOtherScans(
    { api, log: { info: (line) => void said.push(line) } },
    {
      projectId: 'p',
      scans: listOf(),
      subject: SUBJECT,
      marks: [],
      readMarks: async () => [],
      key: 'ours',
      ...search,
    },
  );
  return { others, said, listed: api.scans.calls };
}

describe('a scan under way that no mark names', () => {
  test('is found in the list that is there already, once, and told', async () => {
    const { others, said, listed } = watch({ scans: listOf(['s2', 'RUNNING'], ['s1', 'COMPLETED']) });
    expect(await others.find()).toBe('s2');
    expect(await others.find()).toBeUndefined();
    expect(said).toEqual([expect.stringContaining('s2')]);
    expect(listed).toEqual([]);
  });

  test('is not one that a mark names: whether that can be used is known already', async () => {
    const { others } = watch({ scans: listOf(['s2', 'RUNNING']), marks: [mark('s2', 'other')] });
    expect(await others.find()).toBeUndefined();
  });

  test('is not looked for without a subject, or without a list', async () => {
    const scans = listOf(['s2', 'RUNNING']);
    expect(await watch({ scans, subject: undefined }).others.find()).toBeUndefined();
    expect(await watch({ scans: undefined }).others.find()).toBeUndefined();
  });

  test('is not guessed where there are several, unless a mark tells by now', async () => {
    const scans = listOf(['s3', 'RUNNING'], ['s2', 'QUEUED'], ['s1', 'RUNNING']);
    const marked = (...marks: ReturnType<typeof mark>[]) =>
      watch({ scans, readMarks: async () => marks }).others.find();
    expect(await marked()).toBeUndefined();
    expect(await marked(mark('s2'))).toBe('s2');
    // Marks of other parts leave one.
    expect(await marked(mark('s1', 'other'), mark('s3', 'other'))).toBe('s2');
  });

  test('that came while we waited is found by listing again', async () => {
    const { others, listed } = watch({}, ok(listOf(['s3', 'QUEUED'])));
    expect(await others.find()).toBeUndefined();
    expect(await others.findAgain()).toBe('s3');
    expect(listed).toEqual([['p']]);
  });
});

describe('a scan that was marked while we waited', () => {
  const readMarks = async () => [mark('s5', 'other'), mark('s4'), mark('s1')];

  test('is found, over or not, once, and not one that was tried, or is of other parts', async () => {
    const list = ok(listOf(['s5', 'RUNNING'], ['s4', 'COMPLETED'], ['s1', 'FAILED']));
    const { others } = watch({ marks: [mark('s1')], readMarks }, list, list);
    expect(await others.findAgain()).toBe('s4');
    expect(await others.findAgain()).toBeUndefined();
    expect(others.noted()).toEqual(['s5', 's4', 's1']);
  });

  test('is found where the scans cannot be listed', async () => {
    const { others } = watch({ readMarks }, unreachable('unknown', 'reset'));
    expect(await others.findAgain()).toBe('s4');
  });
});

describe('the scans that are noted before a launch', () => {
  test('are the newest listing, so that what others launched while we waited is not new', async () => {
    const { others } = watch({ scans: listOf(['s1', 'COMPLETED']) }, ok(listOf(['s2', 'FAILED'])));
    expect(others.noted()).toEqual(['s1']);
    await others.findAgain();
    expect(others.noted()).toEqual(['s2']);
  });

  test('are noted again also where no scan is to be found', async () => {
    const { others } = watch({ subject: undefined }, ok(listOf(['s2', 'RUNNING'])));
    expect(await others.findAgain()).toBeUndefined();
    expect(others.noted()).toEqual(['s2']);
  });

  test('stay those from before where they cannot be listed again', async () => {
    const lost = unreachable('unknown', 'reset');
    const { others } = watch({ scans: listOf(['s1', 'RUNNING']), marks: [mark('s1')] }, lost);
    expect(await others.findAgain()).toBeUndefined();
    expect(others.noted()).toEqual(['s1']);
  });

  test('are not known where they could never be listed', () => {
    expect(watch({ scans: undefined }).others.noted()).toBeUndefined();
  });
});
