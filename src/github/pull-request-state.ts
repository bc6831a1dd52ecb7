import * as v from 'valibot';
import { err, ok, type Result } from '../domain/result.ts';
import type { PostedComment } from './comment-marker.ts';
import { type GitHubError, messageLine, namesRateLimit } from './errors.ts';
import { type GitHubClient, read } from './octokit.ts';
import { CommitId, Timestamp, WebAddress } from './schemas.ts';

/** The newest commit of a branch. `gone` means that no branch has this name. */
export type BranchTip = { readonly kind: 'commit'; readonly sha: string } | { readonly kind: 'gone' };

/** Reads the newest commit of a branch. Uses the full name of the ref, because a tag can have the same short name. */
export function readBranchTip(
  github: GitHubClient,
  branch: string,
  signal: AbortSignal,
): Promise<Result<BranchTip, GitHubError>> {
  return read(github, {
    operation: 'read the base branch',
    permission: 'contents: read',
    route: 'GET /repos/{owner}/{repo}/git/ref/{ref}',
    parameters: { ref: `heads/${branch}` },
    answer: v.pipe(
      v.object({
        ref: v.literal(`refs/heads/${branch}`),
        object: v.object({ type: v.literal('commit'), sha: CommitId }),
      }),
      v.transform(({ object }) => ({ kind: 'commit' as const, sha: object.sha })),
    ),
    absent: ok({ kind: 'gone' as const }),
    signal,
  });
}

/** The external ids of all check runs on a commit. They are foreign text. */
export interface CommitChecks {
  readonly headSha: string;
  readonly externalIds: readonly string[];
}

/**
 * The fields of a GraphQL query for all check runs on the commit `$previous`. GitHub returns them only if
 * `$withPrevious` is true.
 */
const PREVIOUS_CHECKS = `previous: object(oid: $previous) @include(if: $withPrevious) {
      ... on Commit {
        oid
        checkSuites(first: 50) {
          pageInfo { hasNextPage }
          nodes {
            checkRuns(first: 100, filterBy: { checkType: ALL }) {
              pageInfo { hasNextPage }
              nodes { externalId }
            }
          }
        }
      }
    }`;

const PageInfo = v.object({ hasNextPage: v.boolean() });
const CheckRuns = v.object({
  pageInfo: PageInfo,
  nodes: v.array(v.object({ externalId: v.nullish(v.string(), '') })),
});
/** Rejects incomplete data, because a missing check run could have a mark. */
const PreviousChecks = v.object({
  oid: CommitId,
  checkSuites: v.object({ pageInfo: PageInfo, nodes: v.array(v.object({ checkRuns: CheckRuns })) }),
});

/** Returns the check runs, or undefined if the answer does not contain all of them. */
function allChecks({ oid, checkSuites }: v.InferOutput<typeof PreviousChecks>): CommitChecks | undefined {
  const runs = checkSuites.nodes.map(({ checkRuns }) => checkRuns);
  if ([checkSuites, ...runs].some(({ pageInfo }) => pageInfo.hasNextPage)) return undefined;
  return {
    headSha: oid,
    externalIds: runs.flatMap(({ nodes }) => nodes.map(({ externalId }) => externalId)),
  };
}

const AboutPrevious = v.object({ path: v.looseTuple([v.literal('repository'), v.literal('previous')]) });

/** Returns the errors that do not concern the check runs; undefined if there are none. */
function otherErrors(errors: unknown): unknown {
  if (!Array.isArray(errors)) return errors;
  const others = errors.filter((error) => !v.is(AboutPrevious, error));
  return others.length === 0 && errors.length > 0 ? undefined : others;
}

/** The fields of the first comments in a GraphQL query for a pull request. GitHub returns at most 100 nodes at once. */
function firstComments(first: number): string {
  return `comments(first: ${first}) {
        pageInfo { hasNextPage }
        nodes { fullDatabaseId url body author { __typename login } }
      }`;
}

/** A BigInt, which GitHub writes as a string. The Int field `databaseId` is too small for today's comment ids. */
const CommentId = v.pipe(v.string(), v.regex(/^[1-9]\d{0,15}$/), v.transform(Number), v.safeInteger());

/** Rejects incomplete data, because a missing comment could be ours. */
const CommentConnection = v.object({
  pageInfo: v.object({ hasNextPage: v.boolean() }),
  nodes: v.array(
    v.object({
      fullDatabaseId: CommentId,
      url: v.optional(WebAddress),
      body: v.string(),
      author: v.nullable(v.object({ __typename: v.string(), login: v.string() })),
    }),
  ),
});

