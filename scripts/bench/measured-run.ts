import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEnvironment } from '../../sandbox/environment.ts';
import { createGitFixture } from '../../sandbox/git-fixture.ts';
import type { JsonObject } from '../../sandbox/json.ts';
import { runAction } from '../../sandbox/runner/run-action.ts';
import { ownCostOptions, readOwnCost } from './own-cost.ts';
import { vulnerableRepository } from './vulnerable-repository.ts';

/**
 * `opened`: the pull request is new. `synchronize`: it has a new head. `reopened`: it was reopened after a push that no
 * run scanned.
 */
export const PULL_REQUEST_ACTIONS = ['opened', 'synchronize', 'reopened'] as const;
export type PullRequestAction = (typeof PULL_REQUEST_ACTIONS)[number];

export interface MeasuredRunOptions {
  /** How long each answer of the fake servers takes, in milliseconds. Default: 0. */
  readonly latencyMs?: number;
  /** Default: `opened`. */
  readonly event?: PullRequestAction;
  /** The folder of the action to measure. Default: that of this repository. */
  readonly actionDirectory?: string;
  /** True to send the report to all outputs. Each file then has many vulnerabilities instead of one. */
  readonly everywhere?: boolean;
}

const EVERYWHERE = { 'sarif-file': 'scan.sarif', 'report-file': 'report.json', comment: 'always' };

/**
 * Runs the bundled action on a pull request with this many vulnerabilities. The scan has ended at the first poll. Throws
 * if the action does not find all vulnerabilities, because the measurement would then be wrong. `roundTrips` is the
 * length of the longest chain of requests, in which each begins after the answer to the previous one. One poll means
 * that the run did not wait.
 */
export async function measureRun(
  vulnerabilities: number,
  { latencyMs = 0, event = 'opened', actionDirectory, everywhere = false }: MeasuredRunOptions = {},
) {
  const folder = mkdtempSync(path.join(tmpdir(), 'scangate-cost-'));
  const cost = path.join(folder, 'cost');
  const repository = await createGitFixture(vulnerableRepository(vulnerabilities, everywhere));
  const headSha = repository.id('change');
  const answers: Answer[] = [];
  const intercept = async () => {
    const from = performance.now();
    await sleep(latencyMs);
    answers.push({ from, to: performance.now() });
    return undefined;
  };
  const environment = await createEnvironment({
    directory: repository.dir,
    headSha,
    service: { pace: { phasesPerPoll: Number.POSITIVE_INFINITY }, intercept },
    github: { intercept },
  });
  try {
    const before = repository.id('earlier');
    const inputs = everywhere ? EVERYWHERE : {};
    const runOn = (payload: JsonObject) => {
      const pullRequestEvent = { name: 'pull_request', payload };
      const described = environment.describeRun({ ...ownCostOptions(cost), inputs, event: pullRequestEvent });
      return runAction({ ...described, ...(actionDirectory && { actionDirectory }) });
    };
    const { github, pullRequest, service } = environment;
    if (event === 'reopened') {
      github.setHead(pullRequest, before);
      await runOn(environment.pullRequestPayload({ headSha: before }));
      github.setHead(pullRequest, headSha);
    }
    const earlier = [github.requests.length, service.requests.length, answers.length] as const;
    const payload = environment.pullRequestPayload({ action: event });
    const run = await runOn(event === 'synchronize' ? { ...payload, before } : payload);
    const { outcome, 'findings-reported': reported } = run.outputs;
    if (outcome !== (vulnerabilities === 0 ? 'passed' : 'blocked') || reported !== String(vulnerabilities)) {
      throw new Error(
        `the action ended as ${outcome} with ${reported} of ${vulnerabilities} findings:\n${run.log}`,
      );
    }
    const asked = service.requests.slice(earlier[1]).map(({ point }) => point);
    return {
      ...readOwnCost(cost),
      wallMs: run.durationMs,
      roundTrips: longestChain(answers.slice(earlier[2])),
      gitHubRequests: github.requests.length - earlier[0],
      serviceRequests: asked.length,
      polls: asked.filter((point) => point === 'scans.read').length,
    };
  } finally {
    await environment.close();
    await repository.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The time in which an answer was outstanding. */
interface Answer {
  readonly from: number;
  readonly to: number;
}

function longestChain(answers: readonly Answer[]): number {
  let trips = 0;
  let last = 0;
  for (const { from, to } of answers.toSorted((a, b) => a.to - b.to)) {
    if (from < last) continue;
    trips += 1;
    last = to;
  }
  return trips;
}
