import type { Account, CoAuthor, PullRequestCommit, PullRequestPeople } from '../github/people.ts';
import { decided, type Refusal } from './refusal.ts';

/** The account that gives a command. */
type Person = Pick<Account, 'id' | 'login'>;

/** GitHub's own account. GitHub names it as the committer of changes that users make on its website. */
const WEB_FLOW = 'web-flow';

/**
 * Refuses an account that worked on the pull request or may have worked on it, because users must not decide about
 * their own work. Cannot detect a false author of a commit. Pure.
 */
export function refusePerson(account: Person, people: PullRequestPeople): Refusal | undefined {
  const { author, commits, commitCount } = people;
  if (author === undefined) return AUTHOR_UNKNOWN;
  if (author.id === account.id) return IS_AUTHOR;
  if (commits.length === 0 || commits.length !== commitCount) return manyCommits(commitCount);
  const own = new Set(commits.map(({ sha }) => sha));
  const made = commits.filter((commit) => !isMergeOfBase(commit, own));
  const unknown = made.find((commit) => commit.author === undefined || commit.committer === undefined);
  const mine = made.find(
    ({ author, committer }) => author?.id === account.id || committer?.id === account.id,
  );
  if (mine !== undefined) return madeCommit(mine.sha);
  if (unknown !== undefined) return noAccount(unknown.sha);
  return author.isBot ? refuseAsker(account, people) : undefined;
}

/**
 * Refuses an account that may have asked the bot for the pull request: its assignees, and the co-authors of commits by
 * bots. A line that names an account only ever refuses more. It shows who asked only if GitHub verified the commit,
 * because any user who may push can write a commit in the name of a bot.
 */
function refuseAsker(
  account: Person,
  { author, assignees, commits }: PullRequestPeople,
): Refusal | undefined {
  const byBots = commits.filter((commit) => commit.author?.isBot === true);
  const named = byBots.flatMap(({ coAuthors }) => coAuthors);
  if ([...assignees, ...named].some((one) => one !== undefined && isSame(one, account))) return HAS_ASKED;
  // The address of such a co-author can belong to any user.
  const unknown = byBots.find(({ coAuthors }) => coAuthors.includes(undefined));
  if (unknown !== undefined) return noAccount(unknown.sha);
  const bots = [author, ...assignees, ...byBots.map((commit) => commit.author)].filter((one) => one?.isBot);
  const isBot = (one: CoAuthor) =>
    /\[bot\]$/i.test(one.login) || bots.some((bot) => bot !== undefined && isSame(one, bot));
  const proven = byBots.filter(({ verified }) => verified).flatMap(({ coAuthors }) => coAuthors);
  const isKnown = [...assignees, ...proven].some((one) => one !== undefined && !isBot(one));
  return isKnown ? undefined : ASKER_UNKNOWN;
}

/** Compares ids and logins. One of them is enough, because a false match only refuses. */
function isSame(one: CoAuthor, other: CoAuthor): boolean {
  return one.id === other.id || one.login.toLowerCase() === other.login.toLowerCase();
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
  return verified && committer?.login === WEB_FLOW && !own.has(merged);
}

const OTHER_USER =
  'Another user with write access can write the command. In a small team, a maintainer can set `who` to `writers`.';
/** The next step if the pull request is the reason for the refusal, so that every user would be refused. */
const NO_USER = 'No user can change its findings by comment, unless a maintainer sets `who` to `writers`.';

function ownWork(cause: string, nextStep = NO_USER): Refusal {
  return decided({ reason: 'own-work', cause, nextStep });
}

export const IS_AUTHOR = ownWork(
  'You are the author of this pull request, and its author may not change its findings.',
  OTHER_USER,
);

export function madeCommit(sha: string): Refusal {
  return ownWork(
    `You are the author or the committer of ${commitOf(sha)}, and the authors of a pull request may not change its findings.`,
    OTHER_USER,
  );
}

const HAS_ASKED = ownWork(
  'A bot opened this pull request, and you are its assignee or a co-author of its commits. The user who asked for a pull request may not change its findings.',
  OTHER_USER,
);

/** Refuses if GitHub knows no account for an author or the committer of this commit. */
export function noAccount(sha: string): Refusal {
  return ownWork(
    `GitHub shows no account for an author or the committer of ${commitOf(sha)}, so it is not known whose work it is.`,
  );
}

/** Refuses if GitHub did not list all commits of the pull request. */
export function manyCommits(count: number): Refusal {
  return ownWork(
    `GitHub does not show all commits of the pull request (${count}), so it is not known whose work it is.`,
  );
}

const AUTHOR_UNKNOWN = ownWork(
  'The author of the pull request has no account any more, so it is not known whose work it is.',
);

/** Refuses if a bot opened the pull request, and nothing shows who asked it to. */
const ASKER_UNKNOWN = ownWork(
  'A bot opened this pull request, and GitHub does not show which user asked for it.',
  `Assign the pull request to the user who asked for it. ${OTHER_USER}`,
);

function commitOf(sha: string): string {
  return `commit \`${sha.slice(0, 7)}\``;
}
