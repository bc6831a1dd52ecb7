import * as v from 'valibot';
import type { Interception } from '../../sandbox/faults/interception.ts';
import type { GitFixture } from '../../sandbox/git-fixture.ts';
import { type FakeGitHub, startFakeGitHub } from '../../sandbox/github/server.ts';
import { type FakeScanService, startFakeScanService } from '../../sandbox/scan-service/server.ts';
import type { Result } from '../../src/domain/result.ts';
import { createGitHub } from '../../src/github/octokit.ts';
import { createScanApi } from '../../src/scan-api/client.ts';
import { DeadlineClock } from '../support/deadline-clock.ts';
import { errorData } from '../support/driver/error-data.ts';
import { createNetwork } from '../support/driver/network.ts';
import { deliver } from '../support/driver/simulate.ts';
import { createVirtualTime } from '../support/driver/virtual-time.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { NEVER_ABORTED } from '../support/never-aborted.ts';
import type { FaultKind, Side } from './fault-kinds.ts';
import type { ForeignOrigin } from './foreign-origin.ts';

export type Transport = 'sockets' | 'simulation';

/** Both fake servers. A test breaks one of them at a time. */
export interface SharedFixture {
  readonly service: FakeScanService;
  readonly github: FakeGitHub;
  readonly repository: GitFixture;
  readonly foreignOrigin: ForeignOrigin;
  /** The current fault. Both fake servers read it for each request. */
  breaks: Break | undefined;
}

interface Break {
  readonly side: Side;
  readonly kind: FaultKind;
  struck: boolean;
  readonly onArrival: () => void;
}

/** The effect of one fault on `fetch` and on the client. The client retries as long as its policy allows. */
export interface Seen {
  readonly fetch: unknown;
  readonly client: unknown;
  /** How many requests the client sent. */
  readonly requests: number;
  /** How long the client waited between its requests, in milliseconds. */
  readonly waits: readonly number[];
}

const NAME = { owner: 'octo-org', name: 'octo-repo' };
const REPOSITORY = 'octo-org/octo-repo';
/** The most that a client reads of an answer. */
const LARGEST_BODY_BYTES = 10 * 1024 * 1024;
const HOUR_MS = 60 * 60_000;
const SHOWN_HEADERS = ['content-type', 'content-encoding', 'location', 'retry-after'];
/**
 * A test tries at most this many times to make the fault occur. A connection can be stale only if Node uses it again,
 * and a test cannot make Node do this.
 */
const MOST_TRIES = 60;

export async function openSharedFixture(
  repository: GitFixture,
  foreignOrigin: ForeignOrigin,
): Promise<SharedFixture> {
  const intercept =
    (side: Side) =>
    ({ onUsedConnection }: { readonly onUsedConnection: boolean }) =>
      strike(fixture, side, onUsedConnection);
  const [service, github] = await Promise.all([
    startFakeScanService({
      repositories: [{ ...NAME, gitDir: repository.dir }],
      credits: 1_000_000,
      tokens: [{ requestCeiling: { requests: 1_000_000, windowSeconds: 60 } }],
      intercept: intercept('service'),
      analyze: async () => ({
        vulnerabilities: [],
        filesRead: 0,
        codeFilesRead: 0,
        filesSkipped: 0,
        anyCode: false,
      }),
      survey: async () => ({ branches: [], files: [] }),
    }),
    startFakeGitHub({
      repository: REPOSITORY,
      directory: repository.dir,
      visibility: 'private',
      pullRequests: [{ number: 1, headSha: repository.id('head'), baseRef: 'main' }],
      intercept: intercept('github'),
    }),
  ]);
  const fixture: SharedFixture = { service, github, repository, foreignOrigin, breaks: undefined };
  return fixture;
}

