import {
  createEnvironment,
  type Environment,
  type EnvironmentOptions,
} from '../../../sandbox/environment.ts';
import type { Handle, Handled } from '../../../sandbox/faults/handled.ts';
import { rememberGit } from '../../../sandbox/git-process.ts';
import { createGitMirror, type GitMirror } from '../../../sandbox/github/git-mirror.ts';
import {
  type Analysis,
  type AnalysisTarget,
  analyze,
} from '../../../sandbox/scan-service/analyzer/analyze.ts';
import { type FetchResult, fetchResultOf } from './fetch-result.ts';
import type { Simulation } from './in-process.ts';
import { createNetwork, type Sent, type SimulatedProcess } from './network.ts';
import { createRandom } from './random.ts';
import { createVirtualTime, type VirtualTime } from './virtual-time.ts';

/** The time that each request and each answer takes to arrive, in milliseconds. */
const LATENCY_MS = 5;

/** An environment whose runs stay in this process. Their requests reach the fake servers without sockets. */
export interface SimulatedEnvironment extends Simulation {
  readonly environment: Environment;
  readonly when: (condition: () => boolean) => Promise<void>;
}

/** Creates the environment. The repository is only read. */
export async function simulate({
  service,
  github,
  ...options
}: EnvironmentOptions): Promise<SimulatedEnvironment> {
  const time = createVirtualTime();
  rememberGit(options.directory);
  const look = service?.analyze ?? analyzeOnce;
  const environment = await createEnvironment({
    ...options,
    service: {
      clock: { now: time.date },
      ...service,
      analyze: (target) => time.during(() => look(target)),
    },
    github: {
      clock: { now: time.date },
      ...(github?.branches === undefined ? { mirror: sharedMirror(options.directory) } : {}),
      ...github,
    },
  });
  const watched = new Set<() => void>();
  const used = new WeakMap<SimulatedProcess, Set<string>>();

  const fetchOf = createNetwork<SimulatedProcess>({
    time,
    latency: () => LATENCY_MS,
    send: (process, sent) => {
      const origins = used.get(process) ?? new Set();
      used.set(process, origins);
      const onUsedConnection = origins.has(sent.url.origin);
      origins.add(sent.url.origin);
      return {
        arrive: async () => {
          const result = await deliver(
            [environment.service, environment.github],
            time,
            sent,
            onUsedConnection,
          );
          for (const lookAgain of watched) lookAgain();
          return result;
        },
      };
    },
  });
  return {
    environment,
    time,
    fetchOf,
    random: createRandom(1),
    when: (condition) =>
      new Promise((resolve) => {
        const look = () => {
          if (!condition()) return;
          watched.delete(look);
          resolve();
        };
        watched.add(look);
        look();
      }),
  };
}

/** A fake server that answers without sockets. */
interface Host {
  readonly origin: string;
  readonly handle: Handle;
}

/** Passes a request to its fake server, and returns the result. */
export async function deliver(
  hosts: readonly Host[],
  time: VirtualTime,
  sent: Sent,
  onUsedConnection: boolean,
): Promise<FetchResult> {
  const { method, url, headers, text } = sent;
  const path = `${url.pathname}${url.search}`;
  const request = { method, path, headers, body: Buffer.from(text), onUsedConnection };
  const host = hosts.find(({ origin }) => origin === url.origin);
  if (host === undefined) return time.during(() => overSockets(sent));
  return fetchResultOf(await (host.handle(request, time.during)?.catch(failure) ?? undefined));
}

/** Prints an error of the fake server or of an interceptor. Answers with a server error, as the socket servers do. */
function failure(error: unknown): Handled {
  console.error('a fake server failed:', error);
  return { interception: undefined, answer: { status: 500, body: 'The fake server failed.' } };
}

/** Sends a request over a socket, to a server of this machine that is not in the simulation. */
async function overSockets({ method, url, headers, text }: Sent): Promise<FetchResult> {
  try {
    const body = text === '' ? null : text;
    const response = await fetch(url, { method, headers, body, redirect: 'manual' });
    // The body is no longer compressed, so the header is removed.
    const { 'content-encoding': _, ...kept } = Object.fromEntries(response.headers);
    const answer = {
      status: response.status,
      headers: kept,
      body: Buffer.from(await response.arrayBuffer()),
    };
    return { kind: 'answer', answer };
  } catch (error) {
    return { kind: 'throws', error: error instanceof Error ? error : new Error(String(error)) };
  }
}

const analyses = new Map<string, Promise<Analysis>>();

/**
 * Works like the service's analyzer. For equal targets without `inScope`, it analyzes only once, because the repository
 * does not change.
 */
function analyzeOnce(target: AnalysisTarget): Promise<Analysis> {
  if (target.inScope !== undefined) return analyze(target);
  const key = JSON.stringify(target);
  const found = analyses.get(key) ?? analyze(target);
  analyses.set(key, found);
  return found;
}

/** The mirror of each repository. Git fetches from the mirror. The mirror is removed with the repository. */
const mirrors = new Map<string, GitMirror>();

function sharedMirror(directory: string): GitMirror {
  const known = mirrors.get(directory) ?? createSharedMirror(directory);
  mirrors.set(directory, known);
  return known;
}

/** A mirror without pull request heads. Its refs never change, so git's answers can be remembered. */
function createSharedMirror(dir: string): GitMirror {
  const mirror = createGitMirror({ dir, pullRequestHeads: () => new Map() });
  let published: Promise<string> | undefined;
  return {
    ...mirror,
    publish: () => {
      published ??= publishOnce(mirror);
      return published;
    },
  };
}

async function publishOnce(mirror: GitMirror): Promise<string> {
  const root = await mirror.publish();
  rememberGit(root);
  return root;
}
