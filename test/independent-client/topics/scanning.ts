import { describe, expect, test } from 'vitest';
import { NAMES } from '../client.ts';
import { accepted } from '../documented-answer.ts';
import { ScanPage } from '../records.ts';
import type { Session } from '../session.ts';

export function scanning(session: () => Session): void {
  describe('scans that run to their end', () => {
    test('the service lists scans in pages, most recent first', async () => {
      const { client, diffScan, fullScan } = session();
      const [older, newer] = [await diffScan(), await fullScan()];
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
