import { expect } from 'vitest';
import type { EnvironmentRunOptions } from '../../sandbox/environment.ts';
import type { JsonObject } from '../../sandbox/json.ts';
import { play, type Scene, type Story, type StoryOptions } from './story.ts';

/** Plays once more on the same stage: another attempt, another run, or the run of another event. */
export function playAgain(
  scene: Scene,
  run: Omit<EnvironmentRunOptions, 'inputs'>,
  inputs: StoryOptions['inputs'] = {},
): Promise<Story> {
  return play(scene, { inputs, run: () => run });
}

/** How often a scene's pull request was pushed to: each push starts a run with a larger id. */
const pushes = new WeakMap<Scene, number>();
const FIRST_RUN_ID = 9_000_000_001;

/** The run for a push that moved the pull request from one head to another. */
export function pushed(scene: Scene, before: string, headSha: string): { event: Event; runId: number } {
  const { stage } = scene;
  const push = (pushes.get(scene) ?? 0) + 1;
  pushes.set(scene, push);
  stage.github.setHead(stage.pullRequest, headSha);
  const payload = { ...stage.pullRequestPayload({ action: 'synchronize', headSha }), before };
  return { event: { name: 'pull_request', payload }, runId: FIRST_RUN_ID + push };
}

type Event = { readonly name: string; readonly payload: JsonObject };

/** How many scans were launched, and how many credits are reserved now. */
export function expectPaid({ stage }: Scene, launches: number, reserved = 0): void {
  const { service } = stage;
  expect(service.requests.filter(({ point }) => point === 'scans.launch')).toHaveLength(launches);
  expect(service.scans()).toHaveLength(launches);
  expect(service.ledger().reserved).toBe(reserved);
}

/** The requests of the service or of GitHub to one point. */
export function countOf({ stage }: Scene, of: 'service' | 'github', point: string): number {
  const all: readonly { readonly point: string }[] = stage[of].requests;
  return all.filter((request) => request.point === point).length;
}
