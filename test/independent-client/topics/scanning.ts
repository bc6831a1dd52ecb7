import { describe, expect, test } from 'vitest';
import { NAMES } from '../client.ts';
import { accepted, refused } from '../documented-answer.ts';
import { FindingPage, Guidance, ScanPage } from '../records.ts';
import { BUDGET, type Session } from '../session.ts';

export function scanning(session: () => Session): void {
  describe('scans that run to their end', () => {
    test('the service sends `Retry-After` only while the scan runs', async () => {
      const { reads } = await session().diffScan();
      expect(reads.length).toBeGreaterThan(1);
      for (const { retryAfter } of reads.slice(0, -1)) expect(retryAfter).toMatch(/^\d+$/);
      expect(reads.at(-1)).toMatchObject({ retryAfter: null, scan: { status: 'COMPLETED' } });
    });

    test('the progress of a scan shows the completed phases, a fixed total of phases, and the budget', async () => {
      const progress = (await session().diffScan()).reads.map(({ scan }) => scan.progress);
      const counts = progress.map(({ phasesCompleted }) => phasesCompleted);
      expect(counts).toEqual([...counts].sort((a, b) => a - b));
      expect(new Set(progress.map(({ phasesTotal }) => phasesTotal)).size).toBe(1);
      expect(counts.at(-1)).toBe(progress.at(-1)?.phasesTotal);
      for (const one of progress) expect(one[NAMES.progress.reserved]).toBe(BUDGET);
    });

    test('the service shows the diff base of a diff scan, and null for a full scan', async () => {
      const { diffScan, fullScan, shop } = session();
      for (const { scan } of (await diffScan()).reads) expect(scan[NAMES.scan.diffBase]).toBe(shop.base);
      for (const { scan } of (await fullScan()).reads) expect(scan[NAMES.scan.diffBase]).toBeNull();
    });

    test('the service does not cancel a completed scan', async () => {
      refused(await session().client.cancel((await session().diffScan()).id), '400 bad_request');
    });

    test('a diff scan finds exactly the vulnerabilities that the change adds', async () => {
      const scanId = (await session().diffScan()).id;
      const { items } = accepted(await session().client.findings({ scanId }), 200, FindingPage);
      expect(items.map((item) => item[NAMES.finding.path])).toEqual([
        'src/cart/checkout.js',
        'src/cart/checkout.js',
      ]);
    });

    test('the guidance in a launch does not change the guidance of the repository', async () => {
      const { client, repository: id, fullScan } = session();
      const before = accepted(await client.guidance(id), 200, Guidance);
      await fullScan();
      expect(accepted(await client.guidance(id), 200, Guidance)).toEqual(before);
    });

    test('the service lists scans in pages, most recent first', async () => {
      const { client, diffScan, fullScan } = session();
      const [older, newer] = [(await diffScan()).id, (await fullScan()).id];
      const all = accepted(await client.scans(), 200, ScanPage);
      expect(all).toMatchObject({ page: 1, limit: 50, total: all.items.length });
      const ids = all.items.map((item) => item[NAMES.scan.id]);
      expect(ids.indexOf(newer)).toBeLessThan(ids.indexOf(older));

      const paged: string[] = [];
      for (let page = 1; paged.length < all.total; page += 1) {
        const one = accepted(await client.scans({ page, limit: 2 }), 200, ScanPage);
        expect(one).toMatchObject({ page, limit: 2, total: all.total });
        paged.push(...one.items.map((item) => item[NAMES.scan.id]));
        if (page * 2 >= one.total) break;
      }
      expect(paged).toEqual(ids);
      expect(accepted(await client.scans({ limit: 101 }), 200, ScanPage).limit).toBe(100);
    });
  });
}
