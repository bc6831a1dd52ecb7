import * as v from 'valibot';
import { err, ok, type Result } from '../domain/result.ts';
import { isCommitId } from '../domain/target.ts';
import type { GitHubError } from './github-error.ts';
import type { GitHubClient } from './octokit.ts';

/** As whom we write, and where the pull request's head is now. */
export interface CommentSituation {
  readonly author: string;
  readonly headSha: string;
}

/** The login under which the job's own token writes. */
const WORKFLOW_AUTHOR = 'github-actions[bot]';

const QUERY = `query($owner: String!, $repo: String!, $number: Int!) {
  viewer { login }
  repository(owner: $owner, name: $repo) { pullRequest(number: $number) { headRefOid } }
}`;

const CommitId = v.pipe(v.string(), v.check(isCommitId, 'not a full commit id'));
/** Each half may be missing: GraphQL answers what the token may see, beside its errors. */
const GraphqlAnswer = v.object({
  data: v.nullish(
    v.object({
      viewer: v.nullish(v.object({ login: v.string() })),
      repository: v.nullish(v.object({ pullRequest: v.nullish(v.object({ headRefOid: CommitId })) })),
    }),
  ),
});
const PullRequest = v.object({ head: v.object({ sha: CommitId }) });

/** One GraphQL request; what it does not answer is the workflow's own author, and the head by REST. */
export async function readCommentSituation(
  github: GitHubClient,
  pullRequest: number,
): Promise<Result<CommentSituation, GitHubError>> {
  const graphql = await github.ask({
    operation: 'read as whom the token writes',
    permission: 'pull-requests: write',
    route: `POST ${github.graphqlUrl}`,
    parameters: {
      query: QUERY,
      variables: { owner: github.owner, repo: github.repo, number: pullRequest },
    },
    answer: GraphqlAnswer,
    repeatable: true,
  });
  if (!graphql.ok && graphql.error.kind === 'stopped') return graphql;
  const known = graphql.ok ? graphql.value.data.data : undefined;
  const author = known?.viewer?.login ?? WORKFLOW_AUTHOR;
  const head = known?.repository?.pullRequest?.headRefOid;
  if (head !== undefined) return ok({ author, headSha: head });
  const rest = await github.ask({
    operation: 'read the pull request',
    permission: 'pull-requests: write',
    route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}',
    parameters: { pull_number: pullRequest },
    answer: PullRequest,
  });
  return rest.ok ? ok({ author, headSha: rest.value.data.head.sha }) : err(rest.error);
}
