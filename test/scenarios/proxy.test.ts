import { describe, expect, test } from 'vitest';
import { GITHUB_HOST, openNetwork, type ProxyNetwork, SCANS_HOST } from './proxy-network.ts';
import { FLAWED } from './repository.ts';
import { countOf } from './reuse.ts';
import { play, prepare, type Scene, type Story } from './story.ts';

const NAME = 'build-runner';
const PASSWORD = 'Tr4verse!hunter22';
const CREDENTIALS = `${NAME}:${encodeURIComponent(PASSWORD)}`;

/** The most tunnels that a run asks for in vain: every request is tried four times at most. */
const MOST_IN_VAIN = 60;

type Environment = Readonly<Record<string, string>>;

/** Both APIs at addresses that only the proxy knows. */
function behind(network: ProxyNetwork, { stage }: Scene): Environment {
  const at = (address: string) => address.replace(stage.github.origin, `https://${GITHUB_HOST}`);
  return {
    NODE_EXTRA_CA_CERTS: network.authorityFile,
    GITHUB_SERVER_URL: at(stage.github.serverUrl),
    GITHUB_API_URL: at(stage.github.apiUrl),
    GITHUB_GRAPHQL_URL: at(stage.github.graphqlUrl),
  };
}

/** GitHub is reached without the proxy, the service is not. */
function onlyService(network: ProxyNetwork): Environment {
  return { NODE_EXTRA_CA_CERTS: network.authorityFile, NO_PROXY: '127.0.0.1' };
}

function playThrough(scene: Scene, env: Environment, baseUrl = `https://${SCANS_HOST}`): Promise<Story> {
  return play(scene, { inputs: { 'base-url': `${baseUrl}/api/v1` }, run: () => ({ env }) });
}

async function prepareNetwork(): Promise<{ readonly scene: Scene; readonly network: ProxyNetwork }> {
  const scene = await prepare({ driver: 'bundle' });
  return { scene, network: await openNetwork(scene) };
}

/** Everything that people can read of the run, as one text. */
function told({ run, stage }: Story): string {
  const { log, stdout, stderr, summary, outputs, state } = run;
  return JSON.stringify([log, stdout, stderr, summary, outputs, state, stage.github.checkRuns]);
}

function expectOutOfReach(story: Story): void {
  expect(story.run.outputs, story.run.log).toMatchObject({ outcome: 'not-scanned', reason: 'service-error' });
  expect(story.run.exitCode).toBe(1);
  expect(story.stage.service.scans()).toEqual([]);
}

describe('behind a proxy', () => {
  test.each(['HTTPS_PROXY', 'https_proxy'])(
    '%s: both APIs are reached through it, by an authority of its own',
    async (variable) => {
      const { scene, network } = await prepareNetwork();
      const story = await playThrough(scene, { ...behind(network, scene), [variable]: network.proxyUrl });
      expect(story.run.outputs, story.run.log).toMatchObject({
        outcome: 'blocked',
        'findings-total': String(FLAWED.total),
      });
      expect(story.stage.github.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'failure' }]);
      expect(story.stage.github.comments).toHaveLength(1);
      const hosts = new Set(network.tunnels.map(({ to }) => to));
      expect([...hosts].toSorted()).toEqual([`${GITHUB_HOST}:443`, `${SCANS_HOST}:443`]);
      expect(network.tunnels.every(({ credentials }) => credentials === undefined)).toBe(true);
    },
  );

  test.each(['127.0.0.1', 'localhost'])(
    'a service on %s is reached without it, token and all',
    async (host) => {
      const scene = await prepare({ driver: 'bundle' });
      const baseUrl = scene.stage.service.baseUrl.replace('127.0.0.1', host).replace(/\/api\/v1$/, '');
      const story = await playThrough(scene, { HTTP_PROXY: 'http://127.0.0.1:9' }, baseUrl);
      expect(story.run.outputs['outcome'], story.run.log).toBe('blocked');
    },
  );

  test('a name and a password are given to the proxy, and to nobody else', async () => {
    const { scene, network } = await prepareNetwork();
    const url = `http://${CREDENTIALS}@127.0.0.1:${network.proxyPort}`;
    const story = await playThrough(scene, { ...behind(network, scene), HTTPS_PROXY: url });
    expect(story.run.outputs['outcome'], story.run.log).toBe('blocked');
    const sent = `Basic ${Buffer.from(`${NAME}:${PASSWORD}`).toString('base64')}`;
    expect(new Set(network.tunnels.map(({ credentials }) => credentials))).toEqual(new Set([sent]));
    expectNoPassword(story);
  });

  test('NO_PROXY goes around it', async () => {
    const { scene, network } = await prepareNetwork();
    const env = { ...behind(network, scene), HTTPS_PROXY: network.proxyUrl, NO_PROXY: '127.0.0.1' };
    const story = await playThrough(scene, env, network.directScans);
    expect(story.run.outputs['outcome'], story.run.log).toBe('blocked');
    expect(new Set(network.tunnels.map(({ to }) => to))).toEqual(new Set([`${GITHUB_HOST}:443`]));
  });

  test('an authority that nobody told Node of: red, and it says where to name it', async () => {
    const { scene, network } = await prepareNetwork();
    const { NODE_EXTRA_CA_CERTS: _, ...env } = behind(network, scene);
    const story = await playThrough(scene, { ...env, HTTPS_PROXY: network.proxyUrl });
    expectOutOfReach(story);
    expect(story.run.log).toContain('NODE_EXTRA_CA_CERTS');
    expect(network.tunnels.length).toBeLessThan(MOST_IN_VAIN);
  });
});

