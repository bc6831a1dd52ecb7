import { pullRequestEvent } from '../../../sandbox/events.ts';
import { createRandom } from '../../support/driver/random.ts';
import { createVirtualTime, type VirtualTime } from '../../support/driver/virtual-time.ts';
import { type HistoryEnvironment, openEnvironment, PULL_REQUEST, REPOSITORY } from './environment.ts';
import { acceptedScan, createFaultPlan, type FaultPlan } from './fault-plan.ts';
import { createFindingModel, type FindingModel, isOver } from './finding-model.ts';
import { type HeadName, MERGE_BASE } from './fixture-repository.ts';
import { interfere } from './interfere.ts';
import { BUDGET, type Job, startJob } from './job.ts';
import { createHistoryNetwork, type Exchange } from './network.ts';
import { launchAsOtherUser } from './other-user.ts';
import type { Act, History, Trouble } from './plan.ts';
import { createRequestHandlers } from './request-handlers.ts';
import type { Launch, Setting, SimulatedHistory } from './simulated-history.ts';

/** Longer than any request is under way. */
const SETTLING_MS = 10_000;
/** Enough for the slowest scan of all histories. */
const PATIENT_MINUTES = 30;
const CALM: Trouble = { faults: [], end: { kind: 'by itself' } };

export async function simulateHistory(setting: Setting, history: History): Promise<SimulatedHistory> {
  const time = createVirtualTime();
  const random = createRandom(history.seed);
  return time.runUntil(new HistorySimulation(setting, history, time, random).run());
}

class HistorySimulation {
  readonly #setting: Setting;
  readonly #history: History;
  readonly #time: VirtualTime;
  readonly #random: () => number;
  readonly #environment: HistoryEnvironment;
  readonly #model: FindingModel;
  readonly #network: ReturnType<typeof createHistoryNetwork>;
  readonly #jobs: Job[] = [];
  readonly #events: { readonly runId: number; readonly headSha: string; readonly payload: unknown }[] = [];
  readonly #launches: Launch[] = [];
  readonly #otherUserScans = new Set<string>();
  readonly #faultPlan: FaultPlan;
  readonly #heads: { readonly sha: string; readonly from: number }[] = [];
  #isLast = false;

