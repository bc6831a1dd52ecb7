import { findChange, readAgain } from '../change/pull-request.ts';
import { explainStop, type NotScanned, type Result } from '../domain/result.ts';
import type { ScanList, ScansBefore } from '../domain/scan.ts';
import type { GitHubError } from '../github/errors.ts';
import {
  type FoundMark,
  MARKS_SHOWN_MS,
  MOST_MARK_READS,
  marksInComments,
  marksOfCheckRuns,
  marksUnlisted,
  mustBeListed,
} from '../scan/marks.ts';
import { scansBefore } from '../scan/new-scans.ts';
import { type DatedScan, inLaunchOrder } from '../scan/scan-mark.ts';
import type { ApiError } from '../scan-api/api-error.ts';
import { explainApiError } from '../scan-api/explain-error.ts';
import type { Gate } from './gate.ts';
import type { Change } from './plan.ts';

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

function remember({ known, change }: Job, marks: readonly FoundMark[]): void {
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
 * Our choice: before a launch, a run looks again if it last read the pull request and the marks this long ago. They
 * rarely change in less time.
 */
const LOOK_AGAIN_AFTER_MS = 30_000;

export type Look =
  | { readonly kind: 'clear'; readonly before: ScansBefore }
  /** Another job has launched a scan of this change meanwhile. */
  | { readonly kind: 'running'; readonly scan: DatedScan }
  | { readonly kind: 'not-scanned'; readonly failure: NotScanned };

/**
 * Looks before a launch is sent whether the pull request has changed, whether another job has launched a scan of this
 * change, and which scans exist. Reads the scan list, the pull request and the marks again if what the run knows may be
 * out of date.
 */
export async function lookBeforeLaunch(job: Job): Promise<Look> {
  const { api, clock, signal, environment, inputs, seal, watch, known, change } = job;
  const asks = known.isOutdated || clock.now() - known.lookedAt >= LOOK_AGAIN_AFTER_MS;
  // The scan list is read before the pull request, because the service can ask for a long wait.
  if (asks) known.list = await api.scans(change.preflight.projectId, { signal });
  if (asks && watch) await readAgain(watch, signal);
  const failure = watch && findChange(watch);
  if (failure !== undefined) return { kind: 'not-scanned', failure };
  if (asks) {
    const shown = watch?.newest?.state;
    const ofComments = shown ? marksInComments(shown, inputs.delivery.checkName, seal) : [];
    remember(job, ofComments);
    if (inputs.reuseScan) {
      // One read is enough: after the launch, the run looks for scans of other jobs again.
      const marks = await readMarks(job, signal);
      const [newest] = untried(job, [...(marks.ok ? marks.value : []), ...ofComments]);
      if (newest !== undefined) return { kind: 'running', scan: newest };
      const mayLaunch = marks.ok || isMarked(change);
      if (!mayLaunch && mustBeListed(marks.error, environment.runAttempt, change.target))
        return { kind: 'not-scanned', failure: marksUnlisted(marks.error) };
    }
    known.lookedAt = clock.now();
    known.isOutdated = false;
  }
  const { list } = known;
  return list.ok
    ? { kind: 'clear', before: scansBefore(list.value, [...known.marked, ...known.tried]) }
    : { kind: 'not-scanned', failure: listUnread(list.error) };
}

function listUnread(error: ApiError): NotScanned {
  if (error.kind === 'stopped') return explainStop(error.by, 'it launched a scan');
  const failure = explainApiError(error);
  return {
    ...failure,
    cause: `${failure.cause} Without this list, a new scan could not be recognized, so no scan was launched.`,
  };
}
