import * as v from 'valibot';
import { err, ok, type Result } from '../domain/result.ts';
import { isCommitId } from '../domain/target.ts';
import { allComments, CommentConnection, FIRST_COMMENTS } from './comment-connection.ts';
import type { GitHubError } from './github-error.ts';
import type { GitHubClient } from './octokit.ts';
import type { PostedComment } from './own-comment.ts';

/** As whom we write, where the pull request's head is now, and what is written on it. */
export interface CommentSituation {
  readonly author: string;
  readonly headSha: string;
  /** Every comment; undefined where not all of them are known to be here. */
  readonly comments: readonly PostedComment[] | undefined;
}

/** The login under which the job's own token writes. */
const WORKFLOW_AUTHOR = 'github-actions[bot]';

const QUERY = `query($owner: String!, $repo: String!, $number: Int!) {
  viewer { login }
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) {
      headRefOid
      ${FIRST_COMMENTS}
    }
  }
}`;

const CommitId = v.pipe(v.string(), v.check(isCommitId, 'not a full commit id'));
const PullRequestNode = v.object({
  headRefOid: CommitId,
  comments: v.fallback(v.optional(CommentConnection), undefined),
});
/** Each half may be missing: GraphQL answers what the token may see, beside its errors. */
const GraphqlAnswer = v.object({
  data: v.nullish(
    v.object({
      viewer: v.nullish(v.object({ login: v.string() })),
      repository: v.nullish(v.object({ pullRequest: v.nullish(PullRequestNode) })),
    }),
  ),
  errors: v.optional(v.unknown()),
});
const PullRequest = v.object({ head: v.object({ sha: CommitId }) });

/**
 * One GraphQL request; what it does not answer is the workflow's own author, and the head by REST. Beside an error no
 * comments are given, since what it withholds reads like what is not there.
 */
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
  const { data, errors } = graphql.ok ? graphql.value.data : {};
  const author = data?.viewer?.login ?? WORKFLOW_AUTHOR;
  const shown = data?.repository?.pullRequest;
  const comments =
    shown?.comments !== undefined && errors === undefined ? allComments(shown.comments) : undefined;
  if (shown != null) return ok({ author, headSha: shown.headRefOid, comments });
  const rest = await github.ask({
    operation: 'read the pull request',
    permission: 'pull-requests: write',
    route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}',
    parameters: { pull_number: pullRequest },
    answer: PullRequest,
  });
  return rest.ok ? ok({ author, headSha: rest.value.data.head.sha, comments }) : err(rest.error);
}
