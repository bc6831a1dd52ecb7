import { createServer } from 'node:http';
import * as v from 'valibot';
import { expect, onTestFinished, test } from 'vitest';
import { createState } from '../../sandbox/scan-service/create-state.ts';
import { processRequest } from '../../sandbox/scan-service/process-request.ts';
import { start } from '../sandbox/scan-service/harness.ts';
import { takeBreaches } from './contract-breaches.ts';
import { FakeClock } from './fake-clock.ts';
import { guardSpawned } from './guard-spawned.ts';
import { createGuardedApi } from './guarded-api.ts';
import { NEVER_ABORTED } from './never-aborted.ts';

const ACTION = { 'user-agent': 'scangate' };
const PRESETS = '/projects/{project}/scan-presets';
const SCANS = '/projects/{project}/scans';

/** Sends a launch as the action does. */
async function launch(options: Parameters<typeof start>[0], over: Record<string, unknown>): Promise<void> {
  const { call, launchBody } = await start(options);
  await call('POST', SCANS, launchBody(over), ACTION).catch(() => {});
}

/** Launches with a client of the action. The test makes up the answer. */
async function launchByClient(more: Record<string, unknown>): Promise<void> {
  const api = createGuardedApi({
    baseUrl: 'https://service.test/api/v1',
    token: 'svc_proj_a_b',
    clock: new FakeClock(),
    random: () => 0,
    showMessages: async () => true,
    fetch: async () => Response.json({ scanId: 's' }, { status: 202 }),
  });
  const body = { presetRef: 'x', repositoryId: 'r', commit: 'c', ...more };
  expect(await api.launch('p', body, { signal: NEVER_ABORTED })).toMatchObject({ ok: true });
}

/** Reads presets from a server that is no fake service, as one in another process. */
async function readElsewhere(isGuarded: boolean): Promise<void> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end('{"presets": [{"ref": "x"}]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = v.parse(v.object({ port: v.number() }), server.address());
  const baseUrl = `http://127.0.0.1:${port}/api/v1`;
  if (isGuarded) guardSpawned(baseUrl);
  const read = await fetch(`${baseUrl}/projects/p/scan-presets`);
  expect(await read.json()).toEqual({ presets: [{ ref: 'x' }] });
}

const TRAFFIC: Readonly<Record<string, () => Promise<unknown>>> = {
  'an answer without a required member': async () =>
    (await start({ hideFields: { repository: ['readiness'] } })).call(
      'GET',
      '/projects/{project}/repositories',
    ),
  'an answer with a value of the wrong type': async () =>
    (await start({ presets: [{ ref: 'x', name: 'X', kind: 'full', minCredits: 0.5 }] })).call('GET', PRESETS),
  'a wrong answer without a socket': async () => {
    const repositories = [{ owner: 'acme', name: 'shop', gitDir: '.' }];
    const state = createState({ repositories, hideFields: { preset: ['modelTier'] } });
    const url = new URL(`http://service/api/v1/projects/${state.project.id}/scan-presets`);
    const headers = { authorization: `Bearer ${state.tokens[0]?.token}` };
    return processRequest(state, { method: 'GET', url, headers, text: '' });
  },
  'a request of the action with an unknown member': () => launch({}, { branch: 'main' }),
  'a refused request of the action': () => launch({}, { presetRef: 7 }),
  'a request of the action to an unknown path': async () =>
    (await start()).call('GET', '/nowhere', undefined, ACTION),
  'a wrong request whose answer is made up': () =>
    launch({ intercept: () => ({ status: 503, body: 'down' }) }, { branch: 'main' }),
  'a wrong request on a connection that closes before it is read': () =>
    launch({ intercept: () => ({ fault: 'close-before' }) }, { branch: 'main' }),
  'a wrong request on a connection that closes after it was handled': () =>
    launch({ intercept: () => ({ fault: 'close-after' }) }, { branch: 'main' }),
  'an accepted request with a body that the contract does not expect': async () => {
    const harness = await start();
    return harness.call('POST', `${SCANS}/${await harness.launch()}/cancel`, { force: true }, ACTION);
  },
  'a refused request of another client': async () => (await start()).call('POST', SCANS, { presetRef: 7 }),
  'a made-up answer': async () =>
    (await start({ intercept: () => ({ status: 200, body: { all: [] } }) })).call('GET', SCANS),
  'a request of a client with a made-up service': () => launchByClient({}),
  'a wrong request of a client with a made-up service': () => launchByClient({ commitSha: 'c' }),
  'a wrong answer of another process': () => readElsewhere(false),
  'a wrong answer of another process that is guarded': () => readElsewhere(true),
};

test('the guard reports traffic with the service that breaks the contract, and nothing else', async () => {
  const reports: string[] = [];
  for (const [what, send] of Object.entries(TRAFFIC)) {
    await send();
    const breaches = await takeBreaches();
    reports.push([`${what}:`, ...(breaches.length === 0 ? ['nothing'] : breaches)].join('\n  '));
  }
  await expect(`${reports.join('\n')}\n`).toMatchFileSnapshot('contract-guard.golden.txt');
});
