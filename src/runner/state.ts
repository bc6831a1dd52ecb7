import { getState, saveState } from '@actions/core';
import * as v from 'valibot';
import type { PendingLaunch } from '../domain/pending-launch.ts';
import { STATE_NAMES } from './state-names.ts';

/** Nothing else: a scan whose id cannot be read is no launch without a scan. */
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
  /** The other ids that the launch answer names, as long as it is not known which is the scan's. */
  otherIds: v.optional(v.array(v.string())),
  /** The launch, as long as the service may know none of the ids: its scan has to be looked for then. */
  launch: v.optional(Pending),
});

const OpenCheckRun = v.strictObject({
  headSha: v.string(),
  /** Left out: it may have been created, and the answer is not known. */
  id: v.optional(v.number()),
  /** Whose mark is in it. */
  scanId: v.optional(v.string()),
  /** The verdict that is not known to be in it; left out: there was none yet. */
  verdict: v.optional(
    v.object({ conclusion: v.picklist(['success', 'neutral', 'failure']), title: v.string() }),
  ),
});

/** A scan to be cancelled. */
export interface RunningScan {
  readonly projectId: string;
  readonly scanId: string;
  readonly otherIds?: readonly string[] | undefined;
  readonly launch?: PendingLaunch | undefined;
}
/** A check run of this step that is to be completed. */
export type OpenCheckRun = v.InferOutput<typeof OpenCheckRun>;

/** What `main` could not end. Holds no token: `post` reads it from its input. */
export interface LeftBehind {
  /** A scan, or a launch of which nothing is known but that it began. */
  readonly scan?: RunningScan | PendingLaunch;
  readonly checkRun?: OpenCheckRun;
  /** Something was left, and cannot be read. */
  readonly unreadable: boolean;
}

/** The runner hands the state over in an environment variable, of which Windows takes 32,767 characters. */
const LONGEST_STATE = 30_000;

/** The two calls of the toolkit that the state needs. */
export interface StateStore {
  saveState(name: string, value: string): void;
  getState(name: string): string;
}

export interface RunState {
  /** At once when a launch begins and when it has an id, so that a killed job leaves behind what it was doing. */
  saveScan(scan: RunningScan | PendingLaunch): void;
  /** The scan is terminal, or it was never launched. */
  clearScan(): void;
  saveCheckRun(checkRun: OpenCheckRun): void;
  /** The check run is completed, or there is none. */
  clearCheckRun(): void;
  /** Undefined when `main` left nothing behind. */
  saved(): LeftBehind | undefined;
}

/** What `main` does with the state. */
export type WritableState = Omit<RunState, 'saved'>;

/** What `main` hands over to `post`. */
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

/** It still says that there is a scan, or that there may be one, though not which. */
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
