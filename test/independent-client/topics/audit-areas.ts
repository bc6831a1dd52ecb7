import { describe, expect, test } from 'vitest';
import { type Answer, NAMES } from '../client.ts';
import { accepted, refused } from '../documented-answer.ts';
import { AreaCreated, AuditAreas, FindingPage } from '../records.ts';
import type { Session } from '../session.ts';

/** Declares a test that must run before the first scan of the default branch. That scan maps the audit areas. */
export function unmappedAreas(session: () => Session): void {
  test('the service shows no sizes of audit areas before the first scan of the branch', async () => {
    const list = accepted(await session().client.auditAreas(session().repository), 200, AuditAreas);
    expect(list).toMatchObject({
      ...{ repositoryId: session().repository, branch: 'main', mapped: false },
      ...{ totalFiles: null, totalLines: null },
    });
    for (const area of list.areas)
      expect(area).toMatchObject({ inLatestMap: false, files: null, lines: null });
  });
}

export function auditAreas(session: () => Session): void {
  const list = async (query = {}) => {
    await session().fullScan();
    return accepted(await session().client.auditAreas(session().repository, query), 200, AuditAreas);
  };
  const add = (body: object): Promise<Answer> => session().client.addAuditArea(session().repository, body);
  const added = async (body: object) => accepted(await add(body), 201, AreaCreated).area;
  const pathsOf = async (scanId: string) => {
    const { items } = accepted(await session().client.findings({ scanId, limit: 100 }), 200, FindingPage);
    return [...new Set(items.map((item) => item[NAMES.finding.path]))];
  };

  describe('audit areas', () => {
    test('after a scan, the service shows the audit areas of the branch with their sizes', async () => {
      const { areas, ...map } = await list();
      expect(map).toMatchObject({ branch: 'main', mapped: true });
      expect(map.totalFiles).toBeGreaterThan(0);
      expect(map.totalLines).toBeGreaterThan(0);
      expect(areas.length).toBeGreaterThan(1);
      for (const area of areas) {
        expect(area).toMatchObject({ source: 'discovered', inLatestMap: true });
        expect(area.files).toBeGreaterThan(0);
        expect(area.lines).toBeGreaterThan(0);
      }
    });

    test('the service creates a custom audit area, and lists it after the areas that a scan found', async () => {
      const area = await added({ name: 'Gift cards', description: 'Vouchers and balances' });
      expect(area).toEqual(
        expect.objectContaining({
          name: 'Gift cards',
          description: 'Vouchers and balances',
          source: 'custom',
        }),
      );
      const { areas } = await list();
      expect(areas).toContainEqual(area);
      const inMap = areas.map(({ inLatestMap }) => inLatestMap);
      expect(inMap).toEqual([...inMap].sort((a, b) => Number(b) - Number(a)));
      expect(new Set(areas.map(({ key }) => key)).size).toBe(areas.length);
    });

    test('the service gives different keys to audit areas with similar or equal names', async () => {
      const one = await added({ name: 'Loyalty points', description: null });
      const two = await added({ name: 'Loyalty, points!' });
      expect([one.description, two.description]).toEqual([null, null]);
      expect(two.key).not.toBe(one.key);
      const discovered = (await list()).areas.find(({ source }) => source === 'discovered');
      expect((await added({ name: discovered?.name })).key).not.toBe(discovered?.key);
    });

    test('the service limits the name of an audit area to 120 characters, and the description to 500', async () => {
      const longest = { name: 'n'.repeat(120), description: 'd'.repeat(500) };
      expect(await added(longest)).toMatchObject(longest);
      const wide = { name: 'é'.repeat(120), description: '🔑'.repeat(500) };
      expect(await added(wide)).toMatchObject(wide);
      refused(await add({ name: 'n'.repeat(121) }), '400 bad_request');
      refused(await add({ name: 'Fine', description: 'd'.repeat(501) }), '400 bad_request');
    });

    test.each([
      {},
      { name: null },
      { name: 5 },
      { name: '' },
      { name: '  ' },
      { name: 'Fine', description: 5 },
    ])('the service refuses an invalid audit area: %j', async (body) => {
      const before = await list();
      refused(await add(body), '400 bad_request');
      expect(await list()).toEqual(before);
    });

    test('the service shows a branch without a scan as not mapped', async () => {
      expect(await list({ branch: 'never-scanned' })).toMatchObject({
        ...{ branch: 'never-scanned', mapped: false },
        ...{ totalFiles: null, totalLines: null },
      });
    });

    test('a scan of an audit area reports only findings in that area', async () => {
      const { client, repository, plain, followed } = session();
      const { areas } = await list();
      const discovered = areas.find(({ key, source }) => source === 'discovered' && key.includes('admin'));
      const custom = await added({ name: 'Admin', description: 'Who may do what in the shop' });
      const scans = await Promise.all(
        [discovered?.key ?? '', custom.key].map((key) => followed({ ...plain, auditAreaKeys: [key] })),
      );
      for (const { id } of scans) expect(await pathsOf(id)).toEqual(['src/admin/users.js']);

      const running = await session().launched({ ...plain, auditAreaKeys: [custom.key] });
      expect((await client.deleteAuditArea(repository, custom.key)).status).toBe(200);
      await client.follow(running);
      for (const id of [running, ...scans.map((scan) => scan.id)]) {
        expect(await pathsOf(id)).toEqual(['src/admin/users.js']);
      }
    });

    test('the service deletes a custom audit area, but not a discovered one', async () => {
      const { client, repository } = session();
      const { key } = await added({ name: 'Soon gone' });
      expect((await client.deleteAuditArea(repository, key)).status).toBe(200);
      const { areas } = await list();
      expect(areas.map((area) => area.key)).not.toContain(key);
      refused(await client.deleteAuditArea(repository, key), '404 not_found');

      const discovered = areas.find(({ source }) => source === 'discovered')?.key ?? '';
      refused(await client.deleteAuditArea(repository, discovered), '409 conflict');
      expect(await list()).toMatchObject({ areas });
    });
  });
}
