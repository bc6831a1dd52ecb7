import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pullRequestEvent } from '../../sandbox/events.ts';
import type { Answer } from '../../sandbox/faults/interception.ts';
import { isObject } from '../../sandbox/json.ts';
import { type ActionManifest, readActionManifest } from '../../sandbox/runner/action-manifest.ts';
import { createRandom } from '../support/driver/random.ts';
import { createVirtualTime } from '../support/driver/virtual-time.ts';
import {
  type HistoryEnvironment,
  openEnvironment,
  openSharedFixture,
  PULL_REQUEST,
  REPOSITORY,
  type SharedFixture,
} from './histories/environment.ts';
import { acceptedScan } from './histories/fault-plan.ts';
import type { FaultName } from './histories/faults.ts';
import { type Job, startJob } from './histories/job.ts';
import { createHistoryNetwork, type Exchange } from './histories/network.ts';
import type { Ending, History } from './histories/plan.ts';
import { createRequestHandlers } from './histories/request-handlers.ts';

/** The options of a round, in which jobs start together. */
export interface RoundPlan {
  readonly seed: number;
  readonly jobs: number;
  /**
   * What disturbs the jobs. With `reads fail`, GitHub fails to list the check runs in some requests. With `creations
   * fail`, GitHub fails to create some check runs.
   */
  readonly trouble: 'none' | 'reads fail' | 'a job ends early' | 'creations fail';
}

/** The result of a round. */
export interface Round {
  readonly jobs: readonly Job[];
  readonly environment: HistoryEnvironment;
  readonly exchanges: readonly Exchange[];
  readonly launches: number;
  /**
   * The ids of the scans that completed or still run. Scans of lost machines are left out, unless there are no others.
   * Then those that a job uses are listed.
   */
  readonly scansLeft: readonly string[];
  /** The jobs that neither passed nor blocked, although nothing ended them early. Each entry has the end of the log. */
  readonly redForNothing: readonly string[];
}

export interface Rounds {
  run(plan: RoundPlan): Promise<Round>;
  close(): Promise<void>;
}

/**
 * The wait between polls that the service asks for, in seconds. A scan has six phases, and each poll ends one. So the
 * scan still runs when its job looks for twins for the second time.
 */
const RETRY_AFTER_SECONDS = 8;
const LATEST_START_MS = 3_000;
const LATEST_VISIBLE_MS = 2_000;
const FAILED_READS: readonly FaultName[] = ['reset before', '503', 'cut body', '429 soon'];
const FAILED_CREATIONS: readonly FaultName[] = ['reset before', 'reset after', '503', '502 after'];

export async function openRounds(): Promise<Rounds> {
  const fixture = await openSharedFixture();
  const folder = await mkdtemp(path.join(tmpdir(), 'scangate-twins-'));
  const manifest = await readActionManifest(path.resolve(import.meta.dirname, '../..'));
  const comparisons = new Map<string, Answer>();
  return {
    run: (plan) => runRound({ fixture, folder, manifest, comparisons }, plan),
    close: async () => {
      await Promise.all([fixture.close(), rm(folder, { recursive: true, force: true })]);
    },
  };
}

interface Setting {
  readonly fixture: SharedFixture;
  readonly folder: string;
  readonly manifest: ActionManifest;
  readonly comparisons: Map<string, Answer>;
}

