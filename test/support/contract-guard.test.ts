import { createServer } from 'node:http';
import * as v from 'valibot';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createState } from '../../sandbox/scan-service/create-state.ts';
import type { RawRequest } from '../../sandbox/scan-service/exchanges.ts';
import { processRequest } from '../../sandbox/scan-service/process-request.ts';
import { start } from '../sandbox/scan-service/harness.ts';
import { takeBreaches } from './contract-breaches.ts';
import { FakeClock } from './fake-clock.ts';
import { guardSpawned } from './guard-spawned.ts';
import { createGuardedApi } from './guarded-api.ts';
import { NEVER_ABORTED } from './never-aborted.ts';

const CALL = { signal: NEVER_ABORTED };

const ACTION = { 'user-agent': 'scangate' };
const SCANS = '/projects/{project}/scans';
const LAUNCH = 'POST /projects/{projectId}/scans';

describe('traffic with the fake service', () => {
  test('the guard reports an answer that lacks a required member', async () => {
    const { call } = await start({ hideFields: { repository: ['readiness'] } });
    await call('GET', '/projects/{project}/repositories');
    expect(await takeBreaches()).toEqual([
      "GET /projects/{projectId}/repositories: answer 200: repositories.0 must have required property 'readiness'",
    ]);
  });

  test('the guard reports an answer with a value of the wrong type', async () => {
    const { call } = await start({ presets: [{ ref: 'x', name: 'X', kind: 'full', minCredits: 0.5 }] });
    await call('GET', '/projects/{project}/scan-presets');
    expect(await takeBreaches()).toEqual([
      expect.stringMatching(/scan-presets: answer 200: presets\.0\.minCredits must be integer, not 0\.5$/),
    ]);
  });

  test('the guard reports a wrong answer of a fake service that uses no socket', async () => {
    const state = createState({
      repositories: [{ owner: 'acme', name: 'shop', gitDir: '.' }],
      hideFields: { preset: ['modelTier'] },
    });
    const request: RawRequest = {
      method: 'GET',
      url: new URL(`http://service/api/v1/projects/${state.project.id}/scan-presets`),
      headers: { authorization: `Bearer ${state.tokens[0]?.token}` },
      text: '',
    };
    expect(await processRequest(state, request)).toMatchObject({ status: 200 });
    expect(await takeBreaches()).toEqual([expect.stringContaining("required property 'modelTier'")]);
  });

  test('the guard reports a wrong request of the action even if the service refuses the request', async () => {
    const { call, launchBody } = await start();
    await call('POST', SCANS, launchBody({ branch: 'main' }), ACTION);
    await call('POST', SCANS, launchBody({ presetRef: 7 }), ACTION);
    await call('GET', '/nowhere', undefined, ACTION);
    expect(await takeBreaches()).toEqual([
      `${LAUNCH}: request: the value: the contract does not name branch`,
      `${LAUNCH}: request: presetRef must be string, not 7`,
      'GET /nowhere: request: the contract has no such endpoint',
    ]);
  });

  test.each([
    ['a test intercepts the answer', { status: 503, body: 'down' }],
    ['the connection closes before the service reads the request', { fault: 'close-before' } as const],
    ['the connection closes after the service handled the request', { fault: 'close-after' } as const],
  ])('the guard reports a wrong request of the action even if %s', async (_what, interception) => {
    const { call, launchBody } = await start({ intercept: () => interception });
    await call('POST', SCANS, launchBody({ branch: 'main' }), ACTION).catch(() => {});
    expect(await takeBreaches()).toEqual([
      `${LAUNCH}: request: the value: the contract does not name branch`,
    ]);
  });

  test('the guard ignores refused requests of clients other than the action, and made-up answers', async () => {
    const { call } = await start({
      intercept: ({ point }) => (point === 'scans.list' ? { status: 200, body: { all: [] } } : undefined),
    });
    await call('POST', SCANS, { presetRef: 7 });
    await call('GET', SCANS);
    expect(await takeBreaches()).toEqual([]);
  });

  test('the guard reports an unknown name in a request that gets a made-up answer', async () => {
    const api = createGuardedApi({
      baseUrl: 'https://service.test/api/v1',
      token: 'svc_proj_a_b',
      clock: new FakeClock(),
      random: () => 0,
      showMessages: async () => true,
      fetch: async () => Response.json({ scanId: 's' }, { status: 202 }),
    });
    const sound = { presetRef: 'x', repositoryId: 'r', commit: 'c' };
    expect(await api.launch('p', sound, CALL)).toMatchObject({ ok: true });
    expect(await takeBreaches()).toEqual([]);
    expect(await api.launch('p', { ...sound, commitSha: 'c' }, CALL)).toMatchObject({ ok: true });
    expect(await takeBreaches()).toEqual([
      `${LAUNCH}: request: the value: the contract does not name commitSha`,
    ]);
  });

  test('guardSpawned extends the guard to a fake service in another process', async () => {
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json').end('{"presets": [{"ref": "x"}]}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = v.parse(v.object({ port: v.number() }), server.address());
    const baseUrl = `http://127.0.0.1:${port}/api/v1`;
    const read = async () => (await fetch(`${baseUrl}/projects/p/scan-presets`)).json();
    await read();
    expect(await takeBreaches()).toEqual([]);
    guardSpawned(baseUrl);
    expect(await read()).toEqual({ presets: [{ ref: 'x' }] });
    expect(await takeBreaches()).toEqual([
      expect.stringContaining("presets.0 must have required property 'name'"),
    ]);
  });

  test('the guard reports an invalid request that the fake service accepts', async () => {
    const { call, launch } = await start();
    const scanId = await launch();
    await call('POST', `${SCANS}/${scanId}/cancel`, { force: true }, ACTION);
    expect(await takeBreaches()).toEqual([expect.stringContaining('/cancel: request: no body is expected')]);
  });
});