/** Returns the comments, or undefined if the answer does not contain all of them. */
function allComments({
  pageInfo,
  nodes,
}: v.InferOutput<typeof CommentConnection>): readonly PostedComment[] | undefined {
  if (pageInfo.hasNextPage) return undefined;
  return nodes.map(({ fullDatabaseId: id, url, body, author }) => ({
    id,
    url,
    body,
    author: author === null ? undefined : asInRest(author.__typename, author.login),
  }));
}

/**
 * Converts an author to the form of REST. GraphQL shows only the bare name of an app, which can also be a person's
 * login. REST adds `[bot]`.
 */
function asInRest(type: string, login: string): PostedComment['author'] {
  return { type, login: type === 'Bot' && !login.endsWith('[bot]') ? `${login}[bot]` : login };
}

/** The current state of a pull request on GitHub. All strings are foreign text. */
export interface PullRequestState {
  /** The login of the account that our token belongs to. */
  readonly viewer: string;
  readonly isOpen: boolean;
  /** True if this answer shows that the repository is public. */
  readonly inPublic?: boolean;
  readonly updatedAt: Date;
  readonly headSha: string;
  /** The SHA of the head commit's tree; undefined if this answer does not show it. */
  readonly headTree: string | undefined;
  readonly baseName: string;
  /** Undefined if this answer does not show the tip. `readBranchTip` can read it. */
  readonly baseTip: BranchTip | undefined;
  /** All comments; undefined if this answer does not contain all of them. */
  readonly comments: readonly PostedComment[] | undefined;
  /**
   * The check runs of the previous head, if they were requested. Undefined if this answer does not contain all of them.
   */
  readonly previousChecks?: CommitChecks | undefined;
}

export type ReadPullRequest = (signal: AbortSignal) => Promise<Result<PullRequestState, GitHubError>>;

/** The login of the token that GitHub gives to each job. */
export const WORKFLOW_AUTHOR = 'github-actions[bot]';

function queryOf(comments: number): string {
  return `query($owner: String!, $repo: String!, $number: Int!, $previous: GitObjectID, $withPrevious: Boolean!) {
  viewer { login }
  repository(owner: $owner, name: $repo) {
    isPrivate
    visibility
    ${PREVIOUS_CHECKS}
    pullRequest(number: $number) {
      state
      updatedAt
      headRefOid
      baseRefName
      baseRef { target { oid } }
      commits(last: 1) { nodes { commit { oid tree { oid } } } }
      ${firstComments(comments)}
    }
  }
}`;
}

/** The visibility of a repository, in the names of GraphQL. An unknown form counts as not shown. */
const Visibility = v.object({
  isPrivate: v.fallback(v.optional(v.boolean()), undefined),
  visibility: v.fallback(v.optional(v.string()), undefined),
});

function visibilityOf({ isPrivate, visibility }: Partial<v.InferOutput<typeof Visibility>>) {
  const inPublic = visibility === undefined ? isPrivate === false : visibility.toLowerCase() === 'public';
  return inPublic ? { inPublic } : {};
}

const BranchName = v.pipe(v.string(), v.minLength(1));
const PullRequestNode = v.object({
  state: v.picklist(['OPEN', 'CLOSED', 'MERGED']),
  updatedAt: Timestamp,
  headRefOid: CommitId,
  baseRefName: BranchName,
  baseRef: v.nullable(v.object({ target: v.nullable(v.object({ oid: CommitId })) })),
  commits: v.fallback(
    v.optional(
      v.object({
        nodes: v.array(v.object({ commit: v.object({ oid: CommitId, tree: v.object({ oid: CommitId }) }) })),
      }),
    ),
    undefined,
  ),
  comments: v.fallback(v.optional(CommentConnection), undefined),
});
/**
 * `data` and `errors` may both be present. GraphQL returns the data that the token may see. For data that it withholds,
 * it returns errors.
 */
