import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEnvironment, type Environment } from '../../sandbox/environment.ts';
import type { Interception } from '../../sandbox/faults/interception.ts';
import { errorData } from '../support/driver/error-data.ts';
import { createNetwork } from '../support/driver/network.ts';
import { deliver } from '../support/driver/simulate.ts';
import { createVirtualTime } from '../support/driver/virtual-time.ts';
import { type SharedRepository, sharedRepository } from '../support/shared-repository.ts';
import { type FaultKind, faultKinds, type Side } from './fault-kinds.ts';
import { type ForeignOrigin, openForeignOrigin } from './foreign-origin.ts';

/** The most that a client reads of an answer. */
const LARGEST_BODY_BYTES = 10 * 1024 * 1024;
const SHOWN_HEADERS = ['content-type', 'content-encoding', 'location', 'retry-after'];
/** A fault whose answer has a date gets this date. */
const DATE = new Date('2026-01-15T12:00:00Z');
/**
 * A test tries at most this many times to make the fault occur. A connection can be stale only if Node uses it again,
 * and a test cannot make Node do this.
 */
const MOST_TRIES = 60;

/** One request with a fault. */
interface Broken {
  readonly side: Side;
  readonly access: 'read' | 'write';
  readonly kind: FaultKind;
}

const CASES = (['service', 'github'] as const).flatMap((side) =>
  (['read', 'write'] as const).flatMap((access) =>
    faultKinds(access).map((kind) => ({ name: `${side}, ${access}, ${kind.name}`, side, access, kind })),
  ),
);

/** Both fake servers, and the current fault. Each server reads the fault for each request. */
interface Fixture extends Environment {
  breaks: (Broken & { struck: boolean; readonly onArrival: () => void }) | undefined;
}

let repository: SharedRepository;
let foreignOrigin: ForeignOrigin;
let fixture: Fixture;

beforeAll(async () => {
  repository = await sharedRepository({
    commits: [
      { name: 'start', files: { 'a.txt': '1\n' } },
      { name: 'head', files: { 'a.txt': '2\n' } },
    ],
    branches: { main: 'start', change: 'head' },
  });
  foreignOrigin = await openForeignOrigin();
  fixture = await openFixture();
});
afterAll(() => Promise.all([fixture.close(), foreignOrigin.close()]));

async function openFixture(): Promise<Fixture> {
  const opened: Fixture = Object.assign(
    await createEnvironment({
      directory: repository.dir,
      headSha: repository.id('head'),
      service: {
        credits: 1_000_000,
        tokens: [{ requestCeiling: { requests: 1_000_000, windowSeconds: 60 } }],
        intercept: ({ onUsedConnection }) => strike(opened, 'service', onUsedConnection),
      },
      github: { intercept: ({ onUsedConnection }) => strike(opened, 'github', onUsedConnection) },
    }),
    { breaks: undefined },
  );
  return opened;
}

function strike(opened: Fixture, side: Side, onUsedConnection: boolean): Interception | undefined {
  const { breaks } = opened;
  if (breaks?.side !== side) return undefined;
  const { how } = breaks.kind;
  setImmediate(breaks.onArrival);
  if (how === 'refuse') return undefined;
  if (how === 'stale') {
    if (breaks.struck || !onUsedConnection) return undefined;
    breaks.struck = true;
    opened[side].dropIdle();
    return { fault: 'reset-before' };
  }
  breaks.struck = true;
  return how(side, { foreignOrigin: foreignOrigin.url, date: DATE });
}

/** Sends requests with the fault until it has occurred, and returns the effect of the fault on `fetch`. */
async function effectOf(opened: Fixture, transport: 'sockets' | 'simulation', broken: Broken) {
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const [effect, isStruck] = await effectOfOne(opened, transport, broken);
    if (isStruck) return effect;
  }
  throw new Error(`${broken.kind.name} never came about`);
}

async function effectOfOne(opened: Fixture, transport: 'sockets' | 'simulation', broken: Broken) {
  const { service, github } = opened;
  const { how } = broken.kind;
  const fake = opened[broken.side];
  const time = createVirtualTime();
  let isUsed = false;
  const simulated = createNetwork({
    time,
    latency: () => 1,
    send: (_process, sent) => {
      const onUsedConnection = isUsed;
      isUsed = true;
      return { arrive: () => deliver([service, github], time, sent, onUsedConnection) };
    },
  });
  const fetch = transport === 'sockets' ? globalThis.fetch : simulated({ alive: true });
  const arrival = Promise.withResolvers<void>();
  const breaks = { ...broken, struck: how === 'refuse', onArrival: () => arrival.resolve() };
  const observe = async () => {
    if (how === 'stale') {
      await (await fetch(fake.origin)).text();
      // The answer has ended, but Node can use its connection again only after one more turn of the event loop.
      if (transport === 'sockets') await new Promise((resolve) => setImmediate(resolve));
    }
    if (how === 'refuse') fake.refuseConnections();
    opened.breaks = breaks;
    try {
      return await fetchOnce(opened, fetch, broken, arrival.promise);
    } finally {
      opened.breaks = undefined;
      await fake.acceptConnections();
    }
  };
  const effect = await (transport === 'sockets' ? observe() : time.runUntil(time.outside(observe())));
  return [effect, breaks.struck] as const;
}