function expectNoPassword(story: Story): void {
  const text = told(story);
  for (const secret of [
    PASSWORD,
    encodeURIComponent(PASSWORD),
    Buffer.from(`${NAME}:${PASSWORD}`).toString('base64'),
  ])
    expect(text).not.toContain(secret);
}

describe('a proxy that wants a name and a password', () => {
  test.each([
    ['none are given', ''],
    ['the wrong ones are given', `${CREDENTIALS}@`],
  ])('%s: red at once, and it says where to write them', async (_what, credentials) => {
    const { scene, network } = await prepareNetwork();
    network.manner = 407;
    const url = `http://${credentials}127.0.0.1:${network.proxyPort}`;
    const story = await playThrough(scene, { ...onlyService(network), HTTPS_PROXY: url });
    expectOutOfReach(story);
    expect(story.run.log).toContain('the proxy requires a user name and a password');
    expect(story.run.log).toContain('HTTPS_PROXY');
    expect(story.stage.github.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'failure' }]);
    expect(network.tunnels).toHaveLength(1);
    expectNoPassword(story);
  });

  test('before GitHub too: the log says it for both', async () => {
    const { scene, network } = await prepareNetwork();
    network.manner = 407;
    const url = `http://${CREDENTIALS}@127.0.0.1:${network.proxyPort}`;
    const story = await playThrough(scene, { ...behind(network, scene), HTTPS_PROXY: url });
    expectOutOfReach(story);
    expect(story.run.log.match(/the proxy requires a user name and a password/g)?.length).toBeGreaterThan(1);
    expect(network.tunnels.length).toBeLessThan(MOST_IN_VAIN);
    expectNoPassword(story);
  });
});

describe('a proxy that makes no connection', () => {
  test.each([
    ['closes', 'close'],
    ['resets', 'reset'],
    ['refuses', 502],
  ] as const)('%s: a few requests for a tunnel, then red, naming the proxy', async (_what, manner) => {
    const { scene, network } = await prepareNetwork();
    network.manner = manner;
    const story = await playThrough(scene, { ...behind(network, scene), HTTPS_PROXY: network.proxyUrl });
    expectOutOfReach(story);
    expect(story.run.summary).toContain('the proxy could not connect');
    expect(story.run.log).toContain('HTTPS_PROXY');
    const toScans = network.tunnels.filter(({ to }) => to === `${SCANS_HOST}:443`);
    expect(toScans).toHaveLength(4);
    expect(network.tunnels.length).toBeLessThan(MOST_IN_VAIN);
  });

  test('where nobody listens: red, naming the proxy', async () => {
    const { scene, network } = await prepareNetwork();
    await network.leave();
    const story = await playThrough(scene, { ...onlyService(network), HTTPS_PROXY: network.proxyUrl });
    expectOutOfReach(story);
    expect(story.run.summary).toContain('the proxy could not connect');
  });

  test('in the middle of a scan: polled in measure, then red; `post` cancels it when the proxy is back', async () => {
    const scene = await prepare({
      driver: 'bundle',
      service: {
        pace: { hold: true },
        intercept: ({ point, count }) => {
          if (point === 'scans.read' && count === 2) {
            network.manner = 'close';
            network.cut();
          }
          return undefined;
        },
      },
    });
    const network = await openNetwork(scene);
    const env = { ...onlyService(network), HTTPS_PROXY: network.proxyUrl };
    const story = await playThrough(scene, env);
    expect(story.run.outputs, story.run.log).toMatchObject({ outcome: 'not-scanned' });
    expect(story.run.exitCode).toBe(1);
    expect(story.run.summary).toContain('the proxy could not connect');
    expect(network.tunnels.length).toBeLessThan(MOST_IN_VAIN);
    expect(scene.stage.service.ledger().reserved).toBe(20);

    network.manner = 'tunnel';
    const inputs = { 'base-url': `https://${SCANS_HOST}/api/v1` };
    const post = await scene.stage.run({
      step: 'post',
      state: story.run.state,
      env,
      inputs,
    });
    expect(post.exitCode, post.log).toBe(0);
    expect(scene.stage.service.ledger().reserved).toBe(0);
    expect(countOf(scene, 'service', 'scans.launch')).toBe(1);
  });
});
