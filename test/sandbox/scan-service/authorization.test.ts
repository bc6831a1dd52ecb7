import { describe, expect, it } from 'vitest';
import { refused, start, textAt } from './harness.ts';

const SCANS = '/projects/{project}/scans';

describe('the token', () => {
  it('the token has the documented form, and `GET /token` shows its project and limits', async () => {
    const { service, call } = await start({
      tokens: [
        {
          scopes: ['read'],
          repositoryAllowlist: ['acme/shop'],
          expiresAt: new Date('2999-01-01'),
          spendLimit: 50,
        },
      ],
    });
    expect(service.token).toMatch(/^svc_proj_[^_]+_.+$/);
    expect(await call('GET', '/token')).toMatchObject({
      status: 200,
      body: {
        project: { id: service.project.id, slug: service.project.slug },
        organization: { id: service.project.organization.id },
        scopes: ['read'],
        repositoryAllowlist: ['repo_shop'],
        expiresAt: '2999-01-01T00:00:00.000Z',
        spendLimit: 50,
      },
    });
  });

  it('every faulty token gets the same 401', async () => {
    const { service, call } = await start({
      tokens: [{}, { expiresAt: new Date('2020-01-01') }, {}],
    });
    const [valid, expired, revoked] = service.tokens.map((one) => one.token);
    service.control.revokeToken(revoked ?? '');
    const headers = [
      '',
      'Bearer',
      'Bearer x',
      `Basic ${valid}`,
      `Bearer ${valid}x`,
      `Bearer ${expired}`,
      `Bearer ${revoked}`,
    ];
    const replies = await Promise.all(
      headers.map((authorization) => call('GET', '/token', undefined, { authorization })),
    );
    expect(replies[0]).toMatchObject(refused(401, 'unauthorized'));
    expect(new Set(replies.map((reply) => JSON.stringify([reply.status, reply.body]))).size).toBe(1);
  });

  it('a valid token gets 404 for an unknown endpoint or an invalid address', async () => {
    const { service, call } = await start();
    const headers = { authorization: `Bearer ${service.token}` };
    for (const path of ['/nothing', '/token/', '/scans']) {
      expect(await call('GET', path)).toMatchObject(refused(404, 'not_found'));
    }
    for (const path of ['/', '//', '///', '/api/v1', '/api//v1/token']) {
      const response = await fetch(service.origin + path, { headers });
      expect({ status: response.status, body: await response.json() }).toMatchObject(
        refused(404, 'not_found'),
      );
    }
  });

  it.each(['archiveProject', 'archiveOrganization'] as const)(
    'no token works after `%s`',
    async (archive) => {
      const { service, call } = await start({ tokens: [{}, { scopes: ['read'] }] });
      expect((await call('GET', '/token')).status).toBe(200);
      service.control[archive]();
      for (const { token } of service.tokens) {
        const headers = { authorization: `Bearer ${token}` };
        expect(await call('GET', '/token', undefined, headers)).toMatchObject(refused(401, 'unauthorized'));
        expect(await call('GET', SCANS, undefined, headers)).toMatchObject(refused(401, 'unauthorized'));
      }
    },
  );

  it('a revoked or expired token is refused, and other tokens keep working', async () => {
    let now = new Date('2024-05-01T10:00:00Z');
    const tokens = [{}, {}, { expiresAt: new Date('2024-05-02T00:00:00Z') }];
    const { service, call } = await start({ clock: { now: () => now }, tokens });
    const status = async (index: number) => {
      const authorization = `Bearer ${service.tokens[index]?.token}`;
      return (await call('GET', '/token', undefined, { authorization })).status;
    };
    expect([await status(0), await status(1), await status(2)]).toEqual([200, 200, 200]);
    service.control.revokeToken(service.tokens[1]?.token ?? '');
    now = new Date('2024-05-01T23:59:59Z');
    expect([await status(0), await status(1), await status(2)]).toEqual([200, 401, 200]);
    now = new Date('2024-05-02T00:00:00Z');
    expect([await status(0), await status(1), await status(2)]).toEqual([200, 401, 401]);
  });

  it('a token in the query string is refused, even beside a valid header', async () => {
    const { service, call } = await start();
    for (const query of [`token=x`, `api_token=x`, `a=${service.token}`]) {
      expect(await call('GET', `/token?${query}`)).toMatchObject(refused(400, 'bad_request'));
    }
  });

  it('the 404 for another project shows the project of the token', async () => {
    const { service, call } = await start({ tokens: [{ scopes: [] }] });
    const reply = await call('GET', '/projects/prj_other/scans');
    expect(reply).toMatchObject(refused(404, 'not_found'));
    expect(textAt(reply.body, 'error', 'message')).toContain(service.project.slug);
  });
});

