import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { histories } from './arbitrary.ts';
import { type Counts, judgeHistory, noCounts } from './judge.ts';
import { simulateHistory } from './simulate-history.ts';
import { openSetting } from './simulated-history.ts';
import { traceOf } from './trace.ts';

export interface HistoryResults {
  readonly seed: number;
  readonly counts: Counts;
  readonly seconds: number;
  /**
   * The shortest history that breaks a promise. The text has the broken promises, and the variables that repeat the
   * history. Undefined if no history breaks a promise.
   */
  readonly broken: string | undefined;
}

/** Which histories to run. If `path` is set, only the history at this path is run. */
export interface HistorySelection {
  readonly count: number;
  readonly seed: number;
  readonly path?: string | undefined;
}

/**
 * Runs random histories one after the other. If a history breaks a promise, searches for a shorter history that breaks
 * one too.
 */
export async function runHistories({ count, seed, path: only }: HistorySelection): Promise<HistoryResults> {
  const began = performance.now();
  const folder = await mkdtemp(path.join(tmpdir(), 'scangate-histories-'));
  const setting = await openSetting(folder);
  const { fixture } = setting;
  const counts = noCounts();
  try {
    const property = fc.asyncProperty(histories, async (history) => {
      const simulated = await simulateHistory(setting, history);
      const secrets = [simulated.environment.apiToken, fixture.gitHost.token];
      const broken = judgeHistory(simulated, secrets, counts);
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

/** A summary of a few lines. */
export function describeCounts({ seed, counts, seconds }: HistoryResults): string {
  const { histories, runs, requests, launches, greens, exceptions } = counts;
  const documented = Object.entries(exceptions).map(([kind, count]) => `${kind} ${count}`);
  return [
    `Histories: ${histories} (seed ${seed}), ${runs} runs, ${requests} requests, ${launches} launches, ${greens} greens, ${seconds} s`,
    `Lost launches: cancelled ${counts.launchesCancelled}, launch-unknown ${counts.launchesUnknown}`,
    `Documented exceptions: ${documented.join(', ') || 'none'}`,
  ].join('\n');
}
