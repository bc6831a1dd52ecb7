import * as v from 'valibot';
import { readBranchRules } from './branch-rules.ts';
import type { GitHubClient } from './octokit.ts';

/**
 * How a merge queue merges. `ALLGREEN`: an entry merges if its own checks pass. `HEADGREEN`: the checks of the last
 * entry of a group let all entries ahead of it merge.
 */
export type Grouping = 'ALLGREEN' | 'HEADGREEN';

const QUERY = `query($owner: String!, $repo: String!, $branch: String!) {
  repository(owner: $owner, name: $repo) {
    mergeQueue(branch: $branch) { configuration { mergingStrategy } }
  }
}`;

const AllGreen = v.object({ grouping_strategy: v.literal('ALLGREEN') });
const QueueAnswer = v.object({
  data: v.object({
    repository: v.object({
      mergeQueue: v.object({
        configuration: v.object({ mergingStrategy: v.picklist(['ALLGREEN', 'HEADGREEN']) }),
      }),
    }),
  }),
});

/** By the branch's rules, else by its merge queue in GraphQL; undefined where neither says it. */
export async function readGrouping(
  github: GitHubClient,
  branch: string,
  signal: AbortSignal,
): Promise<Grouping | undefined> {
  const read = await readBranchRules(github, branch, signal);
  // A rule on a second page could be stricter.
  if (read.ok && read.value.complete) {
    const queues = read.value.rules.filter(({ type }) => type === 'merge_queue');
    if (queues.length > 0) {
      return queues.every(({ parameters }) => v.is(AllGreen, parameters)) ? 'ALLGREEN' : 'HEADGREEN';
    }
  }
  const queue = await github.ask({
    operation: 'read the merge queue of the base branch',
    permission: 'contents: read',
    route: `POST ${github.graphqlUrl}`,
    parameters: { query: QUERY, variables: { owner: github.owner, repo: github.repo, branch } },
    answer: QueueAnswer,
    repeatable: true,
    signal,
  });
  return queue.ok ? queue.value.data.data.repository.mergeQueue.configuration.mergingStrategy : undefined;
}
