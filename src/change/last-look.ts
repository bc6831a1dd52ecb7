import type { Clock } from '../clock.ts';
import type { GitHubClient } from '../github/octokit.ts';
import { type ReadPullRequest, readPullRequestState } from '../github/pull-request-state.ts';

/** How old a look may be for exit 0, and for the comment: a newer head may have a result by then. */
export const LOOK_SERVES_MS = 15_000;

/** The last look at the pull request: it begins while the findings are read, and is used once the verdict is known. */
export interface LastLook {
  /** Asks GitHub. */
  readonly begin: () => void;
  /**
   * Reads the pull request. The first call takes the answer to `begin`, if that is no older than `LOOK_SERVES_MS` by then.
   * Every other call asks GitHub.
   */
  readonly read: ReadPullRequest;
}

/** @param signal ends a look that has started; a look that was ended counts as not started */
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
