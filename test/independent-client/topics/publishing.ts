import { describe, expect, test } from 'vitest';
import type { Answer } from '../client.ts';
import { accepted, refused } from '../documented-answer.ts';
import { Artifact } from '../records.ts';
import type { Session } from '../session.ts';
import { labelOf, oneFinding } from './findings.ts';

/** The page that a browser without a token gets. */
async function shown(address: string): Promise<string> {
  const response = await fetch(address);
  expect(response.headers.get('content-type')).toMatch(/^text\/html\b/);
  return response.text();
}

export function publishing(session: () => Session): void {
  const publish = async (kind: 'scans' | 'findings', body: object): Promise<Answer> =>
    kind === 'scans'
      ? session().client.publishScan(await session().diffScan(), body)
      : session().client.publishFinding(await oneFinding(session(), 1), body);
  const published = async (kind: 'scans' | 'findings', body: object) => {
    const artifact = accepted(await publish(kind, body), 200, Artifact);
    return { ...artifact, address: session().client.publicPage(kind, artifact.publicId) };
  };

  describe.each(['scans', 'findings'] as const)('publishing %s', (kind) => {
    test('the service publishes a scan or finding without a password by default', async () => {
      const { accessPassword, address } = await published(kind, {});
      expect(accessPassword).toBeNull();
      expect(await shown(address)).toContain(labelOf(await oneFinding(session(), 1)));
      expect((await published(kind, { withPassword: false })).accessPassword).toBeNull();
    });

    test('the service refuses a `withPassword` that is neither true nor false', async () => {
      refused(await publish(kind, { withPassword: 'please' }), '400 bad_request');
      if (kind === 'findings') refused(await publish(kind, { noteId: 1 }), '400 bad_request');
    });

    test('the service answers 404 for a page that does not exist', async () => {
      const { address, publicId } = await published(kind, {});
      const other = session().client.publicPage(kind === 'scans' ? 'findings' : 'scans', publicId);
      for (const one of [`${address}x`, other]) expect((await fetch(one)).status).toBe(404);
    });
  });
}
