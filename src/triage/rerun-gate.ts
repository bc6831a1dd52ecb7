import type { Clock } from '../clock.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { mergeBaseByCompare } from '../github/compare.ts';
import type { GitHubAccess, SealedAccess } from '../github/octokit.ts';
import { listOpenPullRequests } from '../github/open-pull-requests.ts';
import { type PullRequestState, readBranchTip, readPullRequestState } from '../github/pull-request-state.ts';
import {
  listJobs,
  listRunsOfHead,
  readWorkflowRun,
  rerunJob,
  type WorkflowRun,
} from '../github/workflow-run.ts';
import type { TriageInputs } from '../runner/triage-inputs.ts';
import { marksOfCheckRuns } from '../scan/marks.ts';
import type { ScanMark } from '../scan/scan-mark.ts';
import type { TriageApi } from '../scan-api/triage-api.ts';
import {
  chooseJob,
  chooseMark,
  isAskedBefore,
  isOfHead,
  refuseBeside,
  refuseMark,
  refuseOtherRun,
  refuseRun,
  type Subject,
} from './decide.ts';
import { type GateComment, readGateComment } from './gate-comment.ts';
import {
  ASKED_BEFORE,
  CLOSED,
  HEAD_MOVED,
  NOT_KNOWN,
  noMark,
  notRerun,
  OTHER_BASE,
  otherRun,
  type Refusal,
  UNDER_WAY,
  unreadable,
} from './refusal.ts';
import type { ServiceReader } from './service.ts';

/** The repository in the addresses of our links. */
export interface Place {
  readonly serverUrl: string;
  readonly owner: string;
  readonly repo: string;
}

/** What one run of the triage action works with. */
export interface Triage extends SealedAccess {
  readonly clock: Clock;
  readonly inputs: TriageInputs;
  readonly service: ServiceReader;
  /** Undefined if `triage-token` is empty. */
  readonly triageApi: TriageApi | undefined;
  readonly place: Place;
  /** True if everyone can read the repository, or if its visibility is not known. */
  readonly isPublic: boolean;
}

/** The comment that requests a re-run. */
export interface Asking {
  /** When the comment was written. */
  readonly at: Date;
  /** True if a job that passed may be re-run too. */
  readonly alsoPassed?: boolean;
}

const FAILED = ['failure'];
const FAILED_OR_PASSED = ['failure', 'success'];

/** The result of a requested re-run, for one pull request. */
export type Rechecked =
  | { readonly kind: 'rerun'; readonly pullRequest: number; readonly runId: number; readonly job: string }
  | {
      readonly kind: 'refused';
      readonly pullRequest: number;
      /** The run of the mark; undefined if no mark is proven, or if the run is not one of this pull request. */
      readonly runId: number | undefined;
      readonly refusal: Refusal;
    };

/** True if an error, and not only a rule, prevented the re-run. */
export function isFailure(done: Rechecked): boolean {
  return done.kind === 'refused' && done.refusal.isFailure;
}

/**
 * Re-runs the gate's job for this head, unless a rule refuses the re-run. The reads that exclude most pull requests
 * come first. The pull request is read once more shortly before the re-run.
 * @param asking undefined for a sweep
 */
export async function rerunGate(
  triage: Triage,
  pullRequest: number,
  headSha: string,
  asking?: Asking,
): Promise<Rechecked> {
  const subject = { pullRequest, headSha, checkName: triage.inputs.checkName };
  const mark = await findMark(triage, subject);
  if (!mark.ok) return { kind: 'refused', pullRequest, runId: undefined, refusal: mark.error };
  const { runId } = mark.value;
  const done = await rerunMarked(triage, subject, mark.value, asking);
  return done.ok
    ? { kind: 'rerun', pullRequest, runId, job: done.value }
    : {
        kind: 'refused',
        pullRequest,
        runId: done.error.reason === 'other-run' ? undefined : runId,
        refusal: done.error,
      };
}

