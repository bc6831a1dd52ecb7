import type { Watch } from '../change/pull-request.ts';
import type { Outputs } from '../deliver/outputs.ts';
import type { Delivery } from '../deliver/place.ts';
import type { GuidanceSource } from '../domain/guidance.ts';
import type { NotScanned, Result } from '../domain/result.ts';
import type { PendingLaunch, ScanList, ScanSubject } from '../domain/scan.ts';
import type { Seal } from '../domain/seal.ts';
import type { DiffBase, ScanTarget } from '../domain/target.ts';
import type { GatePolicy } from '../domain/verdict.ts';
import type { GitHubError } from '../github/errors.ts';
import type { Preflight } from '../preflight/preflight.ts';
import type { RunFacts } from '../report/report.ts';
import type { InputReading, Inputs } from '../runner/inputs.ts';
import type { Warnings } from '../runner/log.ts';
import type { WritableState } from '../runner/state.ts';
import { findLost } from '../scan/lost-launch.ts';
import {
  type EarlierMarks,
  type FoundMark,
  MARKS_SHOWN_MS,
  MOST_MARK_READS,
  marksOfCheckRuns,
} from '../scan/marks.ts';
import type { Found, NoMatch } from '../scan/new-scans.ts';
import type { ScanResult } from '../scan/result.ts';
import { inLaunchOrder, type ScanKeyFields, type ScanTrees } from '../scan/scan-mark.ts';
import type { StepIdentity } from '../scan/step-identity.ts';
import type { ApiError } from '../scan-api/api-error.ts';
import type { ScanApi } from '../scan-api/client.ts';
import type { LaunchBody, LaunchParameters } from '../scan-api/wire-writes.ts';
import type { Step } from '../start/step.ts';
import type { StepProcess, Surroundings } from '../start/step-process.ts';

/** What one run of the gate gets from its step. */
export interface RunStep extends StepProcess, Surroundings {
  readonly reading: InputReading;
  /** Absolute path of the job's workspace. */
  readonly workspace: string;
  /** When the step started, in milliseconds of `clock.now()`. */
  readonly startedAt: number;
  readonly state: WritableState;
  /** Passes the outputs to the runner. Throws if that fails. */
  readonly writeOutputs: (outputs: Outputs) => void;
  readonly writeSummary: Delivery['writeSummary'];
  /** Keeps the heap small. The run calls this before it reads a long list of findings. */
  readonly preferLittleMemory: () => void;
}

/** One run: what it gets from its step, and what its stages share. */
export interface Gate extends RunStep, Step {
  readonly inputs: Inputs;
  /** The input `launch-parameters`. */
  readonly parameters: LaunchParameters;
  /** The policy of the verdict. */
  readonly policy: GatePolicy;
  readonly seal: Seal;
  readonly warnings: Warnings;
  /** The stages of the run add their times. */
  readonly spent: SpentTime;
  /** Asks the service what the token may do. All calls return the same answer. */
  readonly token: () => ReturnType<ScanApi['token']>;
  /** The target that the event names. */
  readonly event: Result<ScanTarget, NotScanned>;
  /** The pull request of the run. Undefined if the event has none. */
  readonly watch: Watch | undefined;
  /**
   * Reads the pull request as it is now. Returns an error if it is open with another head than the event, or if neither
   * GitHub nor the event shows its current state. All calls return the same answer.
   */
  readonly firstRead: () => Promise<Result<ScanTarget, NotScanned>>;
}

/** Times of a run, in milliseconds. */
interface SpentTime {
  /** The time in which the run waited for the service to analyze the repository. */
  waitedForReadinessMs: number;
  /** The time in which the run followed scans. Another run may have launched a scan. */
  scanMs: number;
}

export interface LaunchableChange {
  readonly target: ScanTarget;
  /** The base of the scan. It agrees with `launch-parameters`. */
  readonly diffBase: DiffBase;
  readonly preflight: Preflight;
}

/** A change to scan, and what the run knows about it before the launch. */
export interface Change extends LaunchableChange {
  readonly plan: LaunchPlan;
  /** The exact key of the scan. */
  readonly key: string;
  /** The key by which scans of the same files are found. Undefined if the trees are not known. */
  readonly contentKey: string | undefined;
  /** Undefined if they are not known, if the workflow sets the base, or for a full scan. */
  readonly trees: ScanTrees | undefined;
  /** The marks of earlier scans, as they were at the start of the run. */
  readonly earlier: EarlierMarks;
  /** When the run had read the pull request, and began to read the marks, in milliseconds of `clock.now()`. */
  readonly knownSince: number;
  readonly identity: StepIdentity;
  /** The file of which the launch sends the text. Undefined if the input `guidance-file` is empty. */
  readonly guidance: GuidanceSource | undefined;
  /** Why this run may launch nothing. It may still use a scan that is paid for. */
  readonly unpaid: NotScanned | undefined;
}

/** The guidance that the launch sends. */
export interface FoundGuidance {
  /** The stored guidance, then the file. */
  readonly text: string;
  /** The file that `guidance-file` names. */
  readonly source: GuidanceSource;
}

