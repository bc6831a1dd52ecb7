import { describe, expect, test } from 'vitest';
import type { Answer } from '../client.ts';
import { accepted, refused } from '../documented-answer.ts';
import { AreaCreated, AuditAreas } from '../records.ts';
import type { Session } from '../session.ts';

export function auditAreas(session: () => Session): void {
  const list = async (query = {}) => {
    await session().fullScan();
    return accepted(await session().client.auditAreas(session().repository, query), 200, AuditAreas);
  };
  const add = (body: object): Promise<Answer> => session().client.addAuditArea(session().repository, body);
  const added = async (body: object) => accepted(await add(body), 201, AreaCreated).area;

  describe('audit areas', () => {
    test('the service limits the name of an audit area to 120 characters, and the description to 500', async () => {
      const longest = { name: 'n'.repeat(120), description: 'd'.repeat(500) };
      expect(await added(longest)).toMatchObject(longest);
      const wide = { name: 'é'.repeat(120), description: '🔑'.repeat(500) };
      expect(await added(wide)).toMatchObject(wide);
      refused(await add({ name: 'n'.repeat(121) }), '400 bad_request');
      refused(await add({ name: 'Fine', description: 'd'.repeat(501) }), '400 bad_request');
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
