import * as v from 'valibot';
import { ok, type Result } from '../domain/result.ts';
import type { CommentAuthor } from './comment-list.ts';
import type { GitHubError } from './errors.ts';
import { type GitHubClient, read, readPages } from './octokit.ts';
import { CommitId, Id, ShaOf } from './schemas.ts';

/** `permission` is a base role: GitHub answers `write` for the role `maintain`, and `read` for `triage`. */
const Permission = v.pipe(
  v.string(),
  v.transform((permission) => permission === 'admin' || permission === 'write'),
);
const MayWrite = v.object({ permission: Permission });
const MayWriteAs = v.object({ permission: Permission, user: v.nullish(v.object({ id: v.number() })) });

/**
 * Reads whether the account has write permission. Returns false after a 404. All other failures are errors.
 * @param operation a verb phrase that says whose permission is read
 */
export async function accountMayWrite(
  github: GitHubClient,
  login: string,
  operation: string,
): Promise<Result<boolean, GitHubError>> {
  const shown = await readPermission(github, login, operation, MayWrite);
  return shown.ok ? ok(shown.value?.permission === true) : shown;
}

/** Reads what an account may do. Undefined if GitHub does not know the account. */
async function readPermission<S extends v.GenericSchema>(
  github: GitHubClient,
  login: string,
  operation: string,
  answer: S,
) {
  // The login is empty if the account was deleted. An empty login in the route would lead to another endpoint.
  if (login === '') return ok(undefined);
  return read(github, {
    operation,
    permission: 'metadata: read',
    route: 'GET /repos/{owner}/{repo}/collaborators/{username}/permission',
    parameters: { username: login },
    answer,
    absent: ok(undefined),
  });
}

/**
 * Reads whether the user has write permission now. Also compares the id, because another account may have the login
 * now. Returns false after a 404. All other failures are errors.
 */
export async function userMayWrite(
  github: GitHubClient,
  { login, id }: Pick<CommentAuthor, 'login' | 'id'>,
): Promise<Result<boolean, GitHubError>> {
  const shown = await readPermission(github, login, "read the commenter's permission", MayWriteAs);
  return shown.ok ? ok(shown.value?.permission === true && shown.value.user?.id === id) : shown;
}

/** An account on GitHub. Its id stays the same if its login changes. */
export interface Account {
  readonly id: number;
  readonly login: string;
  readonly isBot: boolean;
}

/** An account that a `Co-authored-by` line names. Old addresses have no id. */
export interface CoAuthor {
  readonly id: number | undefined;
  readonly login: string;
}

/** A commit of a pull request, with the accounts that GitHub assigns to it. */
export interface PullRequestCommit {
  readonly sha: string;
  readonly parents: readonly string[];
  /** Undefined if GitHub knows no account with the email address of the author. */
  readonly author: Account | undefined;
  /** Undefined if GitHub knows no account with the email address of the committer. */
  readonly committer: Account | undefined;
  /**
   * One for each `Co-authored-by` line. Undefined if the address of the line names no account. The user who pushes the
   * commit writes these lines.
   */
  readonly coAuthors: readonly (CoAuthor | undefined)[];
  /** True if GitHub verified the signature. */
  readonly verified: boolean;
}

/** The people who worked on a pull request. */
export interface PullRequestPeople {
  readonly headSha: string;
  /** Undefined if the account was deleted. */
  readonly author: Account | undefined;
  readonly assignees: readonly Account[];
  /** The number of all commits, as GitHub counts them. `commits` can be shorter. */
  readonly commitCount: number;
  /** The oldest first. GitHub lists at most 250. */
  readonly commits: readonly PullRequestCommit[];
}

const permission = 'pull-requests: read';
const AccountShown = v.object({ id: Id, login: v.string(), type: v.nullish(v.string()) });
/** If GitHub knows no account, it sends null or an empty object. */
const MaybeAccount = v.pipe(
  v.nullish(v.union([AccountShown, v.strictObject({})])),
  v.transform((shown): Account | undefined =>
    shown != null && 'id' in shown
      ? { id: shown.id, login: shown.login, isBot: shown.type === 'Bot' }
      : undefined,
  ),
);
const PullRequest = v.pipe(
  v.object({
    user: MaybeAccount,
    assignees: v.nullish(v.array(MaybeAccount), []),
    head: v.object({ sha: CommitId }),
    commits: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  }),
  v.transform(({ user: author, assignees, head, commits: commitCount }) => {
    const shown = (assignees ?? []).filter((one) => one !== undefined);
    return { headSha: head.sha, author, assignees: shown, commitCount };
  }),
);
const Commits = v.array(
  v.pipe(
    v.object({
      sha: CommitId,
      author: MaybeAccount,
      committer: MaybeAccount,
      parents: v.array(ShaOf),
      commit: v.object({
        message: v.nullish(v.string(), ''),
        verification: v.nullish(v.object({ verified: v.boolean() })),
      }),
    }),
    v.transform(({ sha, author, committer, parents, commit }): PullRequestCommit => {
      const verified = commit.verification?.verified === true;
      return { sha, parents, author, committer, coAuthors: coAuthorsOf(commit.message ?? ''), verified };
    }),
  ),
);

/** GitHub's documentation: "Lists a maximum of 250 commits for a pull request". */
const MOST_LISTED = 250;
const MOST_COMMITS = 300;

/**
 * Reads the author and the assignees of the pull request, and the people of its commits. Takes two to four requests.
 */
export async function readPullRequestPeople(
  github: GitHubClient,
  pullRequest: number,
): Promise<Result<PullRequestPeople, GitHubError>> {
  const operation = 'read whose work the pull request is';
  const parameters = { pull_number: pullRequest };
  const pull = await read(github, {
    operation,
    permission,
    route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}',
    parameters,
    answer: PullRequest,
  });
  if (!pull.ok) return pull;
  if (pull.value.commitCount > MOST_LISTED) return ok({ ...pull.value, commits: [] });
  const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}/commits';
  const about = { operation, permission, route, parameters, answer: Commits } as const;
  const commits = await readPages(github, about, MOST_COMMITS);
  return commits.ok ? ok({ ...pull.value, commits: commits.value }) : commits;
}

const CO_AUTHOR = /^co-authored-by:[^\n<]*<([^\n<>]*)>/gim;
/** The addresses that GitHub gives to its accounts. Only these say which account they belong to. */
const NOREPLY = /^(?:(\d{1,15})\+)?([^@+]+)@users\.noreply\./i;

function coAuthorsOf(message: string): (CoAuthor | undefined)[] {
  return Array.from(message.matchAll(CO_AUTHOR), ([, address = '']) => {
    const [, id, login] = NOREPLY.exec(address) ?? [];
    return login === undefined ? undefined : { id: id === undefined ? undefined : Number(id), login };
  });
}