export async function findMark(
  { github, seal, signal }: Triage,
  subject: Subject,
): Promise<Result<ScanMark, Refusal>> {
  const marks = await marksOfCheckRuns({ github, seal, signal }, subject.headSha);
  if (!marks.ok) return err(unreadable(marks.error));
  const mark = chooseMark(marks.value, subject);
  return mark === undefined ? err(noMark(subject.checkName, subject.headSha)) : ok(mark);
}

/** Checks the run that the mark names, and re-runs the gate's job in it. @returns the name of the job */
async function rerunMarked(
  triage: Triage,
  subject: Subject,
  mark: ScanMark,
  asking?: Asking,
): Promise<Result<string, Refusal>> {
  const { github, service, signal } = triage;
  const unmarked = refuseMark(mark);
  if (unmarked !== undefined) return err(unmarked);
  const comment = asking === undefined ? await readUnblocked(triage, subject, mark) : undefined;
  if (comment?.ok === false) return comment;
  const unscanned = comment === undefined ? await service.refuseScan(mark.scanId) : undefined;
  if (unscanned !== undefined) return err(unscanned);

  const run = await readMarkedRun(triage, mark);
  if (!run.ok) return run;
  const unfit = refuseRun(run.value, { now: triage.clock.date(), askedAt: asking?.at });
  if (unfit !== undefined) return err(unfit);
  if (isOfHead(run.value, mark.headSha)) {
    const beside = await listRunsOfHead(github.until(signal), run.value);
    if (!beside.ok) return err(unreadable(beside.error));
    const busy = refuseBeside(beside.value);
    if (busy !== undefined) return err(busy);
  }
  const jobs = await listJobs(github.until(signal), mark.runId);
  if (!jobs.ok) return err(unreadable(jobs.error));
  const conclusions = asking?.alsoPassed === true ? FAILED_OR_PASSED : FAILED;
  const job = chooseJob(run.value, jobs.value, triage.inputs.jobName, conclusions);
  if (!job.ok) return job;

  const current = await readHead(triage, subject);
  if (!current.ok) return current;
  if (comment !== undefined) {
    const { viewer } = current.value;
    if (isAskedBefore(mark, run.value, viewer, comment.value.marker)) return err(ASKED_BEFORE);
    const moved = await refuseOtherBase(triage, mark, current.value);
    if (moved !== undefined) return err(moved);
  }
  const rerun = await rerunJob(github.until(signal), job.value.id, run.value);
  if (rerun.ok) return ok(job.value.name);
  // `forbidden` can also mean that this run was re-run just before, for example by hand.
  const now =
    rerun.error.kind === 'forbidden' ? await readWorkflowRun(github.until(signal), mark.runId) : rerun;
  const isOvertaken = now.ok && (now.value.attempt > run.value.attempt || now.value.status !== 'completed');
  return err(isOvertaken ? UNDER_WAY : notRerun(rerun.error));
}

/** Reads the gate's comment for a sweep. Refuses while a finding that blocked may still block. */
async function readUnblocked(
  triage: Triage,
  subject: Subject,
  { scanId }: ScanMark,
): Promise<Result<GateComment, Refusal>> {
  const state = await readHead(triage, subject);
  if (!state.ok) return state;
  const found = await readGateComment(triage, subject, state.value);
  if (!found.ok) return found;
  if (found.value === undefined) return err(NOT_KNOWN);
  const refusal =
    (await triage.service.refuseScan(scanId)) ??
    (await triage.service.refuseFindings(scanId, found.value.history.findings));
  return refusal === undefined ? ok(found.value) : err(refusal);
}

/**
 * Refuses a sweep's re-run if the merge base is not that of the mark, because a re-run would launch a new scan. If the
 * token may not read the base branch, the merge base is not compared.
 */
