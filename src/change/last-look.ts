import type { Clock } from '../clock.ts';
import type { GitHubClient } from '../github/octokit.ts';
import { type ReadPullRequest, readPullRequestState } from '../github/pull-request-state.ts';

/** How old a look may be for exit 0. */
export const CONFIRMS_FOR_MS = 15_000;
/**
 * Chosen: how old a look may be for the comment. After it wrote, the comment looks for later runs anyway, and within a
 * minute no run of a newer head has a result. So a blocked run mostly looks once.
 */
export const SHOWS_COMMENTS_FOR_MS = 60_000;

/** The last look at the pull request: it begins while the findings are read, and is used once the verdict is known. */
export interface LastLook {
  /** Asks GitHub. */
  readonly begin: () => void;
  /**
   * A function that reads the pull request. Its first call takes the answer to `begin`, if that is no older than
   * `maxAgeMs` milliseconds by then; every other call asks GitHub.
   */
  readonly reader: (maxAgeMs: number) => ReadPullRequest;
}

/** @param signal ends a look that has begun; what was ended so counts as not begun */
export function createLastLook(
  {
    github,
    clock,
    signal,
  }: { readonly github: GitHubClient; readonly clock: Clock; readonly signal: AbortSignal },
  pullRequest: number,
): LastLook {
  let begun: { readonly at: number; readonly answer: ReturnType<ReadPullRequest> } | undefined;
  return {
    begin: () => {
      begun = { at: clock.now(), answer: readPullRequestState(github, pullRequest, signal) };
    },
    reader: (maxAgeMs) => async (readSignal) => {
      const look = begun;
      begun = undefined;
      if (look !== undefined && clock.now() - look.at <= maxAgeMs) {
        const answer = await look.answer;
        if (answer.ok || answer.error.kind !== 'stopped') return answer;
      }
      return readPullRequestState(github, pullRequest, readSignal);
    },
  };
}
