import * as v from 'valibot';
import { err, ok, type Result } from '../domain/result.ts';
import { type BranchRule, type BranchRules, readBranchRules } from './branch-rules.ts';
import type { GitHubError } from './github-error.ts';
import type { GitHubClient } from './octokit.ts';

/**
 * How a merge queue merges. `ALLGREEN`: an entry merges if its own checks pass. `HEADGREEN`: if the checks of the last
 * entry of a group pass, all entries ahead of it merge too.
 */
export type Grouping = 'ALLGREEN' | 'HEADGREEN';

const operation = 'read the merge queue of the base branch';
const permission = 'contents: read';
const QUERY = `query($owner: String!, $repo: String!, $branch: String!) {
  repository(owner: $owner, name: $repo) {
    mergeQueue(branch: $branch) { configuration { mergingStrategy } }
  }
}`;

const AllGreen = v.object({ grouping_strategy: v.literal('ALLGREEN') });
const QueueAnswer = v.object({
  data: v.object({
    repository: v.object({
      mergeQueue: v.nullable(
        v.object({
          configuration: v.object({ mergingStrategy: v.picklist(['ALLGREEN', 'HEADGREEN']) }),
        }),
      ),
    }),
  }),
});

/** If GraphQL refuses a request, the answer has the status 200 and this body. */
const Refusal = v.object({
  errors: v.pipe(v.array(v.object({ type: v.literal('FORBIDDEN') })), v.minLength(1)),
});

/**
 * Reads how the merge queue of the branch groups entries. `none` means that the branch has no queue.
 *
 * Uses the rules of the branch if they show the queue. Otherwise uses GraphQL, which also shows the queue of classic
 * branch protection. Returns an error if GraphQL is needed but fails.
 */
export async function readMergeQueue(
  github: GitHubClient,
  branch: string,
  rules: Result<BranchRules, GitHubError>,
  signal: AbortSignal,
): Promise<Result<Grouping | 'none', GitHubError>> {
  // An incomplete list of rules does not count, because a later page could contain another rule for the queue.
  const grouping = rules.ok && rules.value.complete ? groupingOf(rules.value.rules) : undefined;
  if (grouping !== undefined) return ok(grouping);
  const queue = await github.ask({
    operation,
    permission,
    route: `POST ${github.graphqlUrl}`,
    parameters: { query: QUERY, variables: { owner: github.owner, repo: github.repo, branch } },
    answer: v.union([QueueAnswer, Refusal]),
    repeatable: true,
    signal,
  });
  if (!queue.ok) return queue;
  const { data } = queue.value;
  if ('data' in data) return ok(data.data.repository.mergeQueue?.configuration.mergingStrategy ?? 'none');
  return err({ kind: 'forbidden', operation, permission, status: 200, message: '', ambiguous: false });
}

/**
 * Reads how the merge queue groups entries. Uses the rules of the branch, otherwise GraphQL. Returns undefined if
 * neither shows it.
 */
export async function readGrouping(
  github: GitHubClient,
  branch: string,
  signal: AbortSignal,
): Promise<Grouping | undefined> {
  const queue = await readMergeQueue(github, branch, await readBranchRules(github, branch, signal), signal);
  return queue.ok && queue.value !== 'none' ? queue.value : undefined;
}

/**
 * Returns `ALLGREEN` if every merge queue rule requires it, otherwise `HEADGREEN`. Undefined if there is no such rule.
 */
function groupingOf(rules: readonly BranchRule[]): Grouping | undefined {
  const queues = rules.filter(({ type }) => type === 'merge_queue');
  if (queues.length === 0) return undefined;
  return queues.every(({ parameters }) => v.is(AllGreen, parameters)) ? 'ALLGREEN' : 'HEADGREEN';
}
