import { describe, expect, test } from 'vitest';
import { GITHUB_HOST, openNetwork, type ProxyNetwork, SCANS_HOST } from './proxy-network.ts';
import { VULNERABLE } from './repository.ts';
import { countOf } from './reuse.ts';
import { prepare, runPrepared, type Scenario, type ScenarioResult } from './scenario.ts';

const NAME = 'build-runner';
const PASSWORD = 'Tr4verse!hunter22';

/** A run asks for fewer tunnels than this, even if they fail: it sends few requests, each up to four times. */
const MOST_IN_VAIN = 60;

type Environment = Readonly<Record<string, string>>;

/** The variables of a run that can reach GitHub only through the proxy. Only the proxy can resolve GitHub's address. */
function behind(network: ProxyNetwork, { environment }: Scenario): Environment {
  const at = (address: string) => address.replace(environment.github.origin, `https://${GITHUB_HOST}`);
  return {
    NODE_EXTRA_CA_CERTS: network.authorityFile,
    GITHUB_SERVER_URL: at(environment.github.serverUrl),
    GITHUB_API_URL: at(environment.github.apiUrl),
    GITHUB_GRAPHQL_URL: at(environment.github.graphqlUrl),
  };
}

/** The variables of a run that reaches the service through the proxy, and GitHub without it. */
function onlyService(network: ProxyNetwork): Environment {
  return { NODE_EXTRA_CA_CERTS: network.authorityFile, HTTPS_PROXY: network.proxyUrl };
}

function withPassword(network: ProxyNetwork): string {
  return network.proxyUrl.replace('//', `//${NAME}:${encodeURIComponent(PASSWORD)}@`);
}

function toService({ tunnels }: ProxyNetwork) {
  return tunnels.filter(({ to }) => to === `${SCANS_HOST}:443`);
}

function runThrough(
  scenario: Scenario,
  env: Environment,
  baseUrl = `https://${SCANS_HOST}`,
): Promise<ScenarioResult> {
  return runPrepared(scenario, { inputs: { 'base-url': `${baseUrl}/api/v1` }, run: () => ({ env }) });
}

async function prepareNetwork(): Promise<{ readonly scenario: Scenario; readonly network: ProxyNetwork }> {
  const scenario = await prepare({ driver: 'bundle' });
  return { scenario, network: await openNetwork(scenario) };
}

function expectOutOfReach(result: ScenarioResult): void {
  expect(result.run.outputs, result.run.log).toMatchObject({
    outcome: 'not-scanned',
    reason: 'service-error',
  });
  expect(result.run.exitCode).toBe(1);
  expect(result.environment.service.scans()).toEqual([]);
}

describe('behind a proxy', () => {
  test('a run reaches both APIs through the proxy, and sends the password of the proxy only to the proxy', async () => {
    const { scenario, network } = await prepareNetwork();
    const result = await runThrough(scenario, {
      ...behind(network, scenario),
      HTTPS_PROXY: withPassword(network),
    });
    expect(result.run.outputs, result.run.log).toMatchObject({
      outcome: 'blocked',
      'findings-total': String(VULNERABLE.total),
    });
    expect(result.environment.github.checkRuns).toMatchObject([
      { status: 'completed', conclusion: 'failure' },
    ]);
    expect(result.environment.github.comments).toHaveLength(1);
    const hosts = new Set(network.tunnels.map(({ to }) => to));
    expect([...hosts].toSorted()).toEqual([`${GITHUB_HOST}:443`, `${SCANS_HOST}:443`]);
    const sent = `Basic ${Buffer.from(`${NAME}:${PASSWORD}`).toString('base64')}`;
    expect(new Set(network.tunnels.map(({ credentials }) => credentials))).toEqual(new Set([sent]));
    expectNoPassword(result);
  });

  test('a run reaches a loopback address without the proxy', async () => {
    const { scenario, network } = await prepareNetwork();
    const env = { ...behind(network, scenario), HTTPS_PROXY: network.proxyUrl };
    const result = await runThrough(scenario, env, network.directScans);
    expect(result.run.outputs['outcome'], result.run.log).toBe('blocked');
    expect(new Set(network.tunnels.map(({ to }) => to))).toEqual(new Set([`${GITHUB_HOST}:443`]));
  });
});

