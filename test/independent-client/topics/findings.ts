import { describe, expect, test } from 'vitest';
import type { Query } from '../client.ts';
import { accepted, refused } from '../documented-answer.ts';
import { everyCall } from '../every-call.ts';
import { FindingPage, Repositories, ScanPage } from '../records.ts';
import type { Session } from '../session.ts';

/** A finding's label, derived from its id as the service documents it. */
export function labelOf(id: string): string {
  return `ZK-${id.slice(-8)}`;
}

/** The id of one finding of the session's diff scan. */
export async function oneFinding(session: Session, nth = 0): Promise<string> {
  const id = (await session.diffFindings())[nth];
  if (id === undefined) throw new Error(`The diff scan has no finding ${nth}.`);
  return id;
}

export function findings(session: () => Session): void {
  const page = async (query: Query) => accepted(await session().client.findings(query), 200, FindingPage);

  describe('findings', () => {
    test('findings come in pages of 50 by default, and of 100 at most', async () => {
      const scanId = await session().fullScan();
      const { total } = await page({ scanId });
      expect(total).toBeGreaterThan(100);
      for (const [query, limit] of [
        [{}, 50],
        [{ limit: 7 }, 7],
        [{ limit: 100 }, 100],
        [{ limit: 101 }, 100],
        [{ limit: Number.MAX_SAFE_INTEGER }, 100],
        [{ limit: 5000 }, 100],
      ] as const) {
        const one = await page({ scanId, ...query });
        expect(one).toMatchObject({ page: 1, limit, total });
        expect(one.items).toHaveLength(limit);
      }
    });

    test('a token sees no repository outside its allowlist, and nothing that belongs to one', async () => {
      const { client, restricted, diffScan, plain, repository } = session();
      const scanId = await diffScan();
      const finding = await oneFinding(session());
      expect(accepted(await restricted.repositories(), 200, Repositories).repositories).toEqual([]);
      expect(accepted(await restricted.scans(), 200, ScanPage)).toMatchObject({ items: [], total: 0 });
      expect(accepted(await restricted.findings(), 200, FindingPage)).toMatchObject({ items: [], total: 0 });
      const ids = { repository, commit: plain.commit, scan: scanId, finding, note: 'any', area: 'any' };
      for (const [name, , call] of everyCall(restricted, ids)) {
        if (!/^(?:launch|list (?!audit))/.test(name)) refused(await call(), '404 not_found');
      }
      refused(await restricted.launch(plain), '404 not_found');
      refused(await restricted.findings({ scanId }), '404 not_found');
      refused(await client.findings({ scanId: 'no-such-scan' }), '404 not_found');
    });

    test.each(['page=0', 'limit=0', 'page=-1', 'page=x', 'limit=1.5', 'page=', `page=${2 ** 53}`])(
      'the service refuses a page that cannot exist: %s',
      async (query) => {
        const { client } = session();
        for (const list of [client.findings, client.scans]) {
          refused(await list(Object.fromEntries(new URLSearchParams(query))), '400 bad_request');
        }
      },
    );
  });
}