async function refuseOtherBase(
  { github, signal }: Triage,
  { headSha, baseSha }: ScanMark,
  { baseName, baseTip }: PullRequestState,
): Promise<Refusal | undefined> {
  let tip = baseTip;
  if (tip === undefined) {
    const read = await readBranchTip(github.until(signal), baseName);
    if (!read.ok) return read.error.kind === 'forbidden' ? undefined : unreadable(read.error);
    tip = read.value;
  }
  if (tip.kind === 'gone') return OTHER_BASE;
  const compared = await mergeBaseByCompare(github.until(signal), { base: tip.sha, head: headSha });
  if (compared.ok) return compared.value.sha === baseSha ? undefined : OTHER_BASE;
  return compared.error.kind === 'unavailable' ? unreadable(compared.error.error) : OTHER_BASE;
}

/** Reads the pull request. Refuses if it is closed. */
export async function readOpen(
  { github, signal }: GitHubAccess,
  pullRequest: number,
): Promise<Result<PullRequestState, Refusal>> {
  const state = await readPullRequestState(github.until(signal), pullRequest);
  if (!state.ok) return err(unreadable(state.error));
  return state.value.isOpen ? ok(state.value) : err(CLOSED);
}

/** Reads the pull request. Refuses if it is closed or has another head. */
export async function readHead(
  access: GitHubAccess,
  { pullRequest, headSha }: Subject,
): Promise<Result<PullRequestState, Refusal>> {
  const state = await readOpen(access, pullRequest);
  return state.ok && state.value.headSha !== headSha ? err(HEAD_MOVED) : state;
}

/** Reads the run that the mark names. Refuses a run that does not check the pull request. */
export async function readMarkedRun(
  { github, signal }: GitHubAccess,
  mark: ScanMark,
): Promise<Result<WorkflowRun, Refusal>> {
  const run = await readWorkflowRun(github.until(signal), mark.runId);
  if (!run.ok) return err(run.error.kind === 'not-found' ? otherRun(mark.runId) : unreadable(run.error));
  const other = refuseOtherRun(mark, run.value);
  return other === undefined ? run : err(other);
}

export interface Swept {
  /** The results for the pull requests that were checked, in the order of the checks. */
  readonly rechecked: readonly Rechecked[];
  /** How many of the listed pull requests were not checked, because of the last failures. */
  readonly left: number;
  /** True if there are more open pull requests than the list has. */
  readonly more: boolean;
  /** Why the list of pull requests is missing or incomplete. */
  readonly fault: Refusal | undefined;
}

/**
 * Our choice: a sweep ends after this many failures in a row. The cause then probably concerns all pull requests, and
 * each further one would take the time of all retries.
 */
const MOST_FAILURES = 3;

/**
 * Checks the open pull requests whose check failed or may have failed, one after the other. Each sweep starts at a
 * random place in the list. So every pull request is checked at some time, even if a limit ends each sweep early.
 * @param random returns a number from 0 up to, but not including, 1
 */
export async function sweep(
  triage: Triage,
  random: () => number,
  onDone: (done: Rechecked) => void,
): Promise<Swept> {
  const { github, inputs, signal } = triage;
  const listed = await listOpenPullRequests(github.until(signal), inputs.checkName);
  if (!listed.ok) return { rechecked: [], left: 0, more: false, fault: unreadable(listed.error) };
  const { pullRequests, complete, failure } = listed.value;
  const failed = pullRequests.filter(({ checkFailed }) => checkFailed !== false);
  const first = Math.floor(random() * failed.length);
  const rechecked: Rechecked[] = [];
  let failures = 0;
  for (const { number, headSha } of [...failed.slice(first), ...failed.slice(0, first)]) {
    const done = await rerunGate(triage, number, headSha);
    onDone(done);
    rechecked.push(done);
    failures = isFailure(done) ? failures + 1 : 0;
    if (failures === MOST_FAILURES) break;
  }
  const left = failed.length - rechecked.length;
  return { rechecked, left, more: !complete, fault: failure && unreadable(failure) };
}
