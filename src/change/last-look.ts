import type { Clock } from '../clock.ts';
import type { GitHubClient } from '../github/octokit.ts';
import {
  type PullRequestState,
  type ReadPullRequest,
  readPullRequestState,
} from '../github/pull-request-state.ts';

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
