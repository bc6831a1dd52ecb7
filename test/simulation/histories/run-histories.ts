import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { readActionManifest } from '../../../sandbox/runner/action-manifest.ts';
import { openSharedFixture } from './environment.ts';
import { mergeBaseOf } from './findings-fault.ts';
import { type Counts, judgeHistory, noCounts } from './judge.ts';
import { histories } from './plan.ts';
import { simulateHistory } from './simulate-history.ts';
import type { Setting } from './simulated-history.ts';
import { traceOf } from './trace.ts';

export interface HistoryResults {
  readonly seed: number;
  readonly counts: Counts;
  readonly seconds: number;
  /** How to repeat the shortest broken history again, and what is broken in it; undefined where nothing is. */
  readonly broken: string | undefined;
}

/** Which histories; a path runs one of them alone. */
export interface HistorySelection {
  readonly count: number;
  readonly seed: number;
  readonly path?: string | undefined;
}

/** Runs random histories one after the other, and looks for a shorter one where a promise is broken. */
export async function runHistories({ count, seed, path: only }: HistorySelection): Promise<HistoryResults> {
  const began = performance.now();
  const fixture = await openSharedFixture();
  const folder = await mkdtemp(path.join(tmpdir(), 'scangate-histories-'));
  const manifest = await readActionManifest(path.resolve(import.meta.dirname, '../../..'));
  const setting: Setting = { fixture, manifest, folder, comparisons: new Map() };
  const counts = noCounts();
  const mergeBase = mergeBaseOf(fixture.repository.id);
  try {
    const property = fc.asyncProperty(histories, async (history) => {
      const simulated = await simulateHistory(setting, history);
      const secrets = [simulated.environment.apiToken, fixture.gitHost.token];
      const broken = judgeHistory(simulated, mergeBase, secrets, counts);
      if (broken.length > 0) throw new Error([...broken, traceOf(simulated)].join('\n'));
    });
    const details = await fc.check(property, {
      numRuns: count,
      seed,
      ...(only === undefined ? {} : { path: only, endOnFailure: true }),
    });
    const seconds = Math.round((performance.now() - began) / 1_000);
    if (!details.failed) return { seed, counts, seconds, broken: undefined };
    const replay = `HISTORIES_SEED=${seed} HISTORIES_PATH=${details.counterexamplePath}`;
    const why = details.errorInstance instanceof Error ? details.errorInstance.message : 'no reason is known';
    const history = JSON.stringify(details.counterexample, null, 1);
    return { seed, counts, seconds, broken: `${why}\nPlay it again: ${replay}\n${history}` };
  } finally {
    await Promise.all([fixture.close(), rm(folder, { recursive: true, force: true })]);
  }
}

/** One line for people. */
export function describeCounts({ seed, counts, seconds }: HistoryResults): string {
  const { histories, runs, requests, launches, doubleLaunches, unseenTwins } = counts;
  const { falseGreens, lostFindings, doubledFindings, orphans, leftRunning } = counts;
  const { othersBelieved, othersCancelled, lookalikesCancelled } = counts;
  const { launchesRecovered, launchesUnknown } = counts;
  return [
    `Histories: ${histories} (seed ${seed}), ${runs} runs, ${requests} requests, ${launches} launches`,
    `double launches ${doubleLaunches}, false greens ${falseGreens}, lost findings ${lostFindings}, doubled findings ${doubledFindings}, orphans ${orphans}`,
    `scans of others believed ${othersBelieved}, scans of others cancelled ${othersCancelled}, beside ${lookalikesCancelled} that a service with hidden fields shows like ours; lost launches recovered ${launchesRecovered}, left launch-unknown ${launchesUnknown}`,
    `beside a scan that nothing on GitHub showed: ${unseenTwins}; left running by a lost machine, or reported as such: ${leftRunning}`,
    `${seconds} s`,
  ].join('; ');
}
