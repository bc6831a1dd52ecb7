import { err, ok, type Result } from '../domain/result.ts';
import { type CommentMarker, isBy } from '../github/comment-marker.ts';
import type { WorkflowJob, WorkflowRun } from '../github/workflow-run.ts';
import type { FoundMark } from '../scan/marks.ts';
import type { ScanMark } from '../scan/scan-mark.ts';
import { RESULT_PENDING } from './change-refusal.ts';
import {
  ALREADY_RERUN,
  MAY_LAUNCH,
  NOT_FAILED,
  noJob,
  otherRun,
  type Refusal,
  TOO_YOUNG,
  tooManyAttempts,
  tooOld,
  UNDER_WAY,
} from './refusal.ts';

/** The head of a pull request, and the name of the gate's check run. */
export interface Subject {
  readonly pullRequest: number;
  readonly headSha: string;
  readonly checkName: string;
}

/**
 * Our choice: a run with this many attempts is not re-run. Triage rarely needs so many. GitHub itself refuses after 50.
 */
const MOST_ATTEMPTS = 10;
/** GitHub documents that a run can be re-run "up to 30 days after the initial run". */
const RERUN_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;
/**
 * For this event, GitHub does not document which head a run shows: the head of the pull request, or the head of the
 * base branch.
 */
const TARGET_EVENT = 'pull_request_target';
const PULL_REQUEST_EVENTS: ReadonlySet<string> = new Set(['pull_request', TARGET_EVENT]);
/** Our choice: a user needs at least this time to look at a result before a command. */
const SHORTEST_LOOK_MS = 60_000;

/**
 * Chooses the mark of the latest run for this head of this pull request, from the check runs with this name. The order
 * of the runs depends only on signed values, because the order, the times and the addresses of check runs can be
 * forged.
 * @param marks the proven marks in the check runs of the head
 */
export function chooseMark(
  marks: readonly FoundMark[],
  { pullRequest, headSha, checkName }: Subject,
): ScanMark | undefined {
  const ours = marks.flatMap((mark) =>
    mark.checkRun?.name === checkName && mark.pullRequest === pullRequest && mark.headSha === headSha
      ? [mark]
      : [],
  );
  return ours.toSorted((a, b) => b.runId - a.runId || b.runAttempt - a.runAttempt)[0];
}

/**
 * Refuses a mark if a re-run of its run could launch a scan, or if the run has too many attempts. Where the base was not
 * computed, a re-run can have another one.
 */
export function refuseMark({ contentKey, reusesNone, runAttempt }: ScanMark): Refusal | undefined {
  if (reusesNone || contentKey === undefined) return MAY_LAUNCH;
  return runAttempt >= MOST_ATTEMPTS ? tooManyAttempts(runAttempt) : undefined;
}

/**
 * Refuses a run that cannot be re-run, or that must not be re-run now.
 * @param askedAt when a comment requested the re-run; undefined for a sweep
 */
export function refuseRun(
  run: WorkflowRun,
  { now, askedAt }: { readonly now: Date; readonly askedAt: Date | undefined },
): Refusal | undefined {
  if (run.status !== 'completed') return UNDER_WAY;
  if (askedAt !== undefined && run.startedAt >= askedAt) return ALREADY_RERUN;
  if (run.attempt >= MOST_ATTEMPTS) return tooManyAttempts(run.attempt);
  return now.getTime() - run.createdAt.getTime() >= RERUN_DAYS * DAY_MS ? tooOld(RERUN_DAYS) : undefined;
}

/** Refuses a run that is not the run of the mark, or that does not check the pull request. */
export function refuseOtherRun(mark: ScanMark, run: WorkflowRun): Refusal | undefined {
  const isMarked =
    run.id === mark.runId &&
    (isOfHead(run, mark.headSha) || run.event === TARGET_EVENT) &&
    run.attempt >= mark.runAttempt &&
    PULL_REQUEST_EVENTS.has(run.event);
  return isMarked ? undefined : otherRun(mark.runId);
}

/**
 * True if the account of this token asked for the newest attempt of the run, and that attempt left no new result: its
 * mark is missing, or the comment of the gate names another attempt. A sweep then asks for no other attempt, so that it never loops.
 * Without an account, every re-run counts as ours.
 * @param viewer the login of the account
 * @param comment the run that wrote the comment of the gate
 */
export function isAskedBefore(
  mark: ScanMark,
  { id, attempt, triggeringActor }: WorkflowRun,
  viewer: string,
  comment: CommentMarker,
): boolean {
  if (attempt === 1 || (triggeringActor !== undefined && !isBy(triggeringActor, viewer))) return false;
  return mark.runAttempt < attempt || comment.runId !== id || comment.runAttempt !== attempt;
}

/** True if GitHub lists the run under the head of the pull request. */
export function isOfHead({ headSha }: WorkflowRun, head: string): boolean {
  return headSha === head;
}

/** Refuses if a run is in progress. @param runs all runs of the same workflow for the same head */
export function refuseBeside(runs: readonly WorkflowRun[]): Refusal | undefined {
  return runs.some(({ status }) => status !== 'completed') ? UNDER_WAY : undefined;
}

/**
 * Chooses the gate's job. If a name is given, this is the job with that name. Otherwise it is the only job of the run.
 * Does not use the check run, because GitHub does not say which job created it.
 * @param jobs the jobs of all attempts of the run
 * @param conclusions the conclusions after which a job may run again
 */
export function chooseJob(
  run: WorkflowRun,
  jobs: readonly WorkflowJob[],
  jobName: string | undefined,
  conclusions: readonly string[],
): Result<WorkflowJob, Refusal> {
  const ours = jobs.filter(({ runId }) => runId === run.id);
  const names = [...new Set(ours.map(({ name }) => name))];
  const wanted = jobName ?? (names.length === 1 ? names[0] : undefined);
  const named = ours.filter(({ name }) => name === wanted);
  const latest = Math.max(...named.map(({ attempt }) => attempt));
  const [job, other] = named.filter(({ attempt }) => attempt === latest);
  if (job === undefined || other !== undefined) return err(noJob(jobName, names));
  if (job.status !== 'completed') return err(UNDER_WAY);
  return conclusions.includes(job.conclusion) ? ok(job) : err(NOT_FAILED);
}

/**
 * Refuses if it is not certain that the author of the comment saw the current result of the gate. The gate's job must
 * have ended a minute before the comment. Both times are GitHub's.
 * @param jobs the jobs of all attempts of the run
 */
export function refuseYounger(
  run: WorkflowRun,
  jobs: readonly WorkflowJob[],
  { askedAt, jobName }: { readonly askedAt: Date; readonly jobName: string | undefined },
): Refusal | undefined {
  const ours = jobs.filter(({ runId }) => runId === run.id);
  const named = ours.filter(({ name }) => name === (jobName ?? name));
  // If no job has the given name, all jobs count. A wrong name must not hide when the result was shown.
  const counted = named.length > 0 ? named : ours;
  const ends = counted.map(({ completedAt }) => completedAt?.getTime());
  // A new attempt can begin before GitHub lists its jobs.
  const isListed = named.some(({ attempt }) => attempt === run.attempt);
  if (ends.includes(undefined) || (!isListed && run.status !== 'completed')) return RESULT_PENDING;
  const shownAt = Math.max(...ends.map((end) => end ?? 0), ends.length === 0 ? run.startedAt.getTime() : 0);
  return shownAt > askedAt.getTime() - SHORTEST_LOOK_MS ? TOO_YOUNG : undefined;
}
