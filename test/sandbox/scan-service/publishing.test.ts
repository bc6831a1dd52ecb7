import { describe, expect, it } from 'vitest';
import { refused, start, textAt } from './harness.ts';

const SCANS = '/projects/{project}/scans';

describe('publishing a scan', () => {
  it('a published scan has a page that needs no token', async () => {
    const { call, launch, finish, service } = await start();
    const scanId = await launch();
    await finish(scanId);
    const { status, body } = await call('POST', `${SCANS}/${scanId}/publish`, {});
    expect(status).toBe(200);
    expect(body).toMatchObject({
      artifactId: expect.any(String),
      publicId: expect.any(String),
      accessPassword: null,
    });
    const page = await fetch(`${service.origin}/public/scans/${textAt(body, 'publicId')}`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await page.text()).toContain('a.js:3');
    expect(service.scans()[0]?.publishedAs).toEqual({
      publicId: textAt(body, 'publicId'),
      accessPassword: null,
    });
  });

  it('a protected page asks for the password that the service generated', async () => {
    const { call, launch, finish, service } = await start();
    const scanId = await launch();
    await finish(scanId);
    const { body } = await call('POST', `${SCANS}/${scanId}/publish`, { withPassword: true });
    const password = textAt(body, 'accessPassword');
    expect(password.length).toBeGreaterThanOrEqual(12);
    const url = `${service.origin}/public/scans/${textAt(body, 'publicId')}`;
    const give = (value: string) =>
      fetch(url, { method: 'POST', body: new URLSearchParams({ password: value }) });
    const closed = await fetch(url);
    expect(closed.status).toBe(401);
    expect(await closed.text()).not.toContain('a.js');
    expect((await give(`${password}x`)).status).toBe(403);
    const open = await give(password);
    expect(open.status).toBe(200);
    expect(await open.text()).toContain('a.js:3');
  });

  it.each(['QUEUED', 'FAILED', 'CANCELLED'] as const)(
    'a scan with the status %s cannot be published',
    async (status) => {
      const { call, launch, finish } = await start(status === 'QUEUED' ? {} : { pace: { ending: status } });
      const scanId = await launch();
      if (status !== 'QUEUED') await finish(scanId);
      expect(await call('POST', `${SCANS}/${scanId}/publish`, {})).toMatchObject(refused(400, 'bad_request'));
    },
  );

  it('the page of a scan that is published again keeps its address', async () => {
    const { call, launch, finish } = await start();
    const scanId = await launch();
    await finish(scanId);
    const first = await call('POST', `${SCANS}/${scanId}/publish`, { withPassword: true });
    const second = await call('POST', `${SCANS}/${scanId}/publish`, { withPassword: false });
    expect(textAt(second.body, 'publicId')).toBe(textAt(first.body, 'publicId'));
    expect(second.body).toMatchObject({ accessPassword: null });
    expect(await call('POST', `${SCANS}/${scanId}/publish`, { withPassword: 'yes' })).toMatchObject(
      refused(400, 'bad_request'),
    );
  });
});

describe('publishing a finding', () => {
  it('the service publishes a finding by its label, but refuses an unknown note', async () => {
    const { call, launch, finish, service } = await start();
    await finish(await launch());
    const [id = ''] = service.scans()[0]?.findingIds ?? [];
    const path = `/projects/{project}/findings/ZK-${id.slice(-8)}/publish`;
    const { status, body } = await call('POST', path, {});
    expect(status).toBe(200);
    const page = await fetch(`${service.origin}/public/findings/${textAt(body, 'publicId')}`);
    expect(await page.text()).toContain('Code evaluated from a variable');
    expect(await call('POST', path, { noteId: 'x' })).toMatchObject(refused(404, 'not_found'));
    expect(await call('POST', path, { noteId: 1 })).toMatchObject(refused(400, 'bad_request'));
  });
});

describe('a public page', () => {
  it('the service answers 404 for a public page with a wrong id', async () => {
    const { call, launch, finish, service } = await start();
    const scanId = await launch();
    await finish(scanId);
    const { body } = await call('POST', `${SCANS}/${scanId}/publish`, {});
    for (const path of ['scans/made-up', `findings/${textAt(body, 'publicId')}`]) {
      expect((await fetch(`${service.origin}/public/${path}`)).status).toBe(404);
    }
  });
});
