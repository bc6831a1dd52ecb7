import type { Clock } from '../clock.ts';
import { err, ok, type Result } from '../domain/result.ts';
import type { Seal } from '../domain/seal.ts';
import type { GitHubAccess, GitHubClient } from '../github/octokit.ts';
import { listOpenPullRequests } from '../github/open-pull-requests.ts';
import { type PullRequestState, readPullRequestState } from '../github/pull-request-state.ts';
import { listJobs, listRunsOfHead, readWorkflowRun, rerunJob } from '../github/workflow-run.ts';
import type { TriageInputs } from '../runner/triage-inputs.ts';
import { marksOfCheckRuns } from '../scan/marks.ts';
import type { ScanMark } from '../scan/scan-mark.ts';
import {
  chooseJob,
  chooseMark,
  isOfHead,
  refuseBeside,
  refuseMark,
  refuseRun,
  type Subject,
} from './decide.ts';
import { askedInVain, leaveFreeRerun, readGateComment } from './gate-comment.ts';
import {
  CLOSED,
  HEAD_MOVED,
  NEEDS_SCAN,
  noMark,
  notRerun,
  otherRun,
  type Refusal,
  UNDER_WAY,
  unreadable,
} from './refusal.ts';
import type { ServiceReader } from './service.ts';

export interface RerunDeps {
  readonly github: GitHubClient;
  readonly service: ServiceReader;
  readonly inputs: TriageInputs;
  readonly seal: Seal;
  readonly clock: Pick<Clock, 'date'>;
  readonly signal: AbortSignal;
}

/**
 * Who requested the re-run. `at` is the time at which the comment was written. `alsoPassed` allows the re-run of a job
 * that passed.
 */
export type Asked =
  | { readonly by: 'sweep' }
  | { readonly by: 'comment'; readonly at: Date; readonly alsoPassed?: boolean };

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

/**
 * Re-runs the gate's job for this head, unless a rule refuses the re-run. The reads that exclude most pull requests
 * come first. The pull request is read once more shortly before the re-run.
 */
export async function rerunGate(
  deps: RerunDeps,
  { pullRequest, headSha }: Pick<Subject, 'pullRequest' | 'headSha'>,
  asked: Asked,
): Promise<Rechecked> {
  const subject = { pullRequest, headSha, checkName: deps.inputs.checkName };
  const mark = await findMark(deps, subject);
  if (!mark.ok) return { kind: 'refused', pullRequest, runId: undefined, refusal: mark.error };
  const { runId } = mark.value;
  const done = await rerunMarked(deps, subject, mark.value, asked);
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
  { github, seal, signal }: RerunDeps,
  subject: Subject,
): Promise<Result<ScanMark, Refusal>> {
  const marks = await marksOfCheckRuns({ github, seal, signal }, subject.headSha);
  if (!marks.ok) return err(unreadable(marks.error));
  const mark = chooseMark(marks.value, subject);
  return mark === undefined ? err(noMark(subject.checkName, subject.headSha)) : ok(mark);
}

/** Checks the run that the mark names, and re-runs the gate's job in it. @returns the name of the job */
async function rerunMarked(
  deps: RerunDeps,
  subject: Subject,
  mark: ScanMark,
  asked: Asked,
): Promise<Result<string, Refusal>> {
  const { github, service, signal } = deps;
  const refusal =
    refuseMark(mark) ??
    (asked.by === 'sweep' ? await refuseBlocked(deps, subject, mark) : await service.refuseScan(mark.scanId));
  if (refusal !== undefined) return err(refusal);

  const run = await readWorkflowRun(github, mark.runId, signal);
  if (!run.ok) return err(run.error.kind === 'not-found' ? otherRun(mark.runId) : unreadable(run.error));
  const askedAt = asked.by === 'comment' ? asked.at : undefined;
  const unfit = refuseRun(mark, run.value, { now: deps.clock.date(), askedAt });
  if (unfit !== undefined) return err(unfit);
  if (isOfHead(run.value, mark.headSha)) {
    const beside = await listRunsOfHead(github, run.value, signal);
    if (!beside.ok) return err(unreadable(beside.error));
    const busy = refuseBeside(beside.value);
    if (busy !== undefined) return err(busy);
  }
  const jobs = await listJobs(github, mark.runId, signal);
  if (!jobs.ok) return err(unreadable(jobs.error));
  const conclusions = asked.by === 'comment' && asked.alsoPassed === true ? FAILED_OR_PASSED : FAILED;
  const job = chooseJob(run.value, jobs.value, deps.inputs.jobName, conclusions);
  if (!job.ok) return job;

  const current = await readHead(deps, subject);
  if (!current.ok) return current;
  if (asked.by === 'sweep') {
    const comment = await readGateComment(deps, subject, current.value);
    if (!comment.ok) return comment;
    const { id: runId, attempt: runAttempt } = run.value;
    if (askedInVain(comment.value, { runId, runAttempt })) return err(NEEDS_SCAN);
    const next = { runId, runAttempt: runAttempt + 1 };
    const left = await leaveFreeRerun(deps, subject, comment.value, next);
    if (!left.ok) return left;
  }
  const rerun = await rerunJob(github, job.value.id, run.value, signal);
  if (rerun.ok) return ok(job.value.name);
  // `forbidden` can also mean that this run was re-run just before, for example by hand.
  const now = rerun.error.kind === 'forbidden' ? await readWorkflowRun(github, mark.runId, signal) : rerun;
  const isOvertaken = now.ok && (now.value.attempt > run.value.attempt || now.value.status !== 'completed');
  return err(isOvertaken ? UNDER_WAY : notRerun(rerun.error));
}

