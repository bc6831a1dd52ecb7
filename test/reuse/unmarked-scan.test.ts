import { describe, expect, test } from 'vitest';
import { ok } from '../../src/domain/result.ts';
import type { ListedScan, ScanList } from '../../src/domain/scan.ts';
import { type UnmarkedScanSearch, watchUnmarkedScans } from '../../src/reuse/unmarked-scan.ts';
import type { PolledScan } from '../../src/scan-api/client.ts';
import { answers, aScan, BASE, HEAD, unreachable } from '../scan/stand-in-api.ts';

const SUBJECT = { repositoryId: 'r', presetRef: 'diff', baseCommit: BASE, commit: HEAD };

/** Scans that visibly are of the change. */
function listOf(...scans: readonly (readonly [id: string, status: string])[]): ScanList {
  const { progress: _, ...shown } = aScan('', SUBJECT);
  return { scans: scans.map(([id, status]): ListedScan => ({ ...shown, id, status })), complete: true };
}

function watch(search: Partial<UnmarkedScanSearch>, ...lists: Parameters<typeof answers<ScanList>>) {
  const said: string[] = [];
  const api = { scans: answers<ScanList>(...lists), scan: answers<PolledScan>() };
  const others = watchUnmarkedScans(
    { api, log: { info: (line) => void said.push(line) } },
    { projectId: 'p', scans: listOf(), subject: SUBJECT, marked: [], ...search },
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
    const { others } = watch({ scans: listOf(['s2', 'RUNNING']), marked: ['s2'] });
    expect(await others.find()).toBeUndefined();
  });

  test('is not looked for without a subject, or without a list', async () => {
    const scans = listOf(['s2', 'RUNNING']);
    expect(await watch({ scans, subject: undefined }).others.find()).toBeUndefined();
    expect(await watch({ scans: undefined }).others.find()).toBeUndefined();
  });

  test('that came while we waited is found by listing again', async () => {
    const { others, listed } = watch({}, ok(listOf(['s3', 'QUEUED'])));
    expect(await others.find()).toBeUndefined();
    expect(await others.findAgain()).toBe('s3');
    expect(listed).toEqual([['p']]);
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
    const { others } = watch({ scans: listOf(['s1', 'RUNNING']), marked: ['s1'] }, lost);
    expect(await others.findAgain()).toBeUndefined();
    expect(others.noted()).toEqual(['s1']);
  });

  test('are not known where they could never be listed', () => {
    expect(watch({ scans: undefined }).others.noted()).toBeUndefined();
  });
});
