import type { NotScanned } from '../domain/not-scanned.ts';
import { ok } from '../domain/result.ts';
import type { ScanTarget, TargetBase, TargetPullRequest } from '../domain/target.ts';
import type { PullRequestState } from '../github/pull-request-state.ts';
import { asClosed, closed } from './closed-pull-request.ts';
import type { PullRequestRead } from './current-target.ts';
import { type Freshness, judgeAnswer, type KnownPullRequest } from './freshness.ts';
import { supersededByBase, supersededByHead } from './superseded.ts';

/** The target of a run for a pull request. */
export interface PullRequestTarget {
  readonly pullRequest: TargetPullRequest;
  readonly base: Extract<TargetBase, { readonly kind: 'branch' }>;
  readonly headSha: string;
}

/** Returns undefined if the event has no pull request. */
export function ofPullRequest({ pullRequest, base, headSha }: ScanTarget): PullRequestTarget | undefined {
  return pullRequest === undefined || base.kind !== 'branch' ? undefined : { pullRequest, base, headSha };
}

/**
 * Returns what the run knows about the pull request of its target.
 * @param read the read at the start of the run; undefined if the event was used instead
 */
export function knownOf(
  { pullRequest, base, headSha }: PullRequestTarget,
  read: PullRequestRead | undefined,
  firstAttempt: boolean,
): KnownPullRequest {
  const { updatedAt, previousHead, state } = pullRequest;
  return {
    headSha,
    baseName: base.name,
    isOpen: state !== 'closed',
    updatedAt,
    // After a read has shown this head, GitHub shows the previous head only if the author has pushed it again. Such an
    // answer is not out of date.
    previousHead: read === undefined ? previousHead : undefined,
    firstAttempt,
    asOf: read?.at ?? (firstAttempt ? updatedAt : undefined),
  };
}

/** The pull request as GitHub shows it. This state is not older than the known one. */
export type ShownPullRequest = Extract<Freshness, { readonly kind: 'current' | 'superseded' }>;

/** Judges the state that a read showed. Undefined if this state is older than the known one. Pure. */
export function findNewer(
  known: KnownPullRequest,
  state: PullRequestState,
  now: Date,
): ShownPullRequest | undefined {
  return asShown(judgeAnswer(known, ok(state), now).freshness);
}

/** Returns undefined if GitHub does not show the pull request, or shows an older state than the known one. */
export function asShown(freshness: Freshness): ShownPullRequest | undefined {
  return freshness.kind === 'superseded' || freshness.kind === 'current' ? freshness : undefined;
}

/**
 * Explains how the pull request has changed: it is closed, or has another head or base branch. Undefined if it has not
 * changed. Pure.
 *
 * A closed pull request is reported before a new head. A workflow can allow the reason `superseded`, but it must not
 * let a closed pull request pass.
 * @param mayClose true: a closed pull request is not reported
 */
export function findChange(
  { pullRequest, base }: PullRequestTarget,
  { kind, state }: ShownPullRequest,
  mayClose: boolean,
): NotScanned | undefined {
  if (!mayClose && !state.isOpen) return closed(pullRequest.number);
  if (kind === 'superseded') return supersededByHead(state.headSha);
  return state.baseName === base.name ? undefined : supersededByBase(state.baseName);
}

/** Why the run must not launch a scan of its target. */
export interface ChangedTarget {
  readonly failure: NotScanned;
  /** The target. Its pull request is marked as closed if GitHub shows that it is closed. */
  readonly target: ScanTarget;
}

/**
 * Explains why the run must not launch a scan: the pull request has a new head or base branch, or is closed. Undefined
 * if nothing has changed, or if `state` is older than the known state. Pure.
 * @param read the read at the start of the run; undefined if the event was used instead
 * @param state what a read after the start of the run shows
 */
export function findChangedTarget(
  target: ScanTarget,
  read: PullRequestRead | undefined,
  state: PullRequestState,
  { firstAttempt, now }: { readonly firstAttempt: boolean; readonly now: Date },
): ChangedTarget | undefined {
  const taken = ofPullRequest(target);
  const newer = taken && findNewer(knownOf(taken, read, firstAttempt), state, now);
  const failure = newer && findChange(taken, newer, false);
  return failure && { failure, target: state.isOpen ? target : asClosed(target) };
}
