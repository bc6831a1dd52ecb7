import { expect } from 'vitest';
import type { EnvironmentRunOptions } from '../../sandbox/environment.ts';
import type { JsonObject } from '../../sandbox/json.ts';
import type { Head } from './repository.ts';
import { runPrepared, type Scenario, type ScenarioOptions, type ScenarioResult } from './scenario.ts';

/** Runs the action again in the same environment: as another attempt, as another run, or for another event. */
export function runAgain(
  scenario: Scenario,
  run: Omit<EnvironmentRunOptions, 'inputs'>,
  inputs: ScenarioOptions['inputs'] = {},
): Promise<ScenarioResult> {
  return runPrepared(scenario, { inputs, run: () => run });
}

/** The number of pushes to each scenario's pull request. Each push starts a run with a larger id. */
const pushes = new WeakMap<Scenario, number>();
const FIRST_RUN_ID = 9_000_000_001;

/** Pushes `headSha` to the pull request. @returns the run for this push */
export function pushed(scenario: Scenario, before: string, headSha: string): { event: Event; runId: number } {
  const { environment } = scenario;
  const push = (pushes.get(scenario) ?? 0) + 1;
  pushes.set(scenario, push);
  environment.github.setHead(environment.pullRequest, headSha);
  const payload = { ...environment.pullRequestPayload({ action: 'synchronize', headSha }), before };
  return { event: { name: 'pull_request', payload }, runId: FIRST_RUN_ID + push };
}

/** Pushes `next` to the pull request, whose head was `before`. @returns the run for this push */
export const pushOf =
  (next: Head, before: Head = 'vulnerable') =>
  ({ scenario }: { readonly scenario: Scenario }) =>
    pushed(scenario, scenario.repository.id(before), scenario.repository.id(next));

type Event = { readonly name: string; readonly payload: JsonObject };

/** Checks how many scans were launched, and how many credits are reserved now. */
export function expectPaid({ environment }: Scenario, launches: number, reserved = 0): void {
  const { service } = environment;
  expect(service.requests.filter(({ point }) => point === 'scans.launch')).toHaveLength(launches);
  expect(service.scans()).toHaveLength(launches);
  expect(service.ledger().reserved).toBe(reserved);
}

/** Counts the requests of one kind to the service or to GitHub. */
export function countOf({ environment }: Scenario, of: 'service' | 'github', point: string): number {
  const all: readonly { readonly point: string }[] = environment[of].requests;
  return all.filter((request) => request.point === point).length;
}
