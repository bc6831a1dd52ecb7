import type { Clock, Deadline } from '../clock.ts';
import { err, explainStop, type NotScanned, ok, type Result, stopCause } from '../domain/result.ts';
import type { ScanTarget, TargetBase, TargetPullRequest } from '../domain/target.ts';
import { causeOf } from '../github/errors.ts';
import type { GitHub } from '../github/octokit.ts';
import { type PullRequestState, readBranchTip, readPullRequestState } from '../github/pull-request-state.ts';
import type { Deadlines } from '../runner/deadlines.ts';
import type { Warn } from '../runner/log.ts';
import {
  contradictory,
  isShown,
  type Judgement,
  judgeAnswer,
  type KnownPullRequest,
  type PullRequestAnswer,
  readPastLag,
  type ShownPullRequest,
} from './freshness.ts';
import { noMergeBase } from './merge-base.ts';
import {
  accessRefused,
  baseBranchNotShown,
  closed,
  describeKnownServes,
  pullRequestUnreadable,
  supersededByBase,
  supersededByHead,
} from './superseded.ts';

type BranchBase = Extract<TargetBase, { readonly kind: 'branch' }>;

/** The target of a run for a pull request. */
interface PullRequestTarget extends ScanTarget {
  readonly pullRequest: TargetPullRequest;
  readonly base: BranchBase;
}

/** The pull request of a run, and what the run has read of it. The functions of this file update it. */
export interface Watch {
  readonly github: GitHub;
  readonly clock: Clock;
  readonly deadlines: Pick<Deadlines, 'work' | 'wrapUp' | 'signalled'>;
  readonly warn: Warn;
  /** The target. The first read updates its pull request and its base. `findChange` marks a closed pull request. */
  target: PullRequestTarget;
  /** What every later answer is compared with. */
  known: KnownPullRequest;
  /** The pull request as the first read showed it. Undefined if the run uses the event instead. */
  first: PullRequestState | undefined;
  /** The newest state since the first read. It can be old, so it is used only to find a change. */
  newest: ShownPullRequest | undefined;
  /** The read that `beginLastRead` has started. */
  begun: { readonly at: number; readonly read: Promise<Read> } | undefined;
  /** The read by which `confirm` has confirmed the result. */
  last: Read | undefined;
}

interface Read {
  readonly answer: PullRequestAnswer;
  /** When the answer arrived, in milliseconds of `clock.now()`. */
  readonly at: number;
}

/** Creates the watch of the event's pull request. Undefined if the event has none. Sends no request. */
export function watchPullRequest(
  step: Pick<Watch, 'github' | 'clock' | 'deadlines' | 'warn'>,
  event: ScanTarget,
  firstAttempt: boolean,
): Watch | undefined {
  const { headSha, base, pullRequest } = event;
  if (pullRequest === undefined || base.kind !== 'branch') return undefined;
  const { updatedAt, previousHead, state } = pullRequest;
  const isOpen = state === 'open';
  const asOf = firstAttempt ? updatedAt : undefined;
  return {
    ...step,
    target: { ...event, pullRequest, base },
    known: { headSha, baseName: base.name, isOpen, updatedAt, previousHead, firstAttempt, asOf },
    first: undefined,
    newest: undefined,
    begun: undefined,
    last: undefined,
  };
}

/**
 * Reads the pull request for the first time. Its state, base branch and base tip replace those of the payload, because
 * the payload of a re-run can be 30 days old. On a first attempt, the payload can stand in for an answer, with a
 * warning. The repository is public if either says so.
 */
