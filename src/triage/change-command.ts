import { isOpen } from '../domain/finding.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { disclosureOf } from '../domain/target.ts';
import { readPullRequestPeople } from '../github/people.ts';
import type { PullRequestState } from '../github/pull-request-state.ts';
import { listJobs, type WorkflowRun } from '../github/workflow-run.ts';
import type { ScanMark } from '../scan/scan-mark.ts';
import { classify } from '../scan-api/retry.ts';
import type { TriageApi } from '../scan-api/triage-api.ts';
import { type ChangeResult, type Changing, changeFinding, noteOf } from './change-findings.ts';
import { afterChange, blocksNotKnown, NO_TRIAGE_TOKEN, noLabels } from './change-refusal.ts';
import { type Change, type Chosen, type Command, chooseFindings } from './command.ts';
import { refuseYounger, type Subject } from './decide.ts';
import { readGateComment } from './gate-comment.ts';
import { refusePerson } from './own-work.ts';
import { HEAD_MOVED, type Refusal, unreadable } from './refusal.ts';
import { findMark, type Rechecked, readMarkedRun, readOpen, rerunGate, type Triage } from './rerun-gate.ts';
import { refuseReported } from './service.ts';
import { toCommentUrl, toPullRequestUrl } from './texts.ts';

/** The result for one finding of a command. The title is foreign text. */
export type FindingResult = { readonly label: string; readonly title: string } & ChangeResult;

/** The results of a command that changes findings, and of the re-run after it. */
export interface Changed {
  readonly command: Command;
  readonly change: Change;
  readonly results: readonly FindingResult[];
  /** False if the findings are withheld from everyone who can read the repository. */
  readonly showsTitles: boolean;
  /** Undefined if no re-run was requested, because the command did not change every finding that it names. */
  readonly rechecked: Rechecked | undefined;
}

/** True if the command changed every finding that it names. */
export function isWhole(results: readonly FindingResult[]): boolean {
  return results.every(({ kind }) => kind === 'changed');
}

/** A command that may be carried out, and the mark of the scan that the author of the command saw. */
interface Admitted {
  readonly subject: Subject;
  readonly state: PullRequestState;
  readonly mark: ScanMark;
  readonly run: WorkflowRun;
  readonly api: TriageApi;
}

/**
 * Changes the status of the findings that the command names in this head's scan. Changes none if one label names no
 * single finding. Then re-runs the gate's job if no finding blocks any more, or if a finding was reopened.
 */
export async function changeByCommand(
  triage: Triage,
  command: Command,
  change: Change,
): Promise<Result<Changed, Refusal>> {
  const admitted = await admit(triage, command);
  if (!admitted.ok) return admitted;
  const { mark, run } = admitted.value;
  const listed = await triage.service.findings(mark.scanId);
  if (!listed.ok) return listed;
  const chosen = chooseFindings(change.labels, listed.value.findings);
  const odd = chosen.flatMap((one) => (one.kind === 'finding' ? [] : [one]));
  if (odd.length > 0) return err(noLabels(change.word, odd));

  const commentUrl = toCommentUrl(command.pullRequest, command.commentId, triage.place);
  const { projectId } = listed.value;
  const results = await changeAll(
    { ...triage, ...admitted.value, projectId, command, commentUrl },
    change,
    toPullRequestUrl(command.pullRequest, triage.place),
    chosen.flatMap((one) => (one.kind === 'finding' ? [one] : [])),
  );
  const [first] = results;
  const isNone = results.every(
    (one) => one.kind === 'refused' && first?.kind === 'refused' && one.refusal === first.refusal,
  );
  if (first?.kind === 'refused' && isNone) return err(first.refusal);
  const rechecked = isWhole(results) ? await recheck(triage, command, change, admitted.value) : undefined;
  return ok({ command, change, results, showsTitles: showsTitles(triage, run), rechecked });
}

