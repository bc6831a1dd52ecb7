import { describe, expect, test } from 'vitest';
import { NAMES, type Query } from '../client.ts';
import { accepted, refused } from '../documented-answer.ts';
import { everyCall } from '../every-call.ts';
import { FindingDetail, FindingPage, Repositories, ScanPage } from '../records.ts';
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
      const scanId = (await session().fullScan()).id;
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

    test('the pages of a list of findings contain each finding exactly once', async () => {
      const scanId = (await session().fullScan()).id;
      const seen: string[] = [];
      let last = { page: 0, limit: 40, total: 1 };
      while (last.page * last.limit < last.total) {
        const one = await page({ scanId, page: last.page + 1, limit: 40 });
        expect(one.page).toBe(last.page + 1);
        seen.push(...one.items.map((item) => item[NAMES.finding.id]));
        last = one;
      }
      expect(seen).toHaveLength(last.total);
      expect(new Set(seen).size).toBe(last.total);
    });

    test('the service lists findings for one scan, or for the whole project', async () => {
      const { diffScan, fullScan } = session();
      const [change, branch] = [(await diffScan()).id, (await fullScan()).id];
      const ofChange = await page({ scanId: change });
      expect(ofChange.total).toBe(2);
      const added = ofChange.items.map((item) => item[NAMES.finding.id]);
      const { total } = await page({ scanId: branch });
      const everything = (await page({})).total;
      // The two scans share no finding, because the default branch does not have the vulnerabilities that the change
      // adds.
      expect(everything).toBe(total + added.length);
    });

    test('a token sees no repository outside its allowlist, and nothing that belongs to one', async () => {
      const { client, restricted, diffScan, plain, repository } = session();
      const scanId = (await diffScan()).id;
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

    test('findings show evidence only if they are confirmed', async () => {
      const { items } = await page({});
      for (const { triageStatus, confirmationEvidence } of items) {
        if (triageStatus !== 'CONFIRMED') expect(confirmationEvidence).toBeNull();
      }
      expect(items.map(({ resolutionStatus }) => resolutionStatus)).toContain('NOT_STARTED');
    });

    test('a finding can be read by its id, by its label, and by its label without the prefix', async () => {
      const id = await oneFinding(session());
      const read = async (by: string) =>
        accepted(await session().client.finding(by), 200, FindingDetail).finding;
      const finding = await read(id);
      expect(finding[NAMES.finding.id]).toBe(id);
      expect(await read(labelOf(id))).toEqual(finding);
      expect(await read(id.slice(-8))).toEqual(finding);
      for (const other of ['ZK-zzzzzzzz', 'ZK-', id.slice(0, 8), `zk-${id.slice(-8)}`]) {
        refused(await session().client.finding(other), '404 not_found');
      }
    });

    test('the detail of a finding agrees with the list, and adds a description and a fix', async () => {
      const id = await oneFinding(session());
      const { finding } = accepted(await session().client.finding(id), 200, FindingDetail);
      const { items } = await page({ scanId: (await session().diffScan()).id });
      expect(finding).toMatchObject(items.find((item) => item[NAMES.finding.id] === id) ?? {});
      expect(finding[NAMES.findingDetail.description]).not.toBe('');
      expect(finding[NAMES.findingDetail.fix]).not.toBe('');
      expect(finding[NAMES.findingDetail.notes]).toEqual([]);
    });
  });
}