/** Refuses a sweep's re-run while a finding that blocked may still block. */
async function refuseBlocked(
  deps: RerunDeps,
  subject: Subject,
  mark: ScanMark,
): Promise<Refusal | undefined> {
  const state = await readHead(deps, subject);
  if (!state.ok) return state.error;
  const found = await readGateComment(deps, subject, state.value);
  if (!found.ok) return found.error;
  return (
    (await deps.service.refuseScan(mark.scanId)) ??
    (await deps.service.refuseFindings(mark.scanId, found.value.history.findings))
  );
}

/** Reads the pull request. Refuses if it is closed or has another head. */
export async function readHead(
  { github, signal }: GitHubAccess,
  { pullRequest, headSha }: Subject,
): Promise<Result<PullRequestState, Refusal>> {
  const state = await readPullRequestState(github, pullRequest, signal);
  if (!state.ok) return err(unreadable(state.error));
  if (!state.value.isOpen) return err(CLOSED);
  return state.value.headSha === headSha ? ok(state.value) : err(HEAD_MOVED);
}

export interface Swept {
  /** The results for the pull requests that were checked, in the order of the checks. */
  readonly rechecked: readonly Rechecked[];
  /** How many of the listed pull requests were not checked because of `fault`. */
  readonly left: number;
  /** True if there are more open pull requests than the list has. */
  readonly more: boolean;
  /** The fault that ended the sweep, or that made the list of pull requests incomplete. */
  readonly fault: Refusal | undefined;
}

/**
 * Our choice: a sweep ends after this many outages in a row. GitHub or the service is then probably down, and each
 * further pull request would take the time of all retries.
 */
const MOST_OUTAGES = 3;

/**
 * Checks the open pull requests whose check failed or may have failed, one after the other. Each sweep starts at a
 * random place in the list. So every pull request is checked at some time, even if a limit ends each sweep early.
 * @param random returns a number from 0 up to, but not including, 1
 */
export async function sweep(
  deps: RerunDeps,
  random: () => number,
  onDone: (done: Rechecked) => void,
): Promise<Swept> {
  const { github, inputs, signal } = deps;
  const listed = await listOpenPullRequests(github, inputs.checkName, signal);
  if (!listed.ok) return { rechecked: [], left: 0, more: false, fault: unreadable(listed.error) };
  const { pullRequests, complete, failure } = listed.value;
  const failed = pullRequests.filter(({ checkFailed }) => checkFailed !== false);
  const first = Math.floor(random() * failed.length);
  const rechecked: Rechecked[] = [];
  let outages = 0;
  for (const { number, headSha } of [...failed.slice(first), ...failed.slice(0, first)]) {
    const done = await rerunGate(deps, { pullRequest: number, headSha }, { by: 'sweep' });
    onDone(done);
    rechecked.push(done);
    const fault = done.kind === 'refused' ? done.refusal.fault : 'no';
    outages = fault === 'outage' ? outages + 1 : 0;
    if (done.kind === 'refused' && (fault === 'all' || outages === MOST_OUTAGES)) {
      const left = failed.length - rechecked.length;
      return { rechecked, left, more: !complete, fault: done.refusal };
    }
  }
  return { rechecked, left: 0, more: !complete, fault: failure && unreadable(failure) };
}
