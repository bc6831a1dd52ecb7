import type { Clock } from '../clock.ts';
import type { GitHubClient } from '../github/octokit.ts';
import { type ReadPullRequest, readPullRequestState } from '../github/pull-request-state.ts';

/**
 * The greatest age of a read that counts for exit 0 and for the comment. After that time, another run may have
 * delivered the result of a newer head.
 */
export const LOOK_SERVES_MS = 15_000;

/** The last read of the pull request. It starts while the findings are read, and is used when the verdict is known. */
export interface LastLook {
  /** Starts the request. */
  readonly begin: () => void;
  /**
   * Reads the pull request. The first call uses the answer to `begin` if it is at most `LOOK_SERVES_MS` old. Every
   * other call asks GitHub.
   */
  readonly read: ReadPullRequest;
}

/** @param signal cancels a read that has started; `read` then asks GitHub again */
export function createLastLook(
  {
    github,
    clock,
    signal,
  }: { readonly github: GitHubClient; readonly clock: Clock; readonly signal: AbortSignal },
  pullRequest: number,
): LastLook {
  let pending: { readonly at: number; readonly answer: ReturnType<ReadPullRequest> } | undefined;
  return {
    begin: () => {
      pending = { at: clock.now(), answer: readPullRequestState(github, pullRequest, signal) };
    },
    read: async (readSignal) => {
      const look = pending;
      pending = undefined;
      if (look !== undefined && clock.now() - look.at <= LOOK_SERVES_MS) {
        const answer = await look.answer;
        if (answer.ok || answer.error.kind !== 'stopped') return answer;
      }
      return readPullRequestState(github, pullRequest, readSignal);
    },
  };
}