/** The launch of the scan. */
export interface LaunchPlan {
  readonly body: LaunchBody;
  /** The budget in the request body, in whole credits. */
  readonly creditBudget: number | undefined;
  readonly keyFields: ScanKeyFields;
  /** The values by which a scan is recognized as the scan of this launch. */
  readonly subject: ScanSubject;
}

/** The outcome of a run, and what the run knows by then. */
export interface RunResult extends ScanResult, RunFacts {
  readonly preflight?: Preflight;
  /** Undefined until the run knows the change and the preset. */
  readonly identity?: StepIdentity;
}

/** A result without a scan. */
export function notScanned(failure: NotScanned) {
  return { outcome: { kind: 'not-scanned', failure } } as const;
}

/** What a run does about its event. */
export type Plan = { readonly kind: 'scan'; readonly change: Change } | EndPlan;

/** A plan in which nothing is scanned. */
export interface EndPlan {
  readonly kind: 'end';
  readonly result: RunResult;
  /** If defined, running scans of older heads are cancelled. */
  readonly superseding?: (LaunchableChange & { readonly marks: readonly FoundMark[] }) | undefined;
}

/** What a run learns about scans and the pull request until its launch. The functions of the run update it. */
export interface KnownScans {
  /** The newest scan list. */
  list: Result<ScanList, ApiError>;
  /** The ids of the scans that the run has tried or launched. */
  readonly tried: Set<string>;
  /** The ids of all scans that marks name. */
  readonly marked: Set<string>;
  /** When the run last read the pull request and the marks, in milliseconds of `clock.now()`. */
  lookedAt: number;
  /** True if the run has to look again before it sends a launch. */
  isOutdated: boolean;
  /** True if the run has launched a second time, after the scan of its lost launch was cancelled. */
  hasRelaunched: boolean;
  /** What the pull request has cost, in whole credits: the largest number that a mark shows, and our launches. */
  credits: number;
}

/** One run that scans a change, and what it knows. */
export interface Job extends Gate {
  readonly change: Change;
  readonly known: KnownScans;
}

/** Starts the job with what the run knows at its start. */
export function createJob(gate: Gate, change: Change): Job {
  const { earlier, preflight, knownSince } = change;
  const known: KnownScans = {
    list: preflight.scans,
    tried: new Set(),
    marked: new Set(),
    lookedAt: knownSince,
    // The run may have used the event, because it could not read its pull request.
    isOutdated: gate.watch !== undefined && gate.watch.first === undefined,
    hasRelaunched: false,
    credits: 0,
  };
  const job = { ...gate, change, known };
  remember(job, earlier.marks);
  return job;
}

/** Adds what these marks show to what the run knows. */
export function remember({ known, change }: Job, marks: readonly FoundMark[]): void {
  const { pullRequest } = change.target;
  for (const { scanId, pullRequest: number, credits = 0 } of marks) {
    known.marked.add(scanId);
    if (number === pullRequest?.number) known.credits = Math.max(known.credits, credits);
  }
}

/** True if a mark of exactly this change was known at the start of the run. */
export function isMarked({ earlier, target, key }: Change): boolean {
  return earlier.marks.some((mark) => mark.key === key && mark.headSha === target.headSha);
}

/** Reads the marks in the check runs of the head. */
export async function readMarks(
  job: Job,
  signal: AbortSignal,
): Promise<Result<readonly FoundMark[], GitHubError>> {
  const marks = await marksOfCheckRuns({ ...job, signal }, job.change.target.headSha);
  if (marks.ok) remember(job, marks.value);
  return marks;
}

/** Returns the marks of exactly this change whose scans were not tried. The newest launch comes first. */
export function untried({ known, change }: Job, marks: readonly FoundMark[]) {
  const { headSha } = change.target;
  return inLaunchOrder(marks).filter(
    (mark) => mark.headSha === headSha && mark.key === change.key && !known.tried.has(mark.scanId),
  );
}

/**
 * Reads the marks in the check runs of the head again. Returns those of exactly this change whose scans were not tried.
 * A failed read is repeated, because a run that sees no marks would launch a second scan.
 */
export async function readUntried(job: Job): Promise<readonly FoundMark[]> {
  const { clock, signal, inputs } = job;
  if (!inputs.reuseScan) return [];
  for (let read = 1; read <= MOST_MARK_READS && !signal.aborted; read += 1) {
    if (read > 1) await clock.sleep(MARKS_SHOWN_MS, signal);
    const marks = await readMarks(job, signal);
    if (marks.ok) return untried(job, marks.value);
  }
  return [];
}

/**
 * Looks for the scan of a lost launch.
 * @param named the id that the launch answer named, if the service does not know it
 */
export function searchLost(job: Job, pending: PendingLaunch, named?: string): Promise<Found | NoMatch> {
  // The scan of a lost full scan is not looked for.
  if (pending.subject?.baseSha !== undefined)
    job.log.info("Could not confirm the launch of the scan. Looking for it in the service's scan list.");
  return findLost({ ...job, signal: job.deadlines.startSearch() }, pending, named);
}
