import type { Account, PullRequestCommit, PullRequestPeople } from '../github/pull-request-people.ts';

/** Why a user with write access may not change the findings of this pull request. */
export type NotAllowed =
  | { readonly why: 'author' }
  | { readonly why: 'commit'; readonly sha: string }
  /** GitHub shows no account for the author or the committer of this commit. */
  | { readonly why: 'no-account'; readonly sha: string }
  /** It has more commits than GitHub lists, or GitHub did not list all of them. */
  | { readonly why: 'many-commits'; readonly count: number }
  | { readonly why: 'author-unknown' };

/** GitHub's own account: what people do in its web pages has it as the committer. */
const WEB_FLOW = 'web-flow';

/**
 * May this account change findings, by the rule that users do not decide about their own work? Each doubt is a no. Who lies
 * about the author of a commit is not found out. Pure.
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
 * A merge of the base branch that GitHub made and signed, for example by "Update branch": it is not the work of the
 * user who selected the button. What it merged is not among the commits of the pull request.
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
