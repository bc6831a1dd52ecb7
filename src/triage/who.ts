import type { Account, PullRequestCommit, PullRequestPeople } from '../github/pull-request-people.ts';

/** Why a user with write access may not change the findings of this pull request. */
export type NotAllowed =
  | { readonly why: 'author' }
  | { readonly why: 'commit'; readonly sha: string }
  /** GitHub knows no account for the author or the committer of this commit. */
  | { readonly why: 'no-account'; readonly sha: string }
  /** GitHub did not list all commits of the pull request. */
  | { readonly why: 'many-commits'; readonly count: number }
  | { readonly why: 'author-unknown' };

/** GitHub's own account. GitHub names it as the committer of changes that users make on its website. */
const WEB_FLOW = 'web-flow';

/**
 * Refuses an account that worked on the pull request or may have worked on it, because users must not decide about
 * their own work. Cannot detect a false author of a commit. Pure.
 */
export function refusePerson(accountId: number, people: PullRequestPeople): NotAllowed | undefined {
  const { author, commits, commitCount } = people;
  if (author === undefined) return { why: 'author-unknown' };
  if (author.id === accountId) return { why: 'author' };
  if (commits.length === 0 || commits.length !== commitCount)
    return { why: 'many-commits', count: commitCount };
  const own = new Set(commits.map(({ sha }) => sha));
  const made = commits.filter((commit) => !isMergeOfBase(commit, own));
  const unknown = made.find((commit) => commit.author === undefined || commit.committer === undefined);
  const mine = made.find((commit) => commit.author?.id === accountId || commit.committer?.id === accountId);
  if (mine !== undefined) return { why: 'commit', sha: mine.sha };
  return unknown === undefined ? undefined : { why: 'no-account', sha: unknown.sha };
}

/**
 * True for a merge of the base branch that GitHub made and signed, for example by "Update branch". Such a merge is not
 * the work of the user who requested it.
 * @param own the commits of the pull request, without the commits of the base branch
 */
function isMergeOfBase(
  { parents, committer, verified }: PullRequestCommit,
  own: ReadonlySet<string>,
): boolean {
  const [first, merged, other] = parents;
  if (first === undefined || merged === undefined || other !== undefined) return false;
  return verified && isWebFlow(committer) && !own.has(merged);
}

function isWebFlow(account: Account | undefined): boolean {
  return account?.login === WEB_FLOW;
}
