import type { Clock } from '../clock.ts';
import type { GitHubClient } from '../github/octokit.ts';
import { readPullRequestState } from '../github/pull-request-state.ts';
import { type Freshness, judgeAnswer, type KnownPullRequest } from './freshness.ts';
import { readPastLag } from './read-lag.ts';

export interface PullRequestReaderDeps {
  readonly github: GitHubClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Reads the pull request, again while GitHub shows an older state than the one that is known. */
export async function readFreshPullRequest(
  deps: PullRequestReaderDeps,
  number: number,
  known: KnownPullRequest,
): Promise<Freshness> {
  const { github, clock, signal } = deps;
  const judged = await readPastLag(
    deps,
    async () => judgeAnswer(known, await readPullRequestState(github, number, signal), clock.date()),
    ({ mayLag }) => mayLag,
  );
  return judged.freshness;
}
