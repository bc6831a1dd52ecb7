import { describe, expect, test } from 'vitest';
import type { ListedScan, Scan, ScanList } from '../../src/domain/scan.ts';
import { findRunningScans } from '../../src/scan/running-scan.ts';
import type { PolledScan } from '../../src/scan-api/client.ts';
import { answers, aScan, BASE, HEAD, polled, unreachable } from './stand-in-api.ts';

const SUBJECT = { repositoryId: 'r', presetRef: 'diff', baseCommit: BASE, commit: HEAD };
const OTHER = 'c'.repeat(40);

function listed(shown: Partial<ListedScan>): ListedScan {
  const { progress: _, ...scan } = aScan('RUNNING', SUBJECT);
  return { ...scan, ...shown };
}

async function find(scans: readonly ListedScan[], ...details: Parameters<typeof answers<PolledScan>>) {
  const scan = answers<PolledScan>(...details);
  const list: ScanList = { scans, complete: true };
  const found = await findRunningScans({ scan }, 'p', list, SUBJECT, new Set(['passed over']));
  return { found, read: scan.calls.map(([, id]) => id) };
}

describe('a scan under way that is visibly of the change', () => {
  test.each(['QUEUED', 'RUNNING', 'A_WORD_OF_TOMORROW'])('is found while it is %s', async (status) => {
    expect(await find([listed({ status })])).toEqual({ found: ['s'], read: [] });
  });

  test.each<[string, Partial<ListedScan>]>([
    ['over', { status: 'COMPLETED' }],
    ['cancelled', { status: 'CANCELLED' }],
    ['of another commit', { commit: OTHER }],
    ['measured from another base', { baseCommit: OTHER }],
    ['of another repository', { repositoryId: 'x' }],
    ['of another preset', { presetRef: 'full' }],
    ['without an id', { id: undefined }],
    ['passed over', { id: 'passed over' }],
  ])('is not one that is %s', async (_what, shown) => {
    expect(await find([listed(shown)])).toEqual({ found: [], read: [] });
  });

  test('may be several', async () => {
    expect(await find([listed({ id: 'a' }), listed({ id: 'b' })])).toMatchObject({ found: ['a', 'b'] });
    expect(await find([listed({ id: 'a' }), listed({ id: 'b', status: 'FAILED' })])).toMatchObject({
      found: ['a'],
    });
  });

  const hidden = { status: undefined, commit: undefined };
  const detail = (status: string, shown: Partial<Scan> = {}) =>
    polled(aScan(status, { ...SUBJECT, ...shown }));

  test.each([
    ['COMPLETED', ['s']],
    ['FAILED', []],
    ['CANCELLED', []],
  ])('that is %s by the time its detail is read', async (status, found) => {
    expect(await find([listed({ commit: undefined })], detail(status))).toEqual({ found, read: ['s'] });
  });

  test('is recognized by its detail where the list shows too little', async () => {
    expect(await find([listed(hidden)], detail('RUNNING'))).toEqual({ found: ['s'], read: ['s'] });
    expect(await find([listed(hidden)], detail('COMPLETED'))).toMatchObject({ found: [] });
    expect(await find([listed(hidden)], detail('RUNNING', { commit: OTHER }))).toMatchObject({
      found: [],
    });
    expect(await find([listed(hidden)], detail('RUNNING', { commit: undefined }))).toMatchObject({
      found: [],
    });
  });

  test('is not guessed where its detail cannot be read', async () => {
    const lost = unreachable('unknown', 'reset');
    expect(await find([listed(hidden)], lost)).toMatchObject({ found: [] });
  });

  test('costs twenty details at most', async () => {
    const many = Array.from({ length: 50 }, (_, index) => listed({ ...hidden, id: `s${index}` }));
    const { read } = await find(many, ...many.map(() => detail('RUNNING', { commit: OTHER })));
    expect(read).toHaveLength(20);
  });
});
