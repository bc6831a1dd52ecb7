import * as v from 'valibot';
import { err, ok, type Result } from '../domain/result.ts';
import { type GitHubError, unusable } from './errors.ts';
import { type GitHubClient, read, readPages } from './octokit.ts';
import { CommitId, ShaOf } from './schemas.ts';

/** Why GitHub's comparison shows no merge base. */
export type CompareFault =
  /** GitHub did not answer. Git may still find the merge base. */
  | { readonly kind: 'unavailable'; readonly error: GitHubError }
  /** Our own signal ended the request. */
  | { readonly kind: 'stopped' }
  | { readonly kind: 'no-common-ancestor' }
  /** The repository does not have the base or the head. */
  | { readonly kind: 'unknown-commit'; readonly base: string };

/** A merge base. `tree` is undefined if the answer does not show it. */
export interface ComparedBase {
  readonly sha: string;
  readonly tree: string | undefined;
}

/** Two full commit ids. Branch names are not allowed, because a tag can have the same name. */
export interface Compared {
  readonly base: string;
  readonly head: string;
}

const Tree = v.fallback(v.optional(v.object({ tree: ShaOf })), undefined);
const MergeBaseAnswer = v.object({
  merge_base_commit: v.optional(v.object({ sha: CommitId, commit: Tree })),
});
const IsEmpty = v.pipe(
  v.object({ files: v.array(v.unknown()) }),
  v.transform(({ files }) => files.length === 0),
);
const operation = "read GitHub's comparison of base and head";
const permission = 'contents: read';
const COMPARE = 'GET /repos/{owner}/{repo}/compare/{basehead}';

/**
 * Reads the merge base of base and head from GitHub's comparison, usually in one request.
 *
 * Reads the second page of the comparison, because the first page contains up to 300 files with their patches. If the
 * second page shows no merge base, reads the first.
 */
export async function mergeBaseByCompare(
  github: GitHubClient,
  { base, head }: Compared,
): Promise<Result<ComparedBase, CompareFault>> {
  for (const page of [2, 1]) {
    const answer = await read(github, {
      operation,
      permission,
      route: COMPARE,
      parameters: { basehead: `${base}...${head}`, per_page: 1, page },
      answer: MergeBaseAnswer,
    });
    if (!answer.ok) return err(compareFault(answer.error, base));
    const mergeBase = answer.value.merge_base_commit;
    if (mergeBase !== undefined) return ok({ sha: mergeBase.sha, tree: mergeBase.commit?.tree });
  }
  const error = unusable({ operation, permission }, 'merge_base_commit is missing');
  return err({ kind: 'unavailable', error: { ...error, ambiguous: true } });
}

/** True if GitHub's comparison lists no file. An answer without a list of files is an error. */
export function comparisonIsEmpty(github: GitHubClient, base: string, head: string) {
  return read(github, {
    operation: 'read the files that changed',
    permission,
    route: COMPARE,
    parameters: { basehead: `${base}...${head}`, per_page: 1, page: 1 },
    answer: IsEmpty,
  });
}

function compareFault(error: GitHubError, base: string): CompareFault {
  if (error.kind === 'stopped') return { kind: 'stopped' };
  if (error.kind !== 'not-found') return { kind: 'unavailable', error };
  return /^no common ancestor/i.test(error.message)
    ? { kind: 'no-common-ancestor' }
    : { kind: 'unknown-commit', base };
}

export interface ListedCommit {
  readonly sha: string;
  readonly parents: readonly string[];
}

/** Our choice: one page of GitHub's comparison. */
const MOST_COMMITS = 100;

const Commits = v.object({
  total_commits: v.number(),
  commits: v.array(v.object({ sha: CommitId, parents: v.array(ShaOf) })),
});

/** Lists the commits that the head contains and the base does not. Returns undefined if there are more than 100. */
export async function listComparedCommits(
  github: GitHubClient,
  { base, head }: Compared,
): Promise<Result<readonly ListedCommit[] | undefined, GitHubError>> {
  const totals = new Set<number>();
  const noteTotal = v.transform(({ total_commits: total, commits }: v.InferOutput<typeof Commits>) => {
    totals.add(total);
    return commits;
  });
  const request = {
    operation: 'list the commits of the change',
    permission,
    route: COMPARE,
    parameters: { basehead: `${base}...${head}` },
    answer: v.pipe(Commits, noteTotal),
  } as const;
  const listed = await readPages(github, request, MOST_COMMITS);
  if (!listed.ok) return listed;
  return ok([...totals].every((total) => total === listed.value.length) ? listed.value : undefined);
}

/**
 * Reads the id of a commit's tree. Two commits with the same tree have the same files, byte for byte. An answer about
 * another commit is an error.
 */
export function readCommitTree(github: GitHubClient, sha: string) {
  return read(github, {
    operation: 'read a commit',
    permission,
    route: 'GET /repos/{owner}/{repo}/git/commits/{commit_sha}',
    parameters: { commit_sha: sha },
    answer: v.pipe(
      v.object({ sha: v.literal(sha), tree: ShaOf }),
      v.transform(({ tree }) => tree),
    ),
  });
}

const PullRequests = v.array(
  v.object({
    head: ShaOf,
    /** The commit of the merge. For an open pull request, this is GitHub's test merge. */
    merge_commit_sha: v.nullish(v.string()),
  }),
);

/**
 * Reads the head SHAs of the pull requests that contain a commit. A pull request that was merged by this
 * commit comes first.
 */
export async function readHeadsMergedBy(
  github: GitHubClient,
  sha: string,
): Promise<Result<readonly string[], GitHubError>> {
  const answer = await read(github, {
    operation: 'read the pull requests of a commit',
    permission: 'pull-requests: read',
    route: 'GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls',
    parameters: { commit_sha: sha, per_page: 10 },
    answer: PullRequests,
  });
  if (!answer.ok) return answer;
  const rank = (merge: string | null | undefined) => (merge === sha ? 0 : 1);
  const sorted = answer.value.toSorted((a, b) => rank(a.merge_commit_sha) - rank(b.merge_commit_sha));
  return ok([...new Set(sorted.map(({ head }) => head))]);
}