/** Checks that nothing that people can read of the run has the password. */
function expectNoPassword({ run, environment }: ScenarioResult): void {
  const { log, stdout, stderr, summary, outputs, state } = run;
  const text = JSON.stringify([log, stdout, stderr, summary, outputs, state, environment.github.checkRuns]);
  for (const secret of [
    PASSWORD,
    encodeURIComponent(PASSWORD),
    Buffer.from(`${NAME}:${PASSWORD}`).toString('base64'),
  ])
    expect(text).not.toContain(secret);
}

describe('a proxy that opens no connection', () => {
  test('if the proxy refuses the password, a run asks for one tunnel to the service, and names the proxy for each API', async () => {
    const { scenario, network } = await prepareNetwork();
    network.manners = [407];
    const result = await runThrough(scenario, {
      ...behind(network, scenario),
      HTTPS_PROXY: withPassword(network),
    });
    expectOutOfReach(result);
    expect(result.run.log.match(/the proxy requires a user name and a password/g)?.length).toBeGreaterThan(1);
    expect(result.run.log).toContain('HTTPS_PROXY');
    expect(toService(network)).toHaveLength(1);
    expect(network.tunnels.length).toBeLessThan(MOST_IN_VAIN);
    expectNoPassword(result);
  });

  test.each([[['close', 'reset']], [[502]]] as const)(
    'a run fails after four requests for a tunnel to the service, if the proxy answers them with %j',
    async (manners) => {
      const { scenario, network } = await prepareNetwork();
      network.manners = manners;
      const result = await runThrough(scenario, {
        ...behind(network, scenario),
        HTTPS_PROXY: network.proxyUrl,
      });
      expectOutOfReach(result);
      expect(result.run.summary).toContain('the proxy could not connect');
      expect(result.run.log).toContain('HTTPS_PROXY');
      expect(toService(network)).toHaveLength(4);
      expect(network.tunnels.length).toBeLessThan(MOST_IN_VAIN);
    },
  );

  test('a run fails if the proxy does not listen', async () => {
    const { scenario, network } = await prepareNetwork();
    await network.leave();
    const result = await runThrough(scenario, onlyService(network));
    expectOutOfReach(result);
    expect(result.run.summary).toContain('the proxy could not connect');
  });

  test('the post step cancels the scan if the proxy failed during the run, and warns of a wrong proxy variable', async () => {
    const scenario = await prepare({
      driver: 'bundle',
      service: {
        pace: { hold: true },
        intercept: ({ point, count }) => {
          if (point === 'scans.read' && count === 2) {
            network.manners = ['close'];
            network.cut();
          }
          return undefined;
        },
      },
    });
    const network = await openNetwork(scenario);
    const env = onlyService(network);
    const result = await runThrough(scenario, env);
    expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'not-scanned' });
    expect(result.run.exitCode).toBe(1);
    expect(result.run.summary).toContain('the proxy could not connect');
    expect(network.tunnels.length).toBeLessThan(MOST_IN_VAIN);
    expect(scenario.environment.service.ledger().reserved).toBe(20);

    network.manners = ['tunnel'];
    const inputs = { 'base-url': `https://${SCANS_HOST}/api/v1` };
    const clean = { step: 'post', state: result.run.state, inputs } as const;
    const post = await scenario.environment.run({ ...clean, env });
    expect(post.exitCode, post.log).toBe(0);
    expect(scenario.environment.service.ledger().reserved).toBe(0);
    expect(countOf(scenario, 'service', 'scans.launch')).toBe(1);

    const again = await scenario.environment.run({
      ...clean,
      inputs: {},
      env: { ...env, HTTPS_PROXY: 'http://[' },
    });
    expect(again.log).toContain('##[warning]HTTPS_PROXY or another proxy variable is not a valid URL.');
    expect(again.exitCode, again.log).toBe(0);
  });
});