function requestOf(opened: Fixture, { side, access }: Broken) {
  const { service, github, repository: name } = opened;
  const headers = { authorization: `Bearer ${opened[side].token}`, 'content-type': 'application/json' };
  const project = `${service.baseUrl}/projects/${service.project.id}`;
  const gitHub = `${github.apiUrl}/repos/${name}`;
  if (access === 'read') {
    const url = side === 'service' ? `${project}/repositories` : `${gitHub}/pulls/7`;
    return { url, method: 'GET', headers };
  }
  const launch = {
    repositoryId: 'repo_octo-repo',
    presetRef: 'diff-review',
    creditBudget: 20,
    baseCommit: repository.id('start'),
    commit: repository.id('head'),
  };
  const body = JSON.stringify(side === 'service' ? launch : { body: 'text' });
  const url = side === 'service' ? `${project}/scans` : `${gitHub}/issues/7/comments`;
  return { url, method: 'POST', headers, body };
}

async function fetchOnce(
  opened: Fixture,
  fetch: typeof globalThis.fetch,
  broken: Broken,
  arrival: Promise<void>,
): Promise<unknown> {
  const { side, access, kind } = broken;
  const { url, ...init } = requestOf(opened, broken);
  const stop = new AbortController();
  const stopSoon = () => void setImmediate(() => stop.abort());
  if (kind.name.startsWith('stalled headers')) void arrival.then(stopSoon);
  // The value that the client of this side sets for this access.
  const redirect = side === 'github' && access === 'read' ? 'follow' : 'manual';
  try {
    const response = await fetch(url, { ...init, redirect, signal: stop.signal });
    const headers = Object.fromEntries(
      SHOWN_HEADERS.flatMap((name) => {
        const value = response.headers.get(name);
        return value === null ? [] : [[name, plain(value)]];
      }),
    );
    const body = await readBody(response, kind.name === 'stalled body' ? stopSoon : () => {});
    return { status: response.status, headers, body };
  } catch (thrown) {
    return stop.signal.aborted ? 'no answer' : { throws: errorData(thrown) };
  }
}

/** Removes what differs in each run from a text. */
function plain(text: string): string {
  return text
    .replace(new URL(foreignOrigin.url).origin, 'http://elsewhere')
    .replace(/127\.0\.0\.1:\d+/, '127.0.0.1')
    .replace(/comments\/\d+/, 'comments/1');
}

async function readBody(response: Response, onChunk: () => void): Promise<unknown> {
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > LARGEST_BODY_BYTES) return 'larger than 10 MiB';
      onChunk();
    }
    return 'whole';
  } catch (thrown) {
    const error = errorData(thrown);
    return error.name === 'AbortError' ? 'a part, then nothing' : { aPart: bytes > 0, throws: error };
  }
}

/**
 * The effect of each fault on `fetch`, over real sockets. A simulation must have the same effects.
 *
 * The effects are committed in fault-values.json. If another Node.js version behaves differently, the diff shows it.
 */
describe('the effect of a fault', () => {
  const effects = new Map<string, unknown>();

  test.each(CASES)(
    'a fault has the same effect over sockets and in a simulation: $name',
    async ({ name, ...broken }) => {
      // The faults `stale` and `refuse` depend on open connections, and other faults leave connections open. So `stale`
      // and `refuse` need servers of their own.
      const isOfConnection = broken.kind.how === 'stale' || broken.kind.how === 'refuse';
      const at = isOfConnection ? await openFixture() : fixture;
      const overSockets = await effectOf(at, 'sockets', broken);
      effects.set(name, overSockets);
      expect(await effectOf(at, 'simulation', broken)).toEqual(overSockets);
      if (isOfConnection) await at.close();
    },
  );

  test('the effects of all faults equal fault-values.json (to update the file, use -u)', async () => {
    // The file is complete only if every kind of fault was tested.
    expect(effects.size).toBe(CASES.length);
    const lines = [...effects].map(
      ([name, effect]) => `  ${JSON.stringify(name)}: ${JSON.stringify(effect)}`,
    );
    await expect(`{\n${lines.join(',\n')}\n}\n`).toMatchFileSnapshot(
      path.join(import.meta.dirname, 'fault-values.json'),
    );
  });

  test('no redirect makes `fetch` send a token to another origin', () => {
    expect(foreignOrigin.requests.length).toBeGreaterThan(0);
    expect(foreignOrigin.requests.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
  });
});