/** Changes the findings one after the other, until an error or a refusal concerns the rest too. */
async function changeAll(
  changing: Changing,
  change: Change,
  pullRequestUrl: string,
  findings: readonly Extract<Chosen, { readonly kind: 'finding' }>[],
): Promise<readonly FindingResult[]> {
  const { status } = change;
  const note = noteOf(changing, change, pullRequestUrl);
  const results: FindingResult[] = [];
  let ofAll: ChangeResult | undefined;
  for (const { label, id: findingId, title } of findings) {
    const result: ChangeResult = ofAll ?? (await changeFinding(changing, { findingId, status, note }));
    results.push({ label, title, ...result });
    if (concernsAll(result)) ofAll = result;
  }
  return results;
}

/** True if the other findings of the command would get the same result. */
function concernsAll(result: ChangeResult): boolean {
  if (result.kind === 'refused') return !OF_ONE_FINDING.has(result.refusal.reason);
  return (
    result.kind === 'failed' &&
    (classify(result.error) === 'rate-limited' ||
      (result.error.kind === 'refused' && (result.error.status === 401 || result.error.status === 403)))
  );
}

const OF_ONE_FINDING: ReadonlySet<Refusal['reason']> = new Set(['overtaken', 'notes-unreadable']);

/** Decides by the rule of the gate's comment, which shows the same findings. */
function showsTitles({ isPublic, place }: Triage, { event }: WorkflowRun): boolean {
  const repository = { owner: place.owner, name: place.repo, isPublic };
  const known = event === 'pull_request' || event === 'pull_request_target' ? event : undefined;
  return disclosureOf(known && { event: known, repository }) !== 'labels';
}

async function admit(triage: Triage, command: Command): Promise<Result<Admitted, Refusal>> {
  const { github, service, inputs, triageApi, signal } = triage;
  const { pullRequest, author, createdAt: askedAt } = command;
  if (triageApi === undefined) return err(NO_TRIAGE_TOKEN);
  const state = await readOpen(triage, pullRequest);
  if (!state.ok) return state;
  const { headSha } = state.value;
  if (inputs.who === 'others') {
    const people = await readPullRequestPeople(github.until(signal), pullRequest);
    if (!people.ok) return err(unreadable(people.error));
    if (people.value.headSha !== headSha) return err(HEAD_MOVED);
    const ownWork = refusePerson(author, people.value);
    if (ownWork !== undefined) return err(ownWork);
    // If the commits do not contain the head, a force push came while they were read.
    if (!people.value.commits.some(({ sha }) => sha === headSha)) return err(HEAD_MOVED);
  }
  const subject = { pullRequest, headSha, checkName: inputs.checkName };
  const found = await findMark(triage, subject);
  if (!found.ok) return found;
  const mark = found.value;
  const run = await readMarkedRun(triage, mark);
  if (!run.ok) return run;
  const jobs = await listJobs(github.until(signal), mark.runId);
  if (!jobs.ok) return err(unreadable(jobs.error));
  const younger = refuseYounger(run.value, jobs.value, { askedAt, jobName: inputs.jobName });
  if (younger !== undefined) return err(younger);
  const unfit = await service.refuseScan(mark.scanId);
  return unfit === undefined
    ? ok({ subject, state: state.value, mark, run: run.value, api: triageApi })
    : err(unfit);
}

/** Re-runs the gate's job if no finding blocks any more, or if a finding was reopened. */
async function recheck(
  triage: Triage,
  { pullRequest, createdAt }: Command,
  { status }: Change,
  { subject, mark, state }: Admitted,
): Promise<Rechecked> {
  const isReopened = status === 'NOT_STARTED';
  const refusal = isReopened ? undefined : await refuseBlocking(triage, subject, mark, state);
  const rechecked: Rechecked =
    refusal === undefined
      ? await rerunGate(triage, pullRequest, subject.headSha, { at: createdAt, alsoPassed: isReopened })
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
  triage: Triage,
  subject: Subject,
  { scanId }: ScanMark,
  state: PullRequestState,
): Promise<Refusal | undefined> {
  const listed = await triage.service.findings(scanId);
  if (!listed.ok) return listed.error;
  const { findings } = listed.value;
  const open = findings.filter(isOpen).length;
  if (open === 0) return undefined;
  const comment = await readGateComment(triage, subject, state);
  if (!comment.ok) return comment.error;
  return comment.value === undefined
    ? blocksNotKnown(open)
    : refuseReported(findings, comment.value.history.findings);
}
