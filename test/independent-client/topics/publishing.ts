import { describe, expect, test } from 'vitest';
import { type Answer, NAMES } from '../client.ts';
import { accepted, refused } from '../documented-answer.ts';
import { Artifact, NoteCreated } from '../records.ts';
import type { Session } from '../session.ts';
import { labelOf, oneFinding } from './findings.ts';

/** The page that a browser without a token gets. */
async function shown(address: string, init?: RequestInit): Promise<string> {
  const response = await fetch(address, init);
  expect(response.headers.get('content-type')).toMatch(/^text\/html\b/);
  return response.text();
}

/** Submits the password in the form of a protected page, as a browser would. Uses only the HTML of the page. */
async function unlocked(address: string, password: string): Promise<string> {
  const page = await shown(address);
  const [, form = ''] = /<form([^>]*)>/.exec(page) ?? [];
  const [field = ''] = /<input[^>]*type="password"[^>]*>/.exec(page) ?? [];
  const [, name = ''] = /\sname="([^"]+)"/.exec(field) ?? [];
  const [, action = address] = /\saction="([^"]+)"/.exec(form) ?? [];
  expect(form).toContain('method="post"');
  const body = new URLSearchParams({ [name]: password });
  return shown(new URL(action, address).href, { method: 'POST', body });
}

export function publishing(session: () => Session): void {
  const publish = async (kind: 'scans' | 'findings', body: object): Promise<Answer> =>
    kind === 'scans'
      ? session().client.publishScan((await session().diffScan()).id, body)
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

    test('the service shows a protected page only to readers with the password', async () => {
      const open = await published(kind, {});
      const { accessPassword, address } = await published(kind, { withPassword: true });
      expect(address).toBe(open.address);
      const label = labelOf(await oneFinding(session(), 1));
      expect(accessPassword).toEqual(expect.any(String));
      expect(accessPassword).not.toBe('');
      expect(await shown(address)).not.toContain(label);
      expect(await unlocked(address, `${accessPassword}x`)).not.toContain(label);
      expect(await unlocked(address, accessPassword ?? '')).toContain(label);
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

  test('the service publishes a finding by its label, with the requested note', async () => {
    const { client } = session();
    const label = labelOf(await oneFinding(session(), 1));
    const added = accepted(await client.addNote(label, { content: 'For the public eye' }), 201, NoteCreated);
    const noteId = added[NAMES.note.record][NAMES.note.id];
    const { publicId } = accepted(await client.publishFinding(label, { noteId }), 200, Artifact);
    expect(await shown(client.publicPage('findings', publicId))).toContain('For the public eye');
    refused(await client.publishFinding(label, { noteId: 'no-such-note' }), '404 not_found');
  });
}
