import type { Clock } from '../clock.ts';
import { isOpen, type ResolutionStatus } from '../domain/finding.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { readPullRequestPeople } from '../github/people.ts';
import { type PullRequestState, readPullRequestState } from '../github/pull-request-state.ts';
import { readCurrentComment } from '../github/reply.ts';
import { listJobs, readWorkflowRun } from '../github/workflow-run.ts';
import type { ScanMark } from '../scan/scan-mark.ts';
import type { ApiError } from '../scan-api/api-error.ts';
import type { TriageApi } from '../scan-api/triage-api.ts';
import { type ChangeResult, type Chosen, changeFinding, chooseFindings, noteOf } from './change-findings.ts';
import {
  afterChange,
  blocksNotKnown,
  DELETED,
  EDITED,
  NO_TRIAGE_TOKEN,
  notAllowed,
  refusePerson,
} from './change-refusal.ts';
import { type Change, type Command, isAsWritten } from './command.ts';
import { refuseOtherRun, refuseYounger, type Subject } from './decide.ts';
import { readGateComment } from './gate-comment.ts';
import { CLOSED, HEAD_MOVED, otherRun, type Refusal, unreadable } from './refusal.ts';
import { findMark, type Rechecked, type RerunDeps, readHead, rerunGate } from './rerun-gate.ts';
import { refuseReported } from './service.ts';
import { type Place, toCommentUrl, toPullRequestUrl } from './texts.ts';

export interface ChangeCommandDeps extends RerunDeps {
  readonly clock: Clock;
  /** Undefined if `triage-token` is empty. */
  readonly triageApi: TriageApi | undefined;
  readonly place: Place;
}

/** The result for one label in a command. */
export type LabelResult = { readonly label: string } & (
  | { readonly kind: 'unknown' | 'ambiguous' }
  | ChangeResult
);

/** The results of a command that changes findings, and of the re-run after it. */
export interface Changed {
  readonly login: string;
  readonly status: ResolutionStatus;
  /** The reason code that the command names. */
  readonly reason: string | undefined;
  readonly commentUrl: string;
  readonly results: readonly LabelResult[];
  /** Undefined if no re-run was requested, because the command did not change every finding that it names. */
  readonly rechecked: Rechecked | undefined;
}

/** A command that may be carried out, and the mark of the scan that the author of the command saw. */
interface Admitted {
  readonly subject: Subject;
  readonly mark: ScanMark;
  readonly api: TriageApi;
}

/**
 * Changes the status of findings of this head's scan. Then re-runs the gate's job if no finding blocks any more, or if
 * a finding was reopened. Changes nothing if the comment was edited or deleted, or may be about an older result.
 */
export async function changeByCommand(
  deps: ChangeCommandDeps,
  command: Command,
  change: Change,
): Promise<Result<Changed, Refusal>> {
  const admitted = await admit(deps, command);
  if (!admitted.ok) return admitted;
  const { subject, mark, api } = admitted.value;
  const listed = await deps.service.findings(mark.scanId);
  if (!listed.ok) return listed;
  const { projectId, findings } = listed.value;
  // The head is read as late as possible, because it must still be the head that the comment is about.
  const current = await readHead(deps, subject);
  if (!current.ok) return current;
  const unlike = await refuseComment(deps, command);
  if (unlike !== undefined) return err(unlike);

  const { login } = command.author;
  const commentUrl = toCommentUrl(command.pullRequest, command.commentId, deps.place);
  const note = noteOf({
    status: change.status,
    reason: change.reason,
    login,
    pullRequestUrl: toPullRequestUrl(command.pullRequest, deps.place),
    headSha: subject.headSha,
    commentUrl,
    text: change.note,
  });
  const results: LabelResult[] = [];
  let refused: ApiError | undefined;
  for (const chosen of chooseFindings(change.labels, findings)) {
    const result = await changeChosen(deps, {
      api,
      projectId,
      chosen,
      status: change.status,
      note,
      commentUrl,
      refused,
    });
    results.push(result);
    if (result.kind === 'failed' && isOfToken(result.error)) refused = result.error;
  }
  const isWhole = results.every(({ kind }) => kind === 'changed');
  const rechecked = isWhole
    ? await recheck(deps, command, change, { subject, mark, state: current.value })
    : undefined;
  const { status, reason } = change;
  return ok({ login, status, reason, commentUrl, results, rechecked });
}