describe('scopes', () => {
  it.each([
    ['read', 'GET', '/projects/{project}/repositories'],
    ['read', 'GET', '/projects/{project}/scan-presets'],
    ['read', 'GET', SCANS],
    ['read', 'GET', `${SCANS}/x`],
    ['read', 'GET', '/projects/{project}/findings'],
    ['read', 'GET', '/projects/{project}/findings/x'],
    ['scans:launch', 'POST', SCANS],
    ['scans:launch', 'POST', `${SCANS}/x/cancel`],
    ['publish', 'POST', `${SCANS}/x/publish`],
    ['publish', 'POST', '/projects/{project}/findings/x/publish'],
    ['findings:write', 'PATCH', '/projects/{project}/findings/x/resolution'],
    ['findings:write', 'POST', '/projects/{project}/findings/x/notes'],
    ['findings:write', 'POST', '/projects/{project}/findings/x/notes/x/pin'],
    ['read', 'GET', '/projects/{project}/repositories/x/guidance'],
    ['guidance:write', 'PUT', '/projects/{project}/repositories/x/guidance'],
    ['read', 'GET', '/projects/{project}/repositories/x/audit-areas'],
    ['guidance:write', 'POST', '/projects/{project}/repositories/x/audit-areas'],
    ['guidance:write', 'DELETE', '/projects/{project}/repositories/x/audit-areas/x'],
  ] as const)('the scope `%s` is required for %s %s', async (scope, method, path) => {
    const all = ['read', 'findings:write', 'guidance:write', 'scans:launch', 'publish'] as const;
    const { service, call } = await start({
      tokens: [{ scopes: all.filter((one) => one !== scope) }, { scopes: [scope] }],
    });
    expect(await call(method, path)).toMatchObject(refused(403, 'forbidden'));
    const authorization = `Bearer ${service.tokens[1]?.token}`;
    expect((await call(method, path, undefined, { authorization })).status).not.toBe(403);
    expect((await call('GET', '/token')).status).toBe(200);
  });
});

describe('the repository allowlist', () => {
  it('the repository allowlist hides other repositories, their scans and their findings', async () => {
    const first = await start();
    const gitDir = first.repository.dir;
    const { service, call, launch, finish, launchBody } = await start({
      repositories: [
        { owner: 'acme', name: 'shop', gitDir },
        { owner: 'acme', name: 'till', gitDir },
      ],
      tokens: [{}, { repositoryAllowlist: ['acme/till'] }],
    });
    const scanId = await launch();
    await finish(scanId);
    const findingId = service.scans()[0]?.findingIds[0];
    const limited = { authorization: `Bearer ${service.tokens[1]?.token}` };
    const get = (path: string) => call('GET', `/projects/{project}${path}`, undefined, limited);
    expect(await get('/repositories')).toMatchObject({ body: { repositories: [{ name: 'till' }] } });
    expect(await get('/scans')).toMatchObject({ body: { items: [], total: 0 } });
    expect(await get('/findings')).toMatchObject({ body: { items: [], total: 0 } });
    for (const path of [`/scans/${scanId}`, `/findings/${findingId}`, `/findings?scanId=${scanId}`]) {
      expect(await get(path)).toMatchObject(refused(404, 'not_found'));
    }
    for (const action of ['cancel', 'publish']) {
      const reply = await call('POST', `/projects/{project}/scans/${scanId}/${action}`, undefined, limited);
      expect(reply).toMatchObject(refused(404, 'not_found'));
    }
    expect(await call('POST', SCANS, launchBody(), limited)).toMatchObject(refused(404, 'not_found'));
  });
});

describe('the request ceiling', () => {
  it('requests over the ceiling get 429 until the window ends', async () => {
    let now = Date.parse('2024-05-01T00:00:00Z');
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
});

describe('the envelope', () => {
  it('the error envelope is the same for unknown paths, unknown methods, and bodies that are not JSON objects', async () => {
    const { call } = await start();
    expect(await call('GET', '/nothing')).toMatchObject(refused(404, 'not_found'));
    expect(await call('DELETE', SCANS)).toMatchObject(refused(404, 'not_found'));
    expect(await call('GET', '/projects/{project}/scans/%zz')).toMatchObject(refused(404, 'not_found'));
    for (const body of ['{', '[]', '"x"', 'null']) {
      expect(await call('POST', SCANS, body)).toMatchObject(refused(400, 'bad_request'));
    }
    expect(await call('POST', SCANS, {}, { 'content-type': 'text/plain' })).toMatchObject(
      refused(400, 'bad_request'),
    );
    expect(await call('POST', SCANS, { a: 'x'.repeat(4 * 1024 * 1024) })).toMatchObject(
      refused(400, 'bad_request'),
    );
  });
});
