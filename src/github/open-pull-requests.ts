import * as v from 'valibot';
import { err, ok, type Result } from '../domain/result.ts';
import type { GitHubError } from './errors.ts';
import { type GitHubClient, read } from './octokit.ts';
import { CommitId, Id } from './schemas.ts';

export interface OpenPullRequest {
  readonly number: number;
  readonly headSha: string;
  /** True if the check failed on the head. Undefined if the answer does not show this. */
  readonly checkFailed: boolean | undefined;
}

export interface OpenPullRequests {
  /** The most recently updated first. */
  readonly pullRequests: readonly OpenPullRequest[];
  /** False if there are more pull requests than these. */
  readonly complete: boolean;
  /** Why the list is not complete, if a request failed. */
  readonly failure?: GitHubError;
}

const PER_PAGE = 50;
/** Our choice: six pages of 50 pull requests. */
const MOST_PAGES = 6;
/** Our choice: a request reads at most this many check suites of each head, and this many check runs of each suite. */
const MOST_CHECKS = 20;
const QUERY = `query($owner: String!, $repo: String!, $states: [PullRequestState!], $order: IssueOrder, $first: Int!, $after: String, $most: Int!, $suites: CheckSuiteFilter, $runs: CheckRunFilter) {
  repository(owner: $owner, name: $repo) {
    pullRequests(states: $states, orderBy: $order, first: $first, after: $after) {
      pageInfo { hasNextPage endCursor }
      nodes {
        number
        headRefOid
        commits(last: 1) {
          nodes {
            commit {
              oid
              checkSuites(first: $most, filterBy: $suites) {
                nodes { checkRuns(first: $most, filterBy: $runs) { nodes { conclusion } } }
              }
            }
          }
        }
      }
    }
  }
}`;

const operation = 'list the open pull requests';
const permission = 'pull-requests: read';
const CheckRuns = v.object({ nodes: v.array(v.object({ conclusion: v.nullish(v.string()) })) });
const Commits = v.object({
  nodes: v.array(
    v.object({
      commit: v.object({
        oid: CommitId,
        checkSuites: v.object({ nodes: v.array(v.object({ checkRuns: CheckRuns })) }),
      }),
    }),
  ),
});
const Node = v.object({
  number: Id,
  headRefOid: CommitId,
  commits: v.fallback(v.optional(Commits), undefined),
});
const GraphqlAnswer = v.object({
  data: v.object({
    repository: v.object({
      pullRequests: v.object({
        pageInfo: v.object({ hasNextPage: v.boolean(), endCursor: v.nullish(v.string()) }),
        nodes: v.array(Node),
      }),
    }),
  }),
});
const RestAnswer = v.array(v.object({ number: Id, head: v.object({ sha: CommitId }) }));

/**
 * Lists up to 300 open pull requests, 50 per GraphQL request.
 *
 * If the first request fails, lists by REST the 50 pull requests that were updated most recently. REST does not show
 * whether a check failed. If the second or a further request fails, returns the pull requests that were already read.
 */
export async function listOpenPullRequests(
  github: GitHubClient,
  checkName: string,
): Promise<Result<OpenPullRequests, GitHubError>> {
  const found: OpenPullRequest[] = [];
  let after: string | undefined;
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const answer = await read(github, {
      operation,
      permission,
      route: `POST ${github.graphqlUrl}`,
      parameters: { query: QUERY, variables: { ...variablesOf(github, checkName), after: after ?? null } },
      answer: GraphqlAnswer,
      repeatable: true,
    });
    if (!answer.ok) {
      if (answer.error.kind === 'stopped') return err(answer.error);
      if (page === 1) return listByRest(github);
      return ok({ pullRequests: found, complete: false, failure: answer.error });
    }
    const { pageInfo, nodes } = answer.value.data.repository.pullRequests;
    found.push(...nodes.map(openOf));
    if (!pageInfo.hasNextPage || pageInfo.endCursor == null) {
      return ok({ pullRequests: found, complete: !pageInfo.hasNextPage });
    }
    after = pageInfo.endCursor;
  }
  return ok({ pullRequests: found, complete: false });
}

function variablesOf({ owner, repo }: GitHubClient, checkName: string) {
  return {
    owner,
    repo,
    states: ['OPEN'],
    order: { field: 'UPDATED_AT', direction: 'DESC' },
    first: PER_PAGE,
    most: MOST_CHECKS,
    suites: { checkName },
    runs: { checkName, checkType: 'LATEST' },
  };
}

function openOf({ number, headRefOid: headSha, commits }: v.InferOutput<typeof Node>): OpenPullRequest {
  const suites = commits?.nodes.find(({ commit }) => commit.oid === headSha)?.commit.checkSuites.nodes;
  const runs = suites?.map(({ checkRuns }) => checkRuns.nodes);
  const failed = runs?.flat().some(({ conclusion }) => conclusion === 'FAILURE');
  const isCut = [runs, ...(runs ?? [])].some((list) => list !== undefined && list.length >= MOST_CHECKS);
  return { number, headSha, checkFailed: failed === false && isCut ? undefined : failed };
}

async function listByRest(github: GitHubClient): Promise<Result<OpenPullRequests, GitHubError>> {
  const answer = await github.ask({
    operation,
    permission,
    route: 'GET /repos/{owner}/{repo}/pulls',
    parameters: { state: 'open', sort: 'updated', direction: 'desc', per_page: PER_PAGE },
    answer: RestAnswer,
  });
  if (!answer.ok) return err(answer.error);
  const pullRequests = answer.value.data.map(({ number, head }) => {
    return { number, headSha: head.sha, checkFailed: undefined };
  });
  return ok({ pullRequests, complete: !answer.value.hasNextPage });
}
