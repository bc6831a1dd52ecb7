import { isTerminal } from '../../../sandbox/scan-service/scan-status.ts';
import { createRandom } from '../../support/driver/random.ts';
import { createVirtualTime, type VirtualTime } from '../../support/driver/virtual-time.ts';
import { createCheckRunLag } from './check-run-lag.ts';
import { copy, noCopies } from './copier.ts';
import { type HistoryEnvironment, openEnvironment, PULL_REQUEST } from './environment.ts';
import { acceptedScan, createFaultPlan, type FaultPlan } from './fault-plan.ts';
import { createFindingModel, type FindingModel } from './finding-model.ts';
import { mergeBaseName } from './fixture-repository.ts';
import { interfere } from './interfere.ts';
import { BUDGET } from './job.ts';
import { createHistoryNetwork, type Exchange } from './network.ts';
import { type Act, CALM, type History, type Trouble } from './plan.ts';
import { PullRequestActor } from './pull-request-actor.ts';
import { createRequestHandlers } from './request-handlers.ts';
import type { Launch, Setting, SimulatedHistory } from './simulated-history.ts';
import { launchAsStranger, type StrangerScan, type StrangerScope } from './stranger.ts';
import { GATE, Workflow } from './workflow.ts';

/** This wait is longer than any request, and longer than any lag of GitHub's reads. */
const SETTLING_MS = 30_000;
/** A timeout that is long enough for the slowest scan of all histories. */
const PATIENT_MINUTES = 30;

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
  readonly #workflow: Workflow;
  readonly #actor: PullRequestActor;
  readonly #launches: Launch[] = [];
  readonly #strangers = new Map<string, StrangerScan>();
  readonly #copies = noCopies();
  readonly #faultPlan: FaultPlan;

  constructor(setting: Setting, history: History, time: VirtualTime, random: () => number) {
    const { fixture, manifest, folder } = setting;
    this.#setting = setting;
    this.#history = history;
    this.#time = time;
    this.#random = random;
    const headSha = fixture.repository.id(history.opened.head);
    this.#environment = openEnvironment(fixture, history, time, headSha);
    const { service, pulls, apiToken } = this.#environment;
    this.#faultPlan = createFaultPlan(this.#environment, (scope, ms) =>
      time.after(ms, () => void time.during(() => this.#launchAsStranger(scope))),
    );
    this.#model = createFindingModel(service, time.now);
    this.#network = createHistoryNetwork({
      time,
      handlerOf: createRequestHandlers(
        fixture,
        this.#environment,
        createCheckRunLag(time, () =>
          history.checkRunLagMs === undefined ? 0 : random() * history.checkRunLagMs,
        ),
      ),
      latency: () => 1 + random() * (history.latency - 1),
      faultOf: this.#faultPlan.faultOf,
      onArrival: (exchange) => {
        this.#faultPlan.arrive(exchange);
        const job = this.#workflow.jobs[exchange.process.run];
        const isLaunch = exchange.point === 'scans.launch';
        if (isLaunch && job?.plan.end.kind === 'killed at launch') job.kill();
      },
      onAnswer: (exchange) => this.#rememberLaunch(exchange),
      pageSize: history.pageSize,
      otherScan: (id) => {
        const others = service.scans.filter((scan) => scan.id !== id);
        return (others.findLast((scan) => !isTerminal(scan.status)) ?? others[0])?.id;
      },
    });
    const { serverUrl, token: githubToken } = fixture.gitHost;
    const { fetchOf } = this.#network;
    const jobDeps = { time, fetchOf, random, manifest, folder, serverUrl, githubToken, apiToken };
    const onJob = (number: number, { faults }: Trouble) => this.#faultPlan.plan(number, faults);
    this.#workflow = new Workflow({ ...jobDeps, pulls, history, onJob });
    this.#actor = new PullRequestActor(this.#environment, fixture.repository, this.#workflow);
  }

  async run(): Promise<SimulatedHistory> {
    const { opened, acts, last } = this.#history;
    const { service, pulls } = this.#environment;
    pulls.open(PULL_REQUEST, this.#environment.branchHead(), opened.base);
    this.#workflow.on({ pull: PULL_REQUEST, action: 'opened' }, opened.trouble);
    await this.#pass(opened.lag);
    for (const act of acts) {
      await this.#do(act);
      await this.#pass(act.lag);
    }
    await this.#workflow.allOver();
    await this.#outagesOver();
    this.#actor.openOnlyTheFirst();
    // The last run starts only after the requests of dead processes have arrived.
    await this.#time.wait(SETTLING_MS);
    this.#faultPlan.beCalm();
    for (const scan of service.scans) scan.held = false;
    service.next = {};
    const beforeFinalRun = this.#standing();
    const before = this.#environment.branchHead();
    if (last === 'push') this.#actor.push(this.#actor.anyOtherHead());
    // Nothing may disturb the last run. So its event arrives only when GitHub's reads show the push.
    await this.#time.wait(this.#history.githubLagMs);
    const event = last === 'push' ? { action: 'synchronize', before } : { action: 'labeled' };
    this.#workflow.on({ pull: PULL_REQUEST, ...event }, CALM, GATE, PATIENT_MINUTES);
    await this.#workflow.allOver();
    const lastJob = this.#workflow.jobs.at(-1);
    if (lastJob === undefined) throw new Error('there was no last run');
    return {
      history: this.#history,
      environment: this.#environment,
      model: this.#model,
      jobs: this.#workflow.jobs,
      last: lastJob,
      exchanges: this.#network.exchanges,
      launches: this.#launches,
      strangers: this.#strangers,
      copies: this.#copies,
      commits: this.#setting.commits,
      beforeFinalRun,
    };
  }

  #standing(): SimulatedHistory['beforeFinalRun'] {
    const { service, github } = this.#environment;
    return {
      at: this.#time.now(),
      running: service.scans.filter(({ status }) => !isTerminal(status)).map(({ id }) => id),
      comments: github.comments.all.filter(({ issue }) => issue === PULL_REQUEST).map(({ body }) => body),
    };
  }

  async #pass(lag: number | 'all over'): Promise<void> {
    if (lag === 'all over') await this.#workflow.allOver();
    else await this.#time.wait(lag);
  }

  async #outagesOver(): Promise<void> {
    const end = Math.max(0, ...this.#faultPlan.outages.map(({ to }) => to));
    if (end > this.#time.now()) await this.#time.wait(end - this.#time.now());
  }

  async #do(act: Act): Promise<void> {
    const { pulls, service } = this.#environment;
    const workflow = this.#workflow;
    switch (act.kind) {
      case 'push': {
        if (act.cancelsOlder) for (const job of workflow.jobs) job.cancel();
        const before = this.#environment.branchHead();
        const pushed = this.#actor.push(act.head);
        for (const pull of pushed) workflow.on({ pull, action: 'synchronize', before }, act.trouble);
        break;
      }
      case 'parallel':
        if (this.#random() < 0.5)
          workflow.on({ pull: this.#actor.pull(act), action: 'labeled' }, act.trouble);
        else workflow.onLastEvent(this.#actor.pull(act), act.trouble);
        break;
      case 'fresh':
        if (act.sees) this.#environment.openEyes();
        workflow.on({ pull: this.#actor.pull(act), action: 'labeled' }, act.trouble, {
          ...GATE,
          reuseScan: false,
        });
        break;
      case 'narrow step':
        workflow.on({ pull: this.#actor.pull(act), action: 'labeled' }, act.trouble, {
          ...GATE,
          step: 'narrow',
        });
        break;
      case 'edit': {
        const pull = this.#actor.pull(act);
        const { title } = pulls.now(pull);
        pulls.change(pull, { title: `${title}.` });
        workflow.on({ pull, action: 'edited', changes: { title: { from: title } } }, act.trouble);
        break;
      }
      case 're-run':
        await workflow.again(act.of, act.trouble);
        break;
      case 'triage':
      case 'severity':
      case 'scan':
        interfere(service, this.#model, act);
        break;
      case 'stranger':
        if (act.when === 'now') await this.#launchAsStranger(act.scope);
        else this.#faultPlan.awaitLaunch({ scope: act.scope, ...act.when });
        break;
      case 'copier':
        await copy(this.#environment, act, this.#copies, this.#time.now());
        break;
      case 'shifting pages':
        this.#faultPlan.turn(act.pages);
        break;
      case 'outage': {
        const from = this.#time.now();
        this.#faultPlan.breakDown({ side: act.side, name: act.name, from, to: from + act.ms });
        break;
      }
      default:
        this.#actor.change(act);
    }
  }

  /** Launches a scan of the current change as a stranger. Does nothing if there is no change. */
  async #launchAsStranger(scope: StrangerScope): Promise<void> {
    const { pulls, service } = this.#environment;
    const { repository } = this.#setting.fixture;
    const { headSha, baseRef } = pulls.now(PULL_REQUEST);
    const [tip = '', head = ''] = [pulls.tip(baseRef), headSha].map((id) =>
      this.#setting.commits.get(id ?? ''),
    );
    if (tip === '') return;
    const baseSha = repository.id(mergeBaseName(tip, head));
    if (baseSha === headSha || head === 'nothing') return;
    const at = this.#time.now();
    const scanId = await launchAsStranger(service, { baseSha, headSha }, scope, BUDGET);
    this.#strangers.set(scanId, { scope, at });
  }

  #rememberLaunch(exchange: Exchange): void {
    const scanId = acceptedScan(exchange);
    if (scanId === undefined) return;
    const others = this.#environment.service.scans.filter(({ id }) => id !== scanId);
    const before = new Map(others.map(({ id, status }) => [id, status]));
    const { process, sentAt } = exchange;
    this.#launches.push({ process, sentAt, at: this.#time.now(), scanId, before });
  }
}