async function admit(deps: ChangeCommandDeps, command: Command): Promise<Result<Admitted, Refusal>> {
  const { github, service, inputs, triageApi, signal } = deps;
  const { pullRequest, author, createdAt: askedAt } = command;
  if (triageApi === undefined) return err(NO_TRIAGE_TOKEN);
  const state = await readPullRequestState(github, pullRequest, signal);
  if (!state.ok) return err(unreadable(state.error));
  if (!state.value.isOpen) return err(CLOSED);
  const { headSha } = state.value;
  if (inputs.who === 'others') {
    const people = await readPullRequestPeople(github, pullRequest, signal);
    if (!people.ok) return err(unreadable(people.error));
    if (people.value.headSha !== headSha) return err(HEAD_MOVED);
    const why = refusePerson(author.id, people.value);
    if (why !== undefined) return err(notAllowed(why));
    // If the commits do not contain the head, a force push came while they were read.
    if (!people.value.commits.some(({ sha }) => sha === headSha)) return err(HEAD_MOVED);
  }
  const subject = { pullRequest, headSha, checkName: inputs.checkName };
  const found = await findMark(deps, subject);
  if (!found.ok) return found;
  const mark = found.value;
  const run = await readWorkflowRun(github, mark.runId, signal);
  if (!run.ok) return err(run.error.kind === 'not-found' ? otherRun(mark.runId) : unreadable(run.error));
  const other = refuseOtherRun(mark, run.value);
  if (other !== undefined) return err(other);
  const jobs = await listJobs(github, mark.runId, signal);
  if (!jobs.ok) return err(unreadable(jobs.error));
  const younger = refuseYounger(mark, run.value, jobs.value, { askedAt, jobName: inputs.jobName });
  if (younger !== undefined) return err(younger);
  const unfit = await service.refuseScan(mark.scanId);
  return unfit === undefined ? ok({ subject, mark, api: triageApi }) : err(unfit);
}

/** Refuses a comment that was edited or deleted, because other users do not see the command as it was written. */
async function refuseComment(
  { github, signal }: ChangeCommandDeps,
  command: Command,
): Promise<Refusal | undefined> {
  const now = await readCurrentComment(github, command.commentId, signal);
  if (!now.ok) return unreadable(now.error);
  if (now.value === undefined) return DELETED;
  return isAsWritten(command, now.value) ? undefined : EDITED;
}

interface OneChange {
  readonly api: TriageApi;
  readonly projectId: string;
  readonly chosen: Chosen;
  readonly status: ResolutionStatus;
  readonly note: string;
  readonly commentUrl: string;
  /**
   * The error for an earlier finding, if the service refused the token. It would refuse the token for this finding too.
   */
  readonly refused: ApiError | undefined;
}

async function changeChosen({ clock, signal }: ChangeCommandDeps, one: OneChange): Promise<LabelResult> {
  const { api, projectId, chosen, status, note, commentUrl, refused } = one;
  const { label } = chosen;
  if (chosen.kind !== 'finding') return { label, kind: chosen.kind };
  if (refused !== undefined) return { label, kind: 'failed', error: refused };
  const change = { findingId: chosen.id, status, note };
  return { label, ...(await changeFinding({ api, projectId, clock, signal }, change, commentUrl)) };
}

function isOfToken(error: ApiError): boolean {
  return error.kind === 'refused' && (error.status === 401 || error.status === 403);
}

/** Re-runs the gate's job if no finding blocks any more, or if a finding was reopened. */
async function recheck(
  deps: ChangeCommandDeps,
  { pullRequest, createdAt }: Command,
  { status }: Change,
  {
    subject,
    mark,
    state,
  }: { readonly subject: Subject; readonly mark: ScanMark; readonly state: PullRequestState },
): Promise<Rechecked> {
  const isReopened = status === 'NOT_STARTED';
  const refusal = isReopened ? undefined : await refuseBlocking(deps, subject, mark, state);
  const rechecked: Rechecked =
    refusal === undefined
      ? await rerunGate(deps, subject, { by: 'comment', at: createdAt, alsoPassed: isReopened })
      : { kind: 'refused', pullRequest, runId: mark.runId, refusal };
  return rechecked.kind === 'rerun'
    ? rechecked
    : { ...rechecked, refusal: afterChange(rechecked.refusal, isReopened) };
}

/**
 * Refuses the re-run if a finding still blocks. If no finding is open, none can block, so the gate's comment is not
 * read.
 */
async function refuseBlocking(
  deps: ChangeCommandDeps,
  subject: Subject,
  { scanId }: ScanMark,
  state: PullRequestState,
): Promise<Refusal | undefined> {
  const listed = await deps.service.findings(scanId);
  if (!listed.ok) return listed.error;
  const { findings } = listed.value;
  const open = findings.filter(isOpen).length;
  if (open === 0) return undefined;
  const comment = await readGateComment(deps, subject, state);
  if (!comment.ok) return comment.error;
  return comment.value === undefined
    ? blocksNotKnown(open)
    : refuseReported(findings, comment.value.history.findings);
}
