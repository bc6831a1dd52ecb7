import type { Clock } from '../clock.ts';
import type { GitHubClient } from '../github/octokit.ts';
import { readPullRequestState } from '../github/pull-request-state.ts';
import { type Freshness, judgeAnswer, type KnownPullRequest } from './freshness.ts';

export interface PullRequestReaderDeps {
  readonly github: GitHubClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Chosen: GitHub's reads catch up with a push within seconds. */
const REREAD_AFTER_SECONDS = [2, 4, 8];

/** Reads the pull request, again while GitHub shows an older state than the one that is known. */
export async function readFreshPullRequest(
  { github, clock, signal }: PullRequestReaderDeps,
  number: number,
  known: KnownPullRequest,
): Promise<Exclude<Freshness, { readonly kind: 'read-again' }>> {
  const waits = REREAD_AFTER_SECONDS.values();
  for (;;) {
    const read = await readPullRequestState(github, number, signal);
    const wait = waits.next();
    const answer = judgeAnswer(known, read, { now: clock.date(), isLast: wait.done === true });
    if (answer.kind !== 'read-again') return answer;
    await clock.sleep((wait.value ?? 0) * 1000, signal);
  }
}