export async function readFirst(watch: Watch): Promise<Result<ScanTarget, NotScanned>> {
  const { github, clock, target, known } = watch;
  const { number } = target.pullRequest;
  const signal = watch.deadlines.work;
  const read = async () => {
    const answer = await readPullRequestState(github.until(signal), number, known.previousHead);
    const judged = judgeAnswer(known, answer, clock.date());
    return judged.mayLag ? { judged, base: target.base } : findBase(watch, judged);
  };
  const found = await readPastLag({ clock, signal }, read, ({ judged }) => judged.mayLag);
  const { judged, base } = found.judged.mayLag ? await findBase(watch, found.judged) : found;
  const stopped = stopCause(signal);
  if (stopped !== undefined) return err(explainStop(stopped, 'it launched a scan'));
  if (judged.kind === 'unreadable') return err(pullRequestUnreadable(judged.error));
  if (judged.kind === 'contradictory') return err(baseBranchNotShown(judged.baseName));
  if (!isShown(judged)) {
    watch.target = { ...target, base };
    watch.warn(describeKnownServes(judged.error, 'the event'));
    return ok(watch.target);
  }
  const { state } = judged;
  if (judged.kind === 'superseded' && state.isOpen) return err(supersededByHead(state.headSha));
  const { baseName, isOpen, updatedAt } = state;
  const open = target.pullRequest.state === 'closed' ? 'reopened' : 'open';
  const { isPublic } = target.repository;
  watch.first = state;
  watch.target = {
    ...target,
    base,
    repository: { ...target.repository, isPublic: isPublic || state.inPublic === true },
    pullRequest: { ...target.pullRequest, state: isOpen ? open : 'closed', updatedAt },
  };
  // After a read has shown this head, GitHub shows the previous head only if the author has pushed it again. Such an
  // answer is not out of date.
  watch.known = { ...known, baseName, isOpen, updatedAt, previousHead: undefined, asOf: clock.date() };
  return ok(watch.target);
}

/** Finds the base branch and its tip. The tip of an open pull request can show that this branch does not exist. */
async function findBase(
  { github, deadlines, known }: Watch,
  judged: Judgement,
): Promise<{ readonly judged: Judgement; readonly base: BranchBase }> {
  const state = judged.kind === 'current' ? judged.state : undefined;
  const name = state?.baseName ?? known.baseName;
  const base = { kind: 'branch', name, tip: undefined } as const;
  const isOpen = state?.isOpen ?? (judged.kind === 'known-serves' && known.isOpen);
  if (!isOpen) return { judged, base };
  const tip = state?.baseTip ? ok(state.baseTip) : await readBranchTip(github.until(deadlines.work), name);
  if (!tip.ok) {
    const tipRefused = accessRefused(tip.error, noMergeBase(causeOf(tip.error)));
    return { judged, base: { ...base, tipRefused } };
  }
  if (tip.value.kind === 'gone') return { judged: contradictory(name), base };
  return { judged, base: { ...base, tip: tip.value.sha } };
}

/** Reads the pull request once. */
export async function readNow(watch: Watch, signal: AbortSignal): Promise<Read> {
  const { github, clock, target } = watch;
  const answer = await readPullRequestState(github.until(signal), target.pullRequest.number);
  if (answer.ok) saw(watch, answer.value);
  return { answer, at: clock.now() };
}

/** Remembers a state that this run has read after the first read. */
export function saw(watch: Watch, state: PullRequestState): void {
  const judged = judgeAnswer(watch.known, ok(state), watch.clock.date());
  const { newest } = watch;
  // An answer that lags behind must not replace a newer one.
  if (isShown(judged) && (newest === undefined || state.updatedAt >= newest.state.updatedAt))
    watch.newest = judged;
}

/** Reads the pull request again, until the answer is up to date. */
export async function readAgain(watch: Watch, signal: AbortSignal): Promise<Judgement & Read> {
  const { clock, known } = watch;
  const read = async () => {
    const last = await readLast(watch, signal);
    return { ...judgeAnswer(known, last.answer, clock.date()), ...last };
  };
  return readPastLag({ clock, signal }, read, ({ mayLag }) => mayLag);
}

/**
 * Explains how the pull request has changed since the first read: it is closed, or has another head or base branch.
 * Undefined if the run has not read that it has changed.
 *
 * A closed pull request is reported before a new head. A workflow can allow the reason `superseded`, but it must not
 * let a closed pull request pass.
 * @param mayClose true: a closed pull request is not reported
 */