  constructor(setting: Setting, history: History, time: VirtualTime, random: () => number) {
    this.#setting = setting;
    this.#history = history;
    this.#time = time;
    this.#random = random;
    this.#environment = openEnvironment(
      setting.fixture,
      history,
      time,
      setting.fixture.repository.id(history.opened.head),
    );
    this.#faultPlan = createFaultPlan(this.#environment);
    this.#model = createFindingModel(this.#environment.service, time.now);
    this.#network = createHistoryNetwork({
      time,
      handlerOf: createRequestHandlers(setting.fixture, this.#environment, setting.comparisons),
      latency: () => 1 + random() * (history.latency - 1),
      faultOf: this.#faultPlan.faultOf,
      onArrival: this.#faultPlan.arrive,
      onAnswer: (exchange) => this.#note(exchange),
      pageSize: history.pageSize,
    });
  }

  async run(): Promise<SimulatedHistory> {
    const { opened, acts, last } = this.#history;
    this.#push(opened.head, 'opened', opened.trouble);
    await this.#pass(opened.lag);
    for (const act of acts) {
      await this.#do(act);
      await this.#pass(act.lag);
    }
    await this.#allOver();
    await this.#outagesOver();
    // What dead processes had sent arrives before the last run looks.
    await this.#time.wait(SETTLING_MS);
    this.#faultPlan.noMoreTurns();
    for (const scan of this.#environment.service.scans) scan.held = false;
    this.#environment.service.next = {};
    const beforeFinalRun = this.#standing();
    this.#isLast = true;
    if (last === 'push') this.#push(this.#otherHead(), 'synchronize', CALM);
    else this.#parallel(CALM, true);
    await this.#allOver();
    const lastJob = this.#jobs.at(-1);
    if (lastJob === undefined) throw new Error('there was no last run');
    return {
      history: this.#history,
      environment: this.#environment,
      model: this.#model,
      jobs: this.#jobs,
      last: lastJob,
      exchanges: this.#network.exchanges,
      launches: this.#launches,
      otherUserScans: this.#otherUserScans,
      outages: this.#faultPlan.outages,
      heads: this.#heads,
      beforeFinalRun,
    };
  }

  #standing(): SimulatedHistory['beforeFinalRun'] {
    const { service, github } = this.#environment;
    return {
      at: this.#time.now(),
      running: service.scans.filter((scan) => !isOver(scan)).map(({ id }) => id),
      comments: github.comments.all.map(({ body }) => body),
      checksInProgress: github.checkRuns.all.filter(({ status }) => status !== 'completed'),
    };
  }

  async #pass(lag: number | 'all over'): Promise<void> {
    if (lag === 'all over') await this.#allOver();
    else await this.#time.wait(lag);
  }

  async #allOver(): Promise<void> {
    await Promise.all(this.#jobs.map(({ over }) => over));
  }

  async #outagesOver(): Promise<void> {
    const end = Math.max(0, ...this.#faultPlan.outages.map(({ to }) => to));
    if (end > this.#time.now()) await this.#time.wait(end - this.#time.now());
  }

  async #do(act: Act): Promise<void> {
    switch (act.kind) {
      case 'push':
        if (act.cancelsOlder) for (const job of this.#jobs) job.cancel();
        this.#push(act.head, 'synchronize', act.trouble);
        break;
      case 'parallel':
        this.#parallel(act.trouble, this.#random() < 0.5);
        break;
      case 're-run':
        await this.#again(act.of, act.trouble);
        break;
      case 'triage':
      case 'severity':
      case 'scan':
        interfere(this.#environment.service, this.#model, act);
        break;
      case 'other user': {
        const { repository } = this.#setting.fixture;
        const change = { baseSha: repository.id(MERGE_BASE), headSha: this.#environment.headSha() };
        // The base has no change.
        if (change.headSha === repository.id('nothing')) break;
        this.#otherUserScans.add(
          await launchAsOtherUser(this.#environment.service, change, act.scope, BUDGET),
        );
        break;
      }
      case 'shifting pages':
        this.#faultPlan.turn(act.pages);
        break;
      case 'outage': {
        const from = this.#time.now();
        this.#faultPlan.breakDown({ side: act.side, name: act.name, from, to: from + act.ms });
      }
    }
  }

  #push(head: HeadName, action: 'opened' | 'synchronize', trouble: Trouble): void {
    const headSha = this.#setting.fixture.repository.id(head);
    const before = this.#environment.headSha();
    this.#environment.setHead(headSha);
    this.#heads.push({ sha: headSha, from: this.#time.now() });
    const payload = this.#payload(action, headSha, before);
    const runId = this.#newRunId();
    this.#events.push({ runId, headSha, payload });
    this.#start(runId, 1, headSha, payload, trouble);
  }

  #parallel(trouble: Trouble, byOwnEvent: boolean): void {
    const headSha = this.#environment.headSha();
    const brought = this.#events.findLast((event) => event.headSha === headSha);
    const payload =
      byOwnEvent || brought === undefined ? this.#payload('labeled', headSha, headSha) : brought.payload;
    const runId = this.#newRunId();
    this.#events.push({ runId, headSha, payload });
    this.#start(runId, 1, headSha, payload, trouble);
  }

  /** A run is repeated when it is over. */
  async #again(of: number, trouble: Trouble): Promise<void> {
    const event = this.#events[of % this.#events.length];
    if (event === undefined) return;
    const { runId, headSha, payload } = event;
    const before = this.#jobs.filter((job) => job.plan.runId === runId);
    await Promise.all(before.map(({ over }) => over));
    this.#start(runId, before.length + 1, headSha, payload, trouble);
  }

  #start(runId: number, attempt: number, headSha: string, payload: unknown, { faults, end }: Trouble): void {
    const number = this.#jobs.length;
    this.#faultPlan.plan(number, faults);
    const { fixture, manifest, folder } = this.#setting;
    const { serverUrl, token: githubToken } = fixture.gitHost;
    const { apiToken } = this.#environment;
    const timeoutMinutes = this.#isLast ? PATIENT_MINUTES : this.#history.timeoutMinutes;
    const deps = { manifest, folder, serverUrl, githubToken, apiToken, random: this.#random };
    this.#jobs.push(
      startJob(
        { ...deps, time: this.#time, fetchOf: this.#network.fetchOf },
        { number, runId, attempt, headSha, payload, timeoutMinutes, end },
      ),
    );
  }

  #newRunId(): number {
    return 9_000_000_001 + this.#events.length;
  }

  #payload(action: string, headSha: string, before: string): unknown {
    const payload = pullRequestEvent({
      action,
      repository: REPOSITORY,
      visibility: 'private',
      serverUrl: this.#setting.fixture.gitHost.serverUrl,
      number: PULL_REQUEST,
      headSha,
      baseRef: 'main',
      ...this.#updatedAt(),
    });
    return action === 'synchronize' ? { ...payload, before } : payload;
  }

  #updatedAt() {
    const updatedAt = this.#environment.pullRequests.get(PULL_REQUEST)?.updatedAt;
    return updatedAt === undefined ? {} : { updatedAt };
  }

  #otherHead(): HeadName {
    const { repository } = this.#setting.fixture;
    return this.#environment.headSha() === repository.id('medium 2') ? 'vulnerable 2' : 'medium 2';
  }

  #note(exchange: Exchange): void {
    const scanId = acceptedScan(exchange);
    if (scanId === undefined) return;
    const others = this.#environment.service.scans.filter(({ id }) => id !== scanId);
    const before = new Map(others.map(({ id, status }) => [id, status]));
    this.#launches.push({ process: exchange.process, at: this.#time.now(), scanId, before });
  }
}
