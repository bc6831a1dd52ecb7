import { isObject } from '../../../sandbox/json.ts';
import type { HistoryEnvironment } from './environment.ts';
import type { FaultName } from './faults.ts';
import type { Exchange } from './network.ts';
import type { Fault } from './plan.ts';
import type { Outage } from './simulated-history.ts';
import type { StrangerScope } from './stranger.ts';

/** Everything that fails between the runs and the fake servers. */
export interface FaultPlan {
  readonly outages: readonly Outage[];
  /** Plans the faults of a run's requests. */
  plan(run: number, faults: readonly Fault[]): void;
  breakDown(outage: Outage): void;
  /** Reorders the list of findings before the service returns each of the next `pages` pages. */
  turn(pages: number): void;
  /** Makes a stranger wait for the next launch of the gate. */
  awaitLaunch(waiting: WaitingStranger): void;
  /** From now on no list is reordered, and no stranger waits. */
  beCalm(): void;
  /** The fault of this request. Called once for each request. */
  faultOf(exchange: Exchange): FaultName | undefined;
  /** Called when a request has reached its fake server. */
  arrive(exchange: Exchange): void;
}

/** A stranger that launches a scan `afterLaunch` milliseconds after the gate sent a launch. */
export interface WaitingStranger {
  readonly scope: StrangerScope;
  readonly afterLaunch: number;
  /** The fault of the gate's launch. */
  readonly launch: FaultName | undefined;
}

/** @param launchAsStranger launches a stranger's scan `ms` milliseconds later */
export function createFaultPlan(
  environment: HistoryEnvironment,
  launchAsStranger: (scope: StrangerScope, ms: number) => void,
): FaultPlan {
  const outages: Outage[] = [];
  const planned = new Map<number, { readonly fault: Fault; skipped: number; hit: number }[]>();
  let turns = 0;
  let waiting: WaitingStranger[] = [];
  const meetStranger = () => {
    const stranger = waiting.shift();
    if (stranger !== undefined) launchAsStranger(stranger.scope, stranger.afterLaunch);
    return stranger?.launch;
  };
  return {
    outages,
    plan(run, faults) {
      planned.set(
        run,
        faults.map((fault) => ({ fault, skipped: 0, hit: 0 })),
      );
    },
    breakDown: (outage) => void outages.push(outage),
    turn(pages) {
      turns += pages;
    },
    awaitLaunch: (stranger) => void waiting.push(stranger),
    beCalm() {
      turns = 0;
      waiting = [];
    },
    faultOf({ process, side, point, sentAt }) {
      const outage = outages.find((one) => one.side === side && one.from <= sentAt && sentAt < one.to);
      if (outage !== undefined) return outage.name;
      const met = side === 'service' && point === 'scans.launch' ? meetStranger() : undefined;
      if (met !== undefined) return met;
      for (const one of planned.get(process.run) ?? []) {
        if (one.fault.point !== `${side}:${point}` || one.hit >= one.fault.times) continue;
        if (one.skipped < one.fault.skip) {
          one.skipped += 1;
          continue;
        }
        one.hit += 1;
        return one.fault.name;
      }
      return undefined;
    },
    arrive({ side, point, path }) {
      if (side !== 'service' || point !== 'findings.list' || turns === 0) return;
      const scanId = new URLSearchParams(path.split('?')[1]).get('scanId');
      const scan = environment.service.scans.find(({ id }) => id === scanId);
      const [first, ...rest] = scan?.found ?? [];
      if (scan === undefined || first === undefined) return;
      turns -= 1;
      scan.found = [...rest, first];
    },
  };
}

/** The id of the new scan, if the request was a launch that the service accepted. */
export function acceptedScan({ side, point, answer }: Exchange): string | undefined {
  const accepted = side === 'service' && point === 'scans.launch' && answer?.status === 202;
  return accepted && isObject(answer.body) ? String(answer.body['scanId']) : undefined;
}
