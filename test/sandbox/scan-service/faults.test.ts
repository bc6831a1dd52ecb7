import { describe, expect, it } from 'vitest';
import type { Interception } from '../../../sandbox/faults/interception.ts';
import { at, start } from './harness.ts';

const SCANS = '/projects/{project}/scans';

/** Starts a service that applies this interception to the first launch. */
function intercepting(interception: Interception) {
  return start({
    intercept: ({ point, count }) => (point === 'scans.launch' && count === 1 ? interception : undefined),
  });
}

describe('an interception', () => {
  it('if an interception has a status, the service answers with this status, and launches no scan', async () => {
    const { call, launchBody, service } = await intercepting({
      status: 503,
      headers: { 'retry-after': '7' },
      body: '<html>',
    });
    const reply = await call('POST', SCANS, launchBody());
    expect([reply.status, reply.headers.get('retry-after'), reply.body]).toEqual([503, '7', '<html>']);
    expect(service.scans()).toEqual([]);
    expect((await call('POST', SCANS, launchBody())).status).toBe(202);
  });

  it('if an interception has a `rewrite`, the service launches the scan and changes the answer', async () => {
    const { call, launchBody, service } = await intercepting({
      rewrite: (answer) => ({ ...answer, status: 200 }),
    });
    const reply = await call('POST', SCANS, launchBody());
    expect(reply.status).toBe(200);
    expect(at(reply.body, 'scanId')).toBe(service.scans()[0]?.id);
  });

  it.each([
    ['reset-before', 0],
    ['reset-after', 1],
    ['cut-body', 1],
  ] as const)(
    'after the fault `%s` breaks the connection, the service has %i launched scans',
    async (fault, launched) => {
      const { call, launchBody, service } = await intercepting({ fault });
      await expect(call('POST', SCANS, launchBody())).rejects.toThrow();
      expect(service.scans()).toHaveLength(launched);
      expect(service.requests[0]).toMatchObject({ point: 'scans.launch', status: undefined });
    },
  );

  it.each([
    ['hang-before', 0],
    ['hang-after', 1],
  ] as const)(
    'after the fault `%s` delays a launch forever, the service has %i launched scans',
    async (fault, launched) => {
      const arrival = Promise.withResolvers<void>();
      const { call, launchBody, service } = await start({
        intercept({ point }) {
          if (point !== 'scans.launch') return undefined;
          arrival.resolve();
          return { fault };
        },
      });
      const waiting = call('POST', SCANS, launchBody()).catch(() => 'broken');
      await arrival.promise;
      const other = await call('GET', SCANS);
      expect(other.status).toBe(200);
      await service.close();
      expect(await waiting).toBe('broken');
      expect(service.scans()).toHaveLength(launched);
    },
  );
});

describe('hidden members', () => {
  it('a member that is hidden in one kind of record is shown in other records', async () => {
    const { call, launch, finish, service } = await start({
      hideFields: {
        findingItem: ['filePath', 'startLine', 'endLine'],
        scanDetail: ['commit'],
        progress: ['weightedCompletion'],
      },
    });
    const scan = await finish(await launch());
    expect(scan).not.toHaveProperty('commit');
    expect(at(scan, 'progress')).not.toHaveProperty('weightedCompletion');
    expect(at((await call('GET', SCANS)).body, 'items', 0)).toHaveProperty('commit');
    const list = (await call('GET', '/projects/{project}/findings')).body;
    expect(at(list, 'items', 0)).not.toHaveProperty('filePath');
    const [id] = service.scans()[0]?.findingIds ?? [];
    expect((await call('GET', `/projects/{project}/findings/${id}`)).body).toMatchObject({
      finding: { filePath: 'a.js' },
    });
  });
});

describe('the request log', () => {
  it('the request log has every request with its kind, its body and the status of its answer', async () => {
    const { call, launchBody, service } = await start();
    await call('GET', '/token');
    await call('GET', '/projects/{project}/scans?page=2');
    await call('POST', SCANS, launchBody({ presetRef: 'x' }));
    await call('GET', '/nowhere');
    expect(service.requests.map(({ method, point, status }) => `${method} ${point} ${status}`)).toEqual([
      'GET token 200',
      'GET scans.list 200',
      'POST scans.launch 400',
      'GET unknown 404',
    ]);
    expect(service.requests[1]?.path).toContain('?page=2');
    expect(service.requests[2]?.body).toMatchObject({ presetRef: 'x' });
  });

  it('the request log with the limit 2 keeps the two newest requests', async () => {
    const { call, service } = await start({ keptRequests: 2 });
    for (const page of [1, 2, 3]) await call('GET', `/projects/{project}/scans?page=${page}`);
    expect(service.requests.map(({ path, status }) => [path.split('?')[1], status])).toEqual([
      ['page=2', 200],
      ['page=3', 200],
    ]);
  });
});
