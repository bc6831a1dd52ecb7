import type { Clock } from '../clock.ts';
import { ok, type Result } from '../domain/result.ts';
import type { GitHubError } from '../github/errors.ts';
import type { GitHubAccess, GitHubClient } from '../github/octokit.ts';
import {
  type BranchTip,
  type PullRequestState,
  type ReadPullRequest,
  readBranchTip,
  readPullRequestState,
} from '../github/pull-request-state.ts';
import {
  contradictory,
  type Freshness,
  type JudgedAnswer,
  judgeAnswer,
  type KnownPullRequest,
  readPastLag,
} from './freshness.ts';

export interface PullRequestReaderDeps extends GitHubAccess {
  readonly clock: Clock;
  /** Reads the pull request. The default asks GitHub. */
  readonly read?: ReadPullRequest | undefined;
}

/** The last answer, and what it means. */
export interface JudgedRead extends JudgedAnswer {
  readonly answer: Awaited<ReturnType<ReadPullRequest>>;
}

/** Reads the pull request. While GitHub's answer may be out of date, reads up to three more times. */
export function readFreshPullRequest(
  deps: PullRequestReaderDeps,
  number: number,
  known: KnownPullRequest,
): Promise<JudgedRead> {
  return readPastLag(deps, () => readAndJudge(deps, number, known), mayLag);
}

/** The full id of the newest commit of the base branch, or the error of the read. Undefined if it is not needed. */
type Tip = Result<string, GitHubError> | undefined;

/**
 * Reads the pull request like `readFreshPullRequest`. If the pull request is open, also reads the tip of its base
 * branch.
 */
export async function readWithBaseTip(
  deps: PullRequestReaderDeps,
  number: number,
  known: KnownPullRequest,
): Promise<{ readonly freshness: Freshness; readonly tip: Tip }> {
  const found = await readPastLag(
    deps,
    async () => {
      const judged = await readAndJudge(deps, number, known);
      return judged.mayLag ? { ...judged, tip: undefined } : findTip(deps, known, judged);
    },
    mayLag,
  );
  return found.mayLag ? findTip(deps, known, found) : found;
}

async function readAndJudge(
  { github, clock, signal, read }: PullRequestReaderDeps,
  number: number,
  known: KnownPullRequest,
): Promise<JudgedRead> {
  const answer = await (read?.(signal) ?? readPullRequestState(github, number, signal, known.previousHead));
  return { ...judgeAnswer(known, answer, clock.date()), answer };
}

function mayLag(judged: JudgedAnswer): boolean {
  return judged.mayLag;
}

async function findTip(
  { github, signal }: PullRequestReaderDeps,
  known: KnownPullRequest,
  judged: JudgedAnswer,
): Promise<JudgedAnswer & { readonly tip: Tip }> {
  const branch = openBranch(judged.freshness, known);
  if (branch === undefined) return { ...judged, tip: undefined };
  const { name, shown } = branch;
  const tip = shown === undefined ? await readBranchTip(github, name, signal) : ok(shown);
  if (!tip.ok) return { ...judged, tip };
  if (tip.value.kind === 'gone') return { ...contradictory(name), tip: undefined };
  return { ...judged, tip: ok(tip.value.sha) };
}

/** Returns the base branch of an open pull request. `shown` is its tip, if GitHub shows it. */
function openBranch(
  freshness: Freshness,
  known: KnownPullRequest,
): { readonly name: string; readonly shown: BranchTip | undefined } | undefined {
  switch (freshness.kind) {
    case 'current': {
      const { isOpen, baseName: name, baseTip: shown } = freshness.state;
      return isOpen ? { name, shown } : undefined;
    }
    case 'known-serves':
      return known.isOpen ? { name: known.baseName, shown: undefined } : undefined;
    default:
      return undefined;
  }
}

/**
 * The greatest age of a read that counts for exit 0 and for the comment. If the read is older, the run of a newer push
 * may already have delivered its result.
 *
 * Our choice. GitHub needs a few seconds after a push to start a run for it.
 */
export const LOOK_SERVES_MS = 5_000;

/** The last read of the pull request. It starts while the findings are read, and is used when the verdict is known. */
export interface LastLook {
  /** Starts to read the pull request. */
  readonly begin: () => void;
  /**
   * Reads the pull request. The first call uses the answer to the request of `begin`, if that request started at most
   * `LOOK_SERVES_MS` ago. All further calls ask GitHub.
   */
  readonly read: ReadPullRequest;
  /** True if the answer that `read` returned last arrived at most `LOOK_SERVES_MS` ago. */
  readonly isFresh: () => boolean;
  /** Receives a state that this run has read elsewhere. */
  readonly saw: (state: PullRequestState) => void;
  /**
   * The newest state that `begin` has read or `saw` has received. It can be old, so callers use it only to find a
   * change of the pull request.
   */
  readonly seen: () => PullRequestState | undefined;
}

/** @param signal cancels the request that `begin` started; `read` then asks GitHub again */
export function createLastLook(
  {
    github,
    clock,
    signal,
  }: { readonly github: GitHubClient; readonly clock: Clock; readonly signal: AbortSignal },
  pullRequest: number,
): LastLook {
  let seen: PullRequestState | undefined;
  // An answer that lags behind must not replace a newer one.
  const saw = (state: PullRequestState) => {
    if (seen === undefined || state.updatedAt >= seen.updatedAt) seen = state;
  };
  let pending: { readonly at: number; readonly answered: ReturnType<typeof ask> } | undefined;
  let arrivedAt = Number.NEGATIVE_INFINITY;
  const isRecent = (at: number) => clock.now() - at <= LOOK_SERVES_MS;
  const ask = async (askSignal: AbortSignal) => {
    const answer = await readPullRequestState(github, pullRequest, askSignal);
    return { answer, at: clock.now() };
  };
  return {
    begin: () => {
      const answered = ask(signal);
      pending = { at: clock.now(), answered };
      void answered.then(({ answer }) => {
        if (answer.ok) saw(answer.value);
      });
    },
    read: async (readSignal) => {
      const look = pending;
      pending = undefined;
      let read = look !== undefined && isRecent(look.at) ? await look.answered : undefined;
      if (read === undefined || (!read.answer.ok && read.answer.error.kind === 'stopped'))
        read = await ask(readSignal);
      arrivedAt = read.at;
      return read.answer;
    },
    isFresh: () => isRecent(arrivedAt),
    saw,
    seen: () => seen,
  };
}
