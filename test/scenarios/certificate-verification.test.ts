import { expect, test } from 'vitest';
import type { EnvironmentRunOptions } from '../../sandbox/environment.ts';
import { openNetwork, SCANS_HOST } from './proxy-network.ts';
import { prepare, runPrepared } from './scenario.ts';

const NO_VERIFICATION = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
const IGNORED = '`NODE_TLS_REJECT_UNAUTHORIZED` is ignored';

/** A service whose certificate no client knows, and the requests that it got. */
async function unknownAuthority() {
  const scenario = await prepare({ driver: 'bundle' });
  const network = await openNetwork(scenario);
  return { scenario, network, requests: scenario.environment.service.requests };
}

function timesIn(log: string): number {
  return log.split(IGNORED).length - 1;
}

test.each(['directly', 'through a proxy'])(
  'with verification switched off, a run sends nothing to an unknown server that it reaches %s',
  async (how) => {
    const { scenario, network, requests } = await unknownAuthority();
    const isDirect = how === 'directly';
    const origin = isDirect ? network.directScans : `https://${SCANS_HOST}`;
    const proxy = isDirect ? {} : { HTTPS_PROXY: network.proxyUrl };
    const { run } = await runPrepared(scenario, {
      inputs: { 'base-url': `${origin}/api/v1` },
      run: () => ({ env: { ...NO_VERIFICATION, ...proxy } }),
    });
    expect(run.exitCode, run.log).toBe(1);
    expect(run.log).toContain('NODE_EXTRA_CA_CERTS');
    expect(timesIn(run.log)).toBe(1);
    expect(requests).toEqual([]);
    expect(network.tunnels.length).toBeLessThan(10);
  },
);

test('with verification switched off, a run reaches a server whose authority the runner knows', async () => {
  const { scenario, network } = await unknownAuthority();
  const { run } = await runPrepared(scenario, {
    inputs: { 'base-url': `${network.directScans}/api/v1` },
    run: () => ({ env: { ...NO_VERIFICATION, NODE_EXTRA_CA_CERTS: network.authorityFile } }),
  });
  expect(run.outputs['outcome'], run.log).toBe('blocked');
  expect(timesIn(run.log)).toBe(1);
});

const STATE = { 'running-scan': JSON.stringify({ projectId: 'p', scanId: 's' }) };

test.each<[string, EnvironmentRunOptions]>([
  ['the post step', { step: 'post', state: STATE }],
  ['the doctor', { action: 'doctor', event: { name: 'workflow_dispatch', payload: {} } }],
  ['the triage action', { action: 'triage', event: { name: 'schedule', payload: {} } }],
])('with verification switched off, %s sends nothing to an unknown server', async (_what, options) => {
  const { scenario, network, requests } = await unknownAuthority();
  const run = await scenario.environment.run({
    ...options,
    inputs: { 'base-url': `${network.directScans}/api/v1` },
    env: NO_VERIFICATION,
  });
  expect(timesIn(run.log), run.log).toBe(1);
  expect(requests).toEqual([]);
});

test('a post step that has nothing to do says nothing', async () => {
  const { scenario } = await unknownAuthority();
  const run = await scenario.environment.run({ step: 'post', state: {}, env: NO_VERIFICATION });
  expect(run).toMatchObject({ exitCode: 0, log: '' });
});