const GraphqlAnswer = v.object({
  data: v.nullish(
    v.object({
      viewer: v.nullish(v.object({ login: v.string() })),
      repository: v.nullish(
        v.object({
          ...Visibility.entries,
          pullRequest: v.nullish(PullRequestNode),
          previous: v.fallback(v.nullish(PreviousChecks), undefined),
        }),
      ),
    }),
  ),
  errors: v.optional(v.unknown()),
});
const Forbidden = v.object({
  type: v.literal('FORBIDDEN'),
  message: v.optional(
    v.pipe(
      v.string(),
      v.check((message) => !namesRateLimit(message)),
    ),
  ),
});
const PullRequest = v.pipe(
  v.object({
    state: v.picklist(['open', 'closed']),
    updated_at: Timestamp,
    head: v.object({ sha: CommitId }),
    base: v.object({
      ref: BranchName,
      repo: v.fallback(
        v.object({ private: v.optional(v.boolean()), visibility: v.optional(v.string()) }),
        {},
      ),
    }),
  }),
  v.transform(({ state, updated_at: updatedAt, head, base }): Shown => {
    return {
      isOpen: state === 'open',
      ...visibilityOf({ isPrivate: base.repo.private, visibility: base.repo.visibility }),
      updatedAt,
      headSha: head.sha,
      headTree: undefined,
      baseName: base.ref,
      // In REST, `base.sha` can be an old tip of the base branch.
      baseTip: undefined,
      comments: undefined,
    };
  }),
);

/**
 * Reads the pull request by one GraphQL request. If the answer does not show the pull request, reads it by REST. If the
 * answer does not show the login of our token, assumes the login of the workflow's token.
 *
 * GraphQL returns null for data that it withholds. So if the answer has errors, the comments are undefined. A missing
 * base branch is then not reported as deleted.
 * @param previousHead the full id of a commit; if it is set, the request also asks for the check runs of this commit
 */
export async function readPullRequestState(
  github: GitHubClient,
  pullRequest: number,
  signal: AbortSignal,
  previousHead?: string,
): Promise<Result<PullRequestState, GitHubError>> {
  const ask = (comments: number, previous: string | undefined) =>
    read(github, {
      operation: 'read the pull request',
      permission: 'pull-requests: read',
      route: `POST ${github.graphqlUrl}`,
      parameters: {
        query: queryOf(comments),
        variables: {
          owner: github.owner,
          repo: github.repo,
          number: pullRequest,
          previous: previous ?? null,
          withPrevious: previous !== undefined,
        },
      },
      answer: GraphqlAnswer,
      repeatable: true,
      signal,
    });
  const whole = await ask(100, previousHead);
  // Without the lists, the answer still shows the login. REST reads the lists in smaller pages.
  const graphql = !whole.ok && whole.error.kind === 'too-large' ? await ask(1, undefined) : whole;
  if (!graphql.ok && graphql.error.kind === 'stopped') return graphql;
  const { data, errors: allErrors } = graphql.ok ? graphql.value : {};
  const errors = otherErrors(allErrors);
  const viewer = data?.viewer?.login ?? WORKFLOW_AUTHOR;
  const shown = data?.repository?.pullRequest;
  const previous = data?.repository?.previous;
  if (shown != null) {
    return ok({
      viewer,
      ...visibilityOf(data?.repository ?? {}),
      ...stateOf(shown, errors === undefined),
      previousChecks: previous ? allChecks(previous) : undefined,
    });
  }
  const rest = await readByRest(github, pullRequest, signal);
  if (rest.ok) return ok({ viewer, ...rest.value });
  if (rest.error.kind === 'stopped' || rest.error.kind === 'forbidden') return rest;
  // REST answers 404 for a pull request that the token may not read. The refusal of GraphQL says why.
  const refusal = Array.isArray(errors) ? errors.find((error) => v.is(Forbidden, error)) : undefined;
  if (refusal === undefined) return rest;
  return err({ ...rest.error, kind: 'forbidden', message: messageLine(refusal.message ?? '') });
}

type Shown = Omit<PullRequestState, 'viewer'>;

function stateOf(shown: v.InferOutput<typeof PullRequestNode>, isWhole: boolean): Shown {
  const { state, updatedAt, headRefOid: headSha, baseRefName: baseName, baseRef, commits, comments } = shown;
  const newest = commits?.nodes.find(({ commit }) => commit.oid === headSha);
  return {
    isOpen: state === 'OPEN',
    updatedAt,
    headSha,
    headTree: newest?.commit.tree.oid,
    baseName,
    baseTip: tipOf(baseRef, isWhole),
    comments: isWhole && comments !== undefined ? allComments(comments) : undefined,
  };
}

function tipOf(
  baseRef: v.InferOutput<typeof PullRequestNode>['baseRef'],
  isWhole: boolean,
): BranchTip | undefined {
  if (baseRef === null) return isWhole ? { kind: 'gone' } : undefined;
  return baseRef.target === null ? undefined : { kind: 'commit', sha: baseRef.target.oid };
}

function readByRest(github: GitHubClient, pullRequest: number, signal: AbortSignal) {
  return read(github, {
    operation: 'read the pull request',
    permission: 'pull-requests: read',
    route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}',
    parameters: { pull_number: pullRequest },
    answer: PullRequest,
    signal,
  });
}
