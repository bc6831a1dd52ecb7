import type { Answer, Interception } from '../../sandbox/faults/interception.ts';
import type { FakeGitHub } from '../../sandbox/github/server.ts';
import { isObject } from '../../sandbox/json.ts';
import type { FakeScanService } from '../../sandbox/scan-service/server.ts';
import type { TestEnvironment } from '../support/driver/environment.ts';
import type { FaultKind, Side } from './fault-kinds.ts';
import type { Permanence } from './policy.ts';
import type { PointName, RequestPoint } from './request-points.ts';

/** One cell of a fault matrix: a kind of request, a fault, and whether the fault is transient. */
export interface Cell<Name extends string = PointName> {
  readonly point: RequestPoint<Name>;
  readonly fault: FaultKind;
  readonly permanence: Permanence;
}

/** A request of the kind that the cell tests. */
export interface Hit {
  /** When the request arrived, in milliseconds of the action's time. */
  readonly at: number;
  /** What the request asks for. Two requests for the same thing are two attempts. */
  readonly what: string;
  /** How many requests of the kind `point.anew` had arrived by the time `at`. A retry has the number of its request. */
  readonly round: number;
  /** True if the fault broke the request. */
  readonly isBroken: boolean;
}

export interface FaultInjector {
  /** Both fake servers call this for each request. */
  intercept(side: Side, request: InterceptedRequest): Interception | undefined;
  readonly hits: readonly Hit[];
  /** Whether the fault has occurred. */
  readonly struck: () => boolean;
  /** Called before the action starts, with the servers to break. */
  begin(environment: TestEnvironment): void;
  /** From now on nothing fails. */
  stop(): Promise<void>;
}

interface InterceptedRequest {
  readonly point: string;
  readonly path: string;
  readonly onUsedConnection: boolean;
  readonly body: unknown;
}

/**
 * A transient refusal of connections lasts this many milliseconds of the action's time. The action always waits longer
 * before its next attempt, so that attempt can connect.
 */
const REFUSED_MS = 480;

export function createFaultInjector(
  { point, fault, permanence }: Cell<string>,
  foreignOrigin: () => string,
): FaultInjector {
  const hits: Hit[] = [];
  const arrived = new Set<string>();
  let environment: TestEnvironment | undefined;
  let victim: FakeGitHub | FakeScanService | undefined;
  let spent = false;
  let round = 0;
  let stopped = false;
  const acceptConnections = async () => {
    await victim?.acceptConnections();
  };
  const refuse = () => {
    if (spent) return;
    spent = true;
    victim?.refuseConnections();
    if (permanence === 'transient')
      void environment?.pause(REFUSED_MS).then(() => environment?.hold(acceptConnections));
  };

  function inject(request: InterceptedRequest, isReady: boolean): Interception | undefined {
    const isHere = request.point === point.at && isReady && point.which?.(request.path) !== false;
    const isBroken = permanence !== 'transient' || !spent;
    if (isHere) hits.push({ at: environment?.now() ?? 0, what: whatOf(request), round, isBroken });
    if (fault.how === 'refuse') {
      if (point.after.every((name) => arrived.has(name))) refuse();
      // The server closes each connection after its answer, so the next request has to connect.
      return { rewrite: closing };
    }
    if (!isHere || (spent && permanence === 'transient')) return undefined;
    if (fault.how === 'stale') {
      if (!request.onUsedConnection) return undefined;
      victim?.dropIdle();
      spent = true;
      return { fault: 'reset-before' };
    }
    spent = true;
    return fault.how(point.side, { foreignOrigin: foreignOrigin(), date: environment?.date() ?? new Date() });
  }

  return {
    hits,
    struck: () => spent,
    intercept(side, request) {
      // The fault breaks a request only after all requests in `point.after` have arrived. It does not affect requests
      // of the same kind that arrive earlier.
      const isReady = point.after.every((name) => arrived.has(name));
      if (side === point.side) arrived.add(request.point);
      if (request.point === point.anew) round += 1;
      if (stopped) return undefined;
      const staged = side === 'service' ? inService(point, request.point) : inGitHub(point, request.point);
      const done = side === point.side ? inject(request, isReady) : undefined;
      return done === undefined ? staged : both(staged, done);
    },
    begin(opened) {
      environment = opened;
      victim = point.side === 'service' ? environment.service : environment.github;
      if (fault.how === 'refuse' && point.after.length === 0) refuse();
    },
    async stop() {
      stopped = true;
      await acceptConnections();
    },
  };
}

/** Makes the service behave so that the run sends the request that the cell breaks. */
function inService({ alsoInService }: RequestPoint<string>, at: string): Interception | undefined {
  if (alsoInService === 'launch answer lost' && at === 'scans.launch') return { fault: 'reset-after' };
  if (at === 'findings.resolution' && alsoInService === 'change answer lost') return { fault: 'reset-after' };
  if (at === 'findings.resolution' && alsoInService === 'change lost')
    return { status: 502, body: 'Bad gateway' };
  if (alsoInService === 'other commit shown' && at === 'scans.read') return { rewrite: showOtherCommit };
  return undefined;
}

function inGitHub({ alsoInGitHub }: RequestPoint<string>, at: string): Interception | undefined {
  return alsoInGitHub === 'GraphQL refused' && at === 'graphql'
    ? { status: 403, body: { message: 'Resource not accessible by integration' } }
    : undefined;
}

/**
 * Combines a staged interception with the fault of the cell. If the fault rewrites answers, it rewrites the staged
 * answer. Otherwise, it replaces the staged interception.
 */
function both(staged: Interception | undefined, fault: Interception): Interception {
  if (staged === undefined || !('rewrite' in fault)) return fault;
  if ('status' in staged) return fault.rewrite(staged);
  if (!('rewrite' in staged)) return staged;
  return { rewrite: (answer) => fault.rewrite(staged.rewrite(answer)) };
}

/**
 * What a request asks for. To create a check run in progress and to complete it are different requests. So are two
 * GraphQL queries, of which one asks for smaller lists.
 */
function whatOf({ path, body }: InterceptedRequest): string {
  if (!isObject(body)) return path;
  const [more] = [body['status'], body['query']].filter((value) => typeof value === 'string');
  return more === undefined ? path : `${path} ${more}`;
}

function closing(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, connection: 'close' } };
}

function showOtherCommit(answer: Answer): Answer {
  const { body } = answer;
  if (!isObject(body) || !isObject(body['scan'])) return answer;
  return { ...answer, body: { ...body, scan: { ...body['scan'], commit: '0'.repeat(40) } } };
}
