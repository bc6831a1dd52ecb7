import { getState, saveState } from '@actions/core';
import * as v from 'valibot';
import type { PendingLaunch } from './domain/pending-launch.ts';

const Running = v.object({
  projectId: v.string(),
  scanId: v.string(),
  headSha: v.string(),
  /** True: the scan is over, only its check run is not. */
  scanEnded: v.optional(v.boolean()),
  /** The check run that is still in progress; left out: there is none, or its id is not known. */
  checkRunId: v.optional(v.number()),
  /** The verdict that could not be written into it; left out: there was none yet. */
  verdict: v.optional(
    v.object({ conclusion: v.picklist(['success', 'neutral', 'failure']), title: v.string() }),
  ),
});
/** Nothing else: a scan whose id cannot be read is no launch without a scan. */
const Pending = v.strictObject({
  projectId: v.string(),
  headSha: v.string(),
  knownScanIds: v.optional(v.array(v.string())),
  subject: v.optional(
    v.object({
      repositoryId: v.string(),
      presetRef: v.string(),
      baseSha: v.string(),
      headSha: v.string(),
      creditBudget: v.optional(v.number()),
      areas: v.array(v.string()),
      guidance: v.optional(v.string()),
    }),
  ),
});

export type RunningScan = v.InferOutput<typeof Running>;
/**
 * What `post` needs to end what `main` could not: a scan, or a launch of which nothing is known but that it began.
 * Holds no token: `post` reads it from its input.
 */
export type SavedRun = RunningScan | PendingLaunch;

const NAME = 'running-scan';
/** The runner hands the state over in an environment variable, of which Windows takes 32,767 characters. */
const LONGEST_STATE = 30_000;

/** The two calls of the toolkit that the state needs. */
export interface StateStore {
  saveState(name: string, value: string): void;
  getState(name: string): string;
}

export interface RunState {
  /** At once when a launch begins and when it has an id, so that a killed job leaves behind what it was doing. */
  save(run: SavedRun): void;
  /** The scan is terminal or cancelled or was never launched, and everything is delivered: nothing is left for `post`. */
  clear(): void;
  /** Undefined when `main` left nothing behind. `unreadable`: it left something, so a scan may be running. */
  saved(): SavedRun | 'unreadable' | undefined;
}

/** What `main` hands over to `post`. */
export function createRunState(store: StateStore = { saveState, getState }): RunState {
  return {
    save(run) {
      const text = JSON.stringify(run);
      // Without its details it still says that there may be a scan, though not which.
      const fits = text.length <= LONGEST_STATE || 'scanId' in run;
      store.saveState(NAME, fits ? text : JSON.stringify({ projectId: run.projectId, headSha: run.headSha }));
    },
    clear: () => store.saveState(NAME, ''),
    saved: () => parse(store.getState(NAME)),
  };
}

function parse(text: string): SavedRun | 'unreadable' | undefined {
  if (text === '') return undefined;
  try {
    const parsed = v.safeParse(v.union([Running, Pending]), JSON.parse(text));
    return parsed.success ? parsed.output : 'unreadable';
  } catch {
    return 'unreadable';
  }
}
