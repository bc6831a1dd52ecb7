import { getState, saveState } from '@actions/core';
import * as v from 'valibot';
import type { NamedScan, PendingLaunch } from '../domain/scan.ts';
import { STATE_NAMES } from './state-names.ts';

/** Refuses unknown members. Otherwise a running scan whose `scanId` is unreadable could be read as a launch. */
const Pending = v.strictObject({
  projectId: v.string(),
  headSha: v.string(),
  pullRequest: v.optional(v.number()),
  before: v.optional(
    v.object({ ids: v.array(v.string()), complete: v.boolean(), readAt: v.optional(v.number()) }),
  ),
  subject: v.optional(
    v.pipe(
      v.object({
        repositoryId: v.string(),
        presetRef: v.string(),
        baseSha: v.optional(v.string()),
        headSha: v.string(),
        creditBudget: v.optional(v.number()),
        areas: v.array(v.string()),
        guidance: v.optional(v.string()),
      }),
      v.transform((subject) => ({ ...subject, baseSha: subject.baseSha })),
    ),
  ),
});

const Running = v.strictObject({
  projectId: v.string(),
  scanId: v.string(),
  /** The launch of the scan, until it is proven that the scan comes from this launch. */
  launch: v.optional(Pending),
});

const OpenCheckRun = v.strictObject({
  headSha: v.string(),
  /** Undefined if `main` did not receive the id. The check run may exist. */
  id: v.optional(v.number()),
  /** The id of the scan that the check run's mark names. */
  scanId: v.optional(v.string()),
  /** The verdict, which the check run may not show yet. Undefined if the job ended before it had a verdict. */
  verdict: v.optional(
    v.object({ conclusion: v.picklist(['success', 'neutral', 'failure']), title: v.string() }),
  ),
});

/** A scan that `post` has to cancel. */
export interface RunningScan extends NamedScan {
  readonly launch?: PendingLaunch | undefined;
}
/** A check run of this step that `post` has to complete. */
export type OpenCheckRun = v.InferOutput<typeof OpenCheckRun>;

/** What `main` could not finish. It contains no token, because `post` reads the token from the input. */
export interface LeftBehind {
  /** A scan, or a launch whose scan is unknown. */
  readonly scan?: RunningScan | PendingLaunch;
  readonly checkRun?: OpenCheckRun;
  /** True if a saved value cannot be read. */
  readonly unreadable: boolean;
}

/**
 * Our choice: the maximum length of a saved scan, in characters. The runner passes the state in an environment
 * variable, and Windows allows 32,767 characters.
 */
const LONGEST_STATE = 30_000;

/** The functions of the toolkit that save and read state. */
export interface StateStore {
  saveState(name: string, value: string): void;
  getState(name: string): string;
}

export interface RunState {
  /**
   * Saves a scan or a launch at once, so that `post` can clean up after a killed job. Call this when a launch begins,
   * and again when the run learns the id of the scan.
   */
  saveScan(scan: RunningScan | PendingLaunch): void;
  /** Forgets the scan. Call this when the scan has ended, or was never launched. */
  clearScan(): void;
  saveCheckRun(checkRun: OpenCheckRun): void;
  /** Forgets the check run. Call this when the check run is completed, or does not exist. */
  clearCheckRun(): void;
  /** Returns what `main` saved; undefined if it saved nothing. */
  saved(): LeftBehind | undefined;
}

/** The part of the state that `main` uses. */
export type WritableState = Omit<RunState, 'saved'>;

/** The state that `main` passes to `post`. */
export function createRunState(store: StateStore = { saveState, getState }): RunState {
  return {
    saveScan(scan) {
      const text = JSON.stringify(scan);
      const kept = text.length <= LONGEST_STATE ? text : JSON.stringify(withoutDetails(scan));
      store.saveState(STATE_NAMES.scan, kept);
    },
    clearScan: () => store.saveState(STATE_NAMES.scan, ''),
    saveCheckRun: (checkRun) => store.saveState(STATE_NAMES.checkRun, JSON.stringify(checkRun)),
    clearCheckRun: () => store.saveState(STATE_NAMES.checkRun, ''),
    saved() {
      const scan = parse(store.getState(STATE_NAMES.scan), v.union([Running, Pending]));
      const checkRun = parse(store.getState(STATE_NAMES.checkRun), OpenCheckRun);
      if (scan === undefined && checkRun === undefined) return undefined;
      return {
        ...(scan !== undefined && scan !== 'unreadable' ? { scan } : {}),
        ...(checkRun !== undefined && checkRun !== 'unreadable' ? { checkRun } : {}),
        unreadable: scan === 'unreadable' || checkRun === 'unreadable',
      };
    },
  };
}

/** Shortens the state. A scan keeps its id. A launch keeps only the fact that a scan may be running. */
function withoutDetails(scan: RunningScan | PendingLaunch): RunningScan | PendingLaunch {
  if (!('scanId' in scan)) return { projectId: scan.projectId, headSha: scan.headSha };
  // Without the scans before the launch, the scan is never proven to come from this launch.
  const { launch, ...running } = scan;
  return launch === undefined
    ? running
    : { ...running, launch: { projectId: launch.projectId, headSha: launch.headSha } };
}

/** Returns undefined if nothing was saved. */
function parse<T>(text: string, schema: v.GenericSchema<unknown, T>): T | 'unreadable' | undefined {
  if (text === '') return undefined;
  try {
    const parsed = v.safeParse(schema, JSON.parse(text));
    return parsed.success ? parsed.output : 'unreadable';
  } catch {
    return 'unreadable';
  }
}
