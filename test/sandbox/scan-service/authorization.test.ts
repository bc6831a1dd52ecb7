import { expect, test } from 'vitest';
import type { Control } from '../../../sandbox/scan-service/control.ts';
import { refused, start } from './harness.ts';

const MAY = '2024-05-01T10:00:00Z';

test('an address that is not valid gets 404', async () => {
  const { service } = await start();
  for (const path of ['/', '//', '///', '/api/v1', '/api//v1/token']) {
    const response = await fetch(service.origin + path, {
      headers: { authorization: `Bearer ${service.token}` },
    });
    expect({ status: response.status, body: await response.json() }).toMatchObject(refused(404, 'not_found'));
  }
});

test.each<[string, string, (control: Control, second: string) => void, number[]]>([
  ['a token is revoked', MAY, (control, second) => control.revokeToken(second), [200, 401, 200]],
  ['the time before a token expires', '2024-05-01T23:59:59Z', () => undefined, [200, 200, 200]],
  ['a token expires', '2024-05-02T00:00:00Z', () => undefined, [200, 200, 401]],
  ['the project is archived', MAY, (control) => control.archiveProject(), [401, 401, 401]],
  ['the organization is archived', MAY, (control) => control.archiveOrganization(), [401, 401, 401]],
])('after %s, only the tokens that are still valid work', async (_what, at, change, expected) => {
  let now = new Date(MAY);
  const { service, call } = await start({
    clock: { now: () => now },
    tokens: [{}, {}, { expiresAt: new Date('2024-05-02T00:00:00Z') }],
  });
  const statuses = (path: string) =>
    Promise.all(
      service.tokens.map(async ({ token }) => {
        const authorization = `Bearer ${token}`;
        return (await call('GET', path, undefined, { authorization })).status;
      }),
    );
  expect(await statuses('/token')).toEqual([200, 200, 200]);
  now = new Date(at);
  change(service.control, service.tokens[1]?.token ?? '');
  for (const path of ['/token', '/projects/{project}/scans']) expect(await statuses(path)).toEqual(expected);
});

test('an Authorization header of another scheme is refused', async () => {
  const { service, call } = await start();
  for (const authorization of ['', 'Bearer', `Basic ${service.token}`]) {
    expect(await call('GET', '/token', undefined, { authorization })).toMatchObject(
      refused(401, 'unauthorized'),
    );
  }
});

test('an allowlist may name a repository by its owner and name, and hides the others', async () => {
  const gitDir = (await start()).repository.dir;
  const { call, launchBody } = await start({
    repositories: ['shop', 'till'].map((name) => ({ owner: 'acme', name, gitDir })),
    tokens: [{ repositoryAllowlist: ['acme/till'] }],
  });
  expect((await call('GET', '/token')).body).toMatchObject({ repositoryAllowlist: ['repo_till'] });
  expect(await call('GET', '/projects/{project}/repositories')).toMatchObject({
    body: { repositories: [{ name: 'till' }] },
  });
  expect(await call('POST', '/projects/{project}/scans', launchBody())).toMatchObject(
    refused(404, 'not_found'),
  );
});

test('requests over the ceiling of a token get 429 until the window ends', async () => {
  let now = Date.parse(MAY);
  const { service, call } = await start({
    clock: { now: () => new Date(now) },
    tokens: [{ requestCeiling: { requests: 2, windowSeconds: 30 } }, {}],
  });
  await call('GET', '/token');
  await call('GET', '/token');
  now += 10_500;
  const reply = await call('GET', '/token');
  expect(reply).toMatchObject(refused(429, 'rate_limited'));
  expect(reply.headers.get('retry-after')).toBe('20');
  const other = { authorization: `Bearer ${service.tokens[1]?.token}` };
  expect((await call('GET', '/token', undefined, other)).status).toBe(200);
  now += 20_000;
  expect((await call('GET', '/token')).status).toBe(200);
});
