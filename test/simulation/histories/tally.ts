import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { readActionManifest } from '../../../sandbox/runner/action-manifest.ts';
import { mergeBaseOf } from './findings-fault.ts';
import { type Counts, judgeHistory, noCounts } from './judge.ts';
import { histories } from './plan.ts';
import { playHistory } from './play.ts';
import type { Setting } from './played.ts';
import { openRegion } from './town.ts';
import { traceOf } from './trace.ts';

export interface Told {
  readonly seed: number;
  readonly counts: Counts;
  readonly seconds: number;
  /** How to play the shortest broken history again, and what is broken in it; undefined where nothing is. */
  readonly broken: string | undefined;
}

/** Which histories; a path plays one of them alone. */
export interface Wanted {
  readonly count: number;
  readonly seed: number;
  readonly path?: string | undefined;
}

/** Plays random histories one after the other, and looks for a shorter one where a promise is broken. */
export async function tellHistories({ count, seed, path: only }: Wanted): Promise<Told> {
  const began = performance.now();
  const region = await openRegion();
  const folder = await mkdtemp(path.join(tmpdir(), 'scangate-histories-'));
  const manifest = await readActionManifest(path.resolve(import.meta.dirname, '../../..'));
  const setting: Setting = { region, manifest, folder, comparisons: new Map() };
  const counts = noCounts();
  const mergeBase = mergeBaseOf(region.ground.id);
  try {
    const property = fc.asyncProperty(histories, async (history) => {
      const played = await playHistory(setting, history);
      const secrets = [played.town.apiToken, region.gitHost.token];
      const broken = judgeHistory(played, mergeBase, secrets, counts);
      if (broken.length > 0) throw new Error([...broken, traceOf(played)].join('\n'));
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
    await Promise.all([region.close(), rm(folder, { recursive: true, force: true })]);
  }
}

/** One line for people. */
export function sayCounts({ seed, counts, seconds }: Told): string {
  const { histories: told, runs, requests, launches, doubleLaunches, unseenTwins } = counts;
  const { falseGreens, lostFindings, doubledFindings, orphans, leftRunning } = counts;
  const { othersBelieved, othersCancelled, launchesRecovered, launchesUnknown } = counts;
  return [
    `Histories: ${told} (seed ${seed}), ${runs} runs, ${requests} requests, ${launches} launches`,
    `double launches ${doubleLaunches}, false greens ${falseGreens}, lost findings ${lostFindings}, doubled findings ${doubledFindings}, orphans ${orphans}`,
    `scans of others believed ${othersBelieved}, scans of others cancelled ${othersCancelled}; lost launches recovered ${launchesRecovered}, left launch-unknown ${launchesUnknown}`,
    `beside a scan that nothing on GitHub showed: ${unseenTwins}; left running by a lost machine, or told to be: ${leftRunning}`,
    `${seconds} s`,
  ].join('; ');
}