export function findChange(watch: Watch, mayClose = false): NotScanned | undefined {
  const { newest, known, target } = watch;
  if (newest === undefined) return undefined;
  const { headSha, baseName, isOpen } = newest.state;
  const { pullRequest } = target;
  const isOther = newest.kind === 'superseded' || baseName !== known.baseName;
  if (!isOther && (isOpen || mayClose)) return undefined;
  // The delivery adds nothing new to a closed pull request.
  if (!isOpen) watch.target = { ...target, pullRequest: { ...pullRequest, state: 'closed' } };
  if (!isOpen && !mayClose) return closed(pullRequest.number);
  return newest.kind === 'superseded' ? supersededByHead(headSha) : supersededByBase(baseName);
}

/**
 * The greatest age of a read that counts for exit 0 and for the comment. If the read is older, the run of a newer push
 * may already have delivered its result.
 *
 * Our choice. GitHub needs a few seconds after a push to start a run for it.
 */
export const LOOK_SERVES_MS = 5_000;

/** Starts the last read of the pull request, while the run reads the findings. */
export function beginLastRead(watch: Watch): void {
  watch.begun = { at: watch.clock.now(), read: readNow(watch, watch.deadlines.work) };
}

/** Returns the answer of the read that was begun, if it is recent enough. Otherwise reads the pull request. */
async function readLast(watch: Watch, signal: AbortSignal): Promise<Read> {
  const { begun } = watch;
  watch.begun = undefined;
  const early = begun && isRecent(watch, begun.at) ? await begun.read : undefined;
  const isStopped = early?.answer.ok === false && early.answer.error.kind === 'stopped';
  return early === undefined || isStopped ? readNow(watch, signal) : early;
}

function isRecent({ clock }: Watch, at: number): boolean {
  return clock.now() - at <= LOOK_SERVES_MS;
}

/** How long the run may read the pull request after the step has timed out. The report needs the remaining time. */
const CONFIRM_AFTER_STOP_MS = 15_000;

/**
 * Confirms before exit 0 that the pull request still has the head and the base branch that were scanned. Returns
 * undefined if it has.
 *
 * Reads the pull request. If GitHub does not answer, the known state can count instead. This state must be less than 15
 * minutes old. Otherwise, a re-run could repeat a success that GitHub no longer confirms. Before this state counts, the
 * function reads the pull request once more.
 */
export async function confirm(watch: Watch): Promise<NotScanned | undefined> {
  const { clock, deadlines, first } = watch;
  const { work, wrapUp, signalled } = deadlines;
  let limit: Deadline | undefined;
  const read = () => {
    if (work.aborted) limit ??= clock.timeout(CONFIRM_AFTER_STOP_MS);
    // After the process has received a signal, nothing is read.
    return readAgain(watch, limit ? AbortSignal.any([wrapUp, signalled, limit.signal]) : work);
  };
  let last = await read();
  // The comment may ask later too, but too late for the verdict.
  if (last.kind === 'known-serves' && last.error !== undefined) last = await read();
  limit?.clear();
  if (signalled.aborted) return explainStop('signal', 'it could confirm the result');
  // If the event stands in for the first read, the pull request may have been closed before the run began.
  const failure = findChange(watch, first !== undefined);
  if (failure === undefined && last.kind === 'unreadable') return pullRequestUnreadable(last.error);
  if (failure === undefined && last.kind === 'contradictory') return baseBranchNotShown(last.baseName);
  const { newest } = watch;
  watch.last = { answer: isShown(last) && newest ? ok(newest.state) : last.answer, at: last.at };
  if (failure === undefined && last.kind === 'known-serves')
    watch.warn(describeKnownServes(last.error, first === undefined ? 'the event' : 'its first read'));
  return failure;
}

/** Reads the pull request for the comment. Uses the last read, if it is recent enough. */
export async function readForComment(watch: Watch, signal: AbortSignal): Promise<PullRequestAnswer> {
  const { last } = watch;
  return last && isRecent(watch, last.at) ? last.answer : (await readLast(watch, signal)).answer;
}