function strike(
  { breaks, foreignOrigin, service, github }: SharedFixture,
  side: Side,
  onUsedConnection: boolean,
): Interception | undefined {
  if (breaks === undefined || breaks.side !== side) return undefined;
  const { kind } = breaks;
  setImmediate(breaks.onArrival);
  if (kind.how === 'refuse') return undefined;
  if (kind.how === 'stale') {
    if (breaks.struck || !onUsedConnection) return undefined;
    breaks.struck = true;
    (side === 'service' ? service : github).dropIdle();
    return { fault: 'reset-before' };
  }
  breaks.struck = true;
  return kind.how(side, { foreignOrigin: foreignOrigin.url, date: new FakeClock().date() });
}

/** Breaks every request to one side, and records the effect. */
export async function lookAt(
  fixture: SharedFixture,
  transport: Transport,
  {
    side,
    access,
    kind,
  }: { readonly side: Side; readonly access: 'read' | 'write'; readonly kind: FaultKind },
): Promise<Seen> {
  const observe = async <T>(look: (connection: Connection) => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries += 1) {
      const [seen, isStruck] = await broken(fixture, transport, side, kind, look);
      if (isStruck) return seen;
      if (tries === MOST_TRIES) throw new Error(`${kind.name} never came about`);
    }
  };
  const fetched = await observe((connection) => fetchOnce(fixture, connection, side, access));
  const { result, ...client } = await observe((connection) => askClient(fixture, connection, side, access));
  return { fetch: fetched, client: result, ...client };
}

/** A faulty connection to the fake servers. */
interface Connection {
  readonly fetch: typeof globalThis.fetch;
  /** Where the fault makes the exchange hang. */
  readonly hangs: 'before the answer' | 'in its body' | undefined;
  /** Resolves when the request has arrived. */
  arrived(): Promise<void>;
}

async function broken<T>(
  fixture: SharedFixture,
  transport: Transport,
  side: Side,
  kind: FaultKind,
  look: (connection: Connection) => Promise<T>,
): Promise<[T, boolean]> {
  const fake = fixture[side];
  const time = createVirtualTime();
  const process = { alive: true };
  const used = { connection: false };
  const simulated = createNetwork({
    time,
    latency: () => 1,
    send: (_process, sent) => {
      const onUsedConnection = used.connection;
      used.connection = true;
      return { arrive: () => deliver([fixture.service, fixture.github], time, sent, onUsedConnection) };
    },
  });
  const fetch = transport === 'sockets' ? globalThis.fetch : simulated(process);
  let arrival = Promise.withResolvers<void>();
  const name = kind.name.replace(/ after$/, '');
  const connection: Connection = {
    fetch,
    hangs:
      name === 'stalled headers' ? 'before the answer' : name === 'stalled body' ? 'in its body' : undefined,
    arrived: async () => {
      await arrival.promise;
      arrival = Promise.withResolvers();
    },
  };
  const breaks: Break = { side, kind, struck: kind.how === 'refuse', onArrival: () => arrival.resolve() };
  const observeOnce = async () => {
    if (kind.how === 'stale') {
      await (await fetch(fake.origin)).text();
      // The answer has ended, but Node can use its connection again only after one more turn of the event loop.
      if (transport === 'sockets') await new Promise((resolve) => setImmediate(resolve));
    }
    if (kind.how === 'refuse') fake.refuseConnections();
    fixture.breaks = breaks;
    try {
      return await look(connection);
    } finally {
      fixture.breaks = undefined;
      await fake.acceptConnections();
    }
  };
  const seen = await (transport === 'sockets' ? observeOnce() : time.runUntil(time.outside(observeOnce())));
  return [seen, breaks.struck];
}

/** The request that `fetchOnce` sends. A fault has the same effect on the client's request, which differs a little. */
function requestOf({ service, github, repository }: SharedFixture, side: Side, access: 'read' | 'write') {
  const token = side === 'service' ? service.token : github.token;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const project = `${service.baseUrl}/projects/${service.project.id}`;
  const issue = `${github.apiUrl}/repos/${REPOSITORY}`;
  if (access === 'read')
    return {
      url: side === 'service' ? `${project}/repositories` : `${issue}/pulls/1`,
      method: 'GET',
      headers,
    };
  const body = JSON.stringify(side === 'service' ? launchBody(repository) : { body: 'text' });
  const url = side === 'service' ? `${project}/scans` : `${issue}/issues/1/comments`;
  return { url, method: 'POST', headers, body };
}