async function runRound(
  { fixture, folder, manifest, comparisons }: Setting,
  plan: RoundPlan,
): Promise<Round> {
  const time = createVirtualTime();
  const random = createRandom(plan.seed);
  const headSha = fixture.repository.id('medium 1');
  const environment = openEnvironment(fixture, historyOf(plan), time, headSha);
  environment.pulls.open(PULL_REQUEST, headSha, 'main');
  const hide = createVisibility(time.now, () => random() * LATEST_VISIBLE_MS);
  const handlerOf = createRequestHandlers(fixture, environment, comparisons);
  const network = createHistoryNetwork({
    time,
    handlerOf: (sent, process) => {
      const handler = handlerOf(sent, process);
      return { ...handler, answer: async () => hide(handler.point, await handler.answer()) };
    },
    latency: () => 20 + random() * 300,
    faultOf: (exchange) => faultOf(plan, exchange, random),
    onArrival: () => {},
    onAnswer: () => {},
    pageSize: 100,
    otherScan: () => undefined,
  });
  const jobs: Job[] = [];
  const endsEarly = plan.trouble === 'a job ends early' ? Math.floor(random() * plan.jobs) : -1;
  const start = async (number: number) => {
    await time.wait(random() * LATEST_START_MS);
    const job = startJob(
      {
        time,
        fetchOf: network.fetchOf,
        random,
        manifest,
        folder,
        serverUrl: fixture.gitHost.serverUrl,
        githubToken: fixture.gitHost.token,
        apiToken: environment.apiToken,
      },
      {
        number,
        runId: 9_000_000_001 + number,
        attempt: 1,
        headSha,
        payload: payloadOf(fixture, headSha),
        timeoutMinutes: 30,
        step: 'whole',
        inputs: {},
        end: number === endsEarly ? earlyEnd(random) : { kind: 'by itself' },
      },
    );
    jobs.push(job);
    await job.over;
  };
  await time.runUntil(
    Promise.all(Array.from({ length: plan.jobs }, (_, number) => start(number))).then(() => undefined),
  );
  const lost = new Set(jobs.filter((job) => job.lost).map((job) => job.plan.number));
  const ofLost = network.exchanges.flatMap((exchange) =>
    lost.has(exchange.process.run) ? (acceptedScan(exchange) ?? []) : [],
  );
  const followed = new Set(jobs.map(({ outputs }) => outputs?.['scan-id']));
  const active = environment.service.scans.filter(
    ({ status }) => status !== 'CANCELLED' && status !== 'FAILED',
  );
  const ofLiving = active.filter(({ id }) => !ofLost.includes(id));
  const left = ofLiving.length > 0 ? ofLiving : active.filter(({ id }) => followed.has(id));
  return {
    jobs,
    environment,
    exchanges: network.exchanges,
    launches: environment.service.scans.length,
    scansLeft: left.map(({ id }) => id),
    redForNothing: jobs
      .filter((job) => job.plan.number !== endsEarly)
      .filter(({ outputs }) => outputs?.outcome !== 'passed' && outputs?.outcome !== 'blocked')
      .map(({ log, outputs }) => `${outputs?.outcome} (${outputs?.reason}): ${log.slice(-3).join(' | ')}`),
  };
}

/**
 * A random early end of a job: it is cancelled, its process is killed, or its machine is lost. The job may not have
 * launched a scan yet. Or it may have left its scan to a twin already.
 */
function earlyEnd(random: () => number): Ending {
  const at = random() * 20_000;
  const kinds = ['cancelled', 'killed', 'lost'] as const;
  return { kind: kinds[Math.floor(random() * kinds.length)] ?? 'lost', at };
}

function faultOf(
  { trouble }: RoundPlan,
  { side, point }: Exchange,
  random: () => number,
): FaultName | undefined {
  const pick = (faults: readonly FaultName[]) => faults[Math.floor(random() * faults.length)];
  if (side !== 'github') return undefined;
  if (trouble === 'reads fail' && point === 'check.list')
    return random() < 0.3 ? pick(FAILED_READS) : undefined;
  if (trouble === 'creations fail' && point === 'check.create')
    return random() < 0.4 ? pick(FAILED_CREATIONS) : undefined;
  return undefined;
}

/** Makes GitHub list each new check run late. */
function createVisibility(now: () => number, delay: () => number) {
  const visibleFrom = new Map<number, number>();
  return (point: string, answer: Answer): Answer => {
    const { body } = answer;
    if (!isObject(body)) return answer;
    if (point === 'check.create' && typeof body['id'] === 'number')
      visibleFrom.set(body['id'], now() + delay());
    const runs: unknown = body['check_runs'];
    if (point !== 'check.list' || !Array.isArray(runs)) return answer;
    const visible = runs.filter((run) => isObject(run) && (visibleFrom.get(Number(run['id'])) ?? 0) <= now());
    return { ...answer, body: { ...body, total_count: visible.length, check_runs: visible } };
  };
}

function payloadOf(fixture: SharedFixture, headSha: string): unknown {
  return pullRequestEvent({
    action: 'opened',
    repository: REPOSITORY,
    visibility: 'private',
    serverUrl: fixture.gitHost.serverUrl,
    number: PULL_REQUEST,
    headSha,
    baseRef: 'main',
  });
}

function historyOf({ seed }: RoundPlan): History {
  return {
    seed,
    pageSize: 100,
    phasesPerPoll: 1,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    terse: seed % 2 === 0,
    hides: 'nothing',
    blind: false,
    githubLagMs: 0,
    allows: false,
    paths: false,
    timeoutMinutes: 30,
    latency: 300,
    opened: {
      head: 'medium 1',
      base: 'main',
      trouble: { faults: [], end: { kind: 'by itself' } },
      lag: 'all over',
    },
    acts: [],
    last: 'same head',
  };
}
