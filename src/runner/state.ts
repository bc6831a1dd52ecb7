import { getState, saveState } from '@actions/core';
import * as v from 'valibot';
import type { PendingLaunch } from '../domain/pending-launch.ts';
import { STATE_NAMES } from './state-names.ts';

/** Strict, so that a scan with an unreadable id does not look like a launch without a scan. */
const Pending = v.strictObject({
  projectId: v.string(),
  headSha: v.string(),
  pullRequest: v.optional(v.number()),
  knownScanIds: v.optional(v.array(v.string())),
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
        sendsMore: v.optional(v.boolean()),
      }),
      v.transform((subject) => ({ ...subject, baseSha: subject.baseSha })),
    ),
  ),
});

const Running = v.strictObject({
  projectId: v.string(),
  scanId: v.string(),
  /** The other ids in the launch answer, while it is not known which one is the scan's. */
  otherIds: v.optional(v.array(v.string())),
  /** The launch, while the service may not know any of the ids. Then its scan has to be searched for. */
  launch: v.optional(Pending),
});

const OpenCheckRun = v.strictObject({
  headSha: v.string(),
  /** Undefined: the check run may exist, but the answer with its id was lost. */
  id: v.optional(v.number()),
  /** The id of the scan in its mark. */
  scanId: v.optional(v.string()),
  /** The verdict that may be missing in the check run; undefined: there was none yet. */
  verdict: v.optional(
    v.object({ conclusion: v.picklist(['success', 'neutral', 'failure']), title: v.string() }),
  ),
});

/** A scan to cancel. */
export interface RunningScan {
  readonly projectId: string;
  readonly scanId: string;
  readonly otherIds?: readonly string[] | undefined;
  readonly launch?: PendingLaunch | undefined;
}
/** A check run of this step to complete. */
export type OpenCheckRun = v.InferOutput<typeof OpenCheckRun>;

/** What `main` could not finish. Contains no token: `post` reads that from its input. */
export interface LeftBehind {
  /** A scan, or a launch whose scan is not known. */
  readonly scan?: RunningScan | PendingLaunch;
  readonly checkRun?: OpenCheckRun;
  /** True if something was saved but cannot be read. */
  readonly unreadable: boolean;
}

/** The runner passes the state in an environment variable. Windows allows 32,767 characters. */
const LONGEST_STATE = 30_000;

/** The two functions of the toolkit that the state needs. */
export interface StateStore {
  saveState(name: string, value: string): void;
  getState(name: string): string;
}

export interface RunState {
  /**
   * Call this when a launch begins, and when its id is known. Saves at once, so that `post` can clean up after a killed
   * job.
   */
  saveScan(scan: RunningScan | PendingLaunch): void;
  /** Call this when the scan has ended, or was never launched. */
  clearScan(): void;
  saveCheckRun(checkRun: OpenCheckRun): void;
  /** Call this when the check run is completed, or does not exist. */
  clearCheckRun(): void;
  /** Undefined if `main` saved nothing. */
  saved(): LeftBehind | undefined;
}

/** The functions that `main` uses. */
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

/** Keeps that there is a scan, or may be one, but not which one. */
function withoutDetails(scan: RunningScan | PendingLaunch): RunningScan | PendingLaunch {
  if (!('scanId' in scan)) return { projectId: scan.projectId, headSha: scan.headSha };
  const { launch: _, ...running } = scan;
  return running;
}

/** Undefined: nothing was saved. */
function parse<T>(text: string, schema: v.GenericSchema<unknown, T>): T | 'unreadable' | undefined {
  if (text === '') return undefined;
  try {
    const parsed = v.safeParse(schema, JSON.parse(text));
    return parsed.success ? parsed.output : 'unreadable';
  } catch {
    return 'unreadable';
  }
}