function launchBody(repository: GitFixture) {
  return {
    repositoryId: 'repo_octo-repo',
    presetRef: 'diff-review',
    creditBudget: 20,
    baseCommit: repository.id('start'),
    commit: repository.id('head'),
  };
}

async function fetchOnce(
  fixture: SharedFixture,
  { fetch, hangs, arrived }: Connection,
  side: Side,
  access: 'read' | 'write',
): Promise<unknown> {
  const { url, ...init } = requestOf(fixture, side, access);
  const stop = new AbortController();
  const stopSoon = () => void setImmediate(() => stop.abort());
  if (hangs === 'before the answer') void arrived().then(stopSoon);
  // The value that the client of this side sets for this access.
  const redirect = side === 'github' && access === 'read' ? 'follow' : 'manual';
  try {
    const response = await fetch(url, { ...init, redirect, signal: stop.signal });
    const headers = Object.fromEntries(
      SHOWN_HEADERS.flatMap((name) => {
        const value = response.headers.get(name);
        return value === null ? [] : [[name, plain(value, fixture)]];
      }),
    );
    const body = await readBody(response, hangs === 'in its body' ? stopSoon : () => {});
    return { status: response.status, headers, body };
  } catch (thrown) {
    return stop.signal.aborted ? 'no answer' : { throws: errorData(thrown) };
  }
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

async function askClient(
  fixture: SharedFixture,
  { fetch, hangs, arrived }: Connection,
  side: Side,
  access: 'read' | 'write',
) {
  const clock = new DeadlineClock();
  let requests = 0;
  const counting: typeof globalThis.fetch = async (input, init) => {
    requests += 1;
    if (hangs === 'before the answer') void arrived().then(() => clock.expireSoon());
    const response = await fetch(input, init);
    if (hangs === 'in its body') clock.expireSoon();
    return response;
  };
  const result = await (side === 'service' ? askService : askGitHub)(fixture, counting, clock, access);
  const client = result.ok ? 'an answer' : JSON.parse(plain(JSON.stringify(result.error), fixture));
  return { result: client, requests, waits: clock.sleeps };
}

function askService(
  { service, repository }: SharedFixture,
  fetch: typeof globalThis.fetch,
  clock: FakeClock,
  access: 'read' | 'write',
): Promise<Result<unknown, unknown>> {
  const { baseUrl, token, project } = service;
  const leftMs = () => HOUR_MS - clock.now();
  const api = createScanApi({
    baseUrl,
    token,
    clock,
    fetch,
    random: () => 0.5,
    showMessages: async () => true,
    leftMs,
  });
  const call = { signal: NEVER_ABORTED };
  return access === 'read'
    ? api.repositories(project.id, call)
    : api.launch(project.id, launchBody(repository), call);
}

const Any = v.object({ id: v.number() });

function askGitHub(
  { github }: SharedFixture,
  fetch: typeof globalThis.fetch,
  clock: FakeClock,
  access: 'read' | 'write',
): Promise<Result<unknown, unknown>> {
  const { apiUrl, graphqlUrl, token } = github;
  const environment = { owner: NAME.owner, repo: NAME.name, apiUrl, graphqlUrl };
  const client = createGitHub({ token, environment, clock, fetch }).until(NEVER_ABORTED);
  const common = { permission: 'pull-requests: write', answer: Any } as const;
  return access === 'read'
    ? client.ask({
        ...common,
        operation: 'read the pull request',
        route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}',
        parameters: { pull_number: 1 },
      })
    : client.ask({
        ...common,
        operation: 'comment on the pull request',
        route: 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
        parameters: { issue_number: 1, body: 'text' },
      });
}

/** Removes the ports from a text, because they differ in each run. */
function plain(text: string, { foreignOrigin }: SharedFixture): string {
  return text
    .replaceAll(new URL(foreignOrigin.url).origin, 'http://elsewhere')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1')
    .replaceAll(/comments\/\d+/g, 'comments/1');
}
