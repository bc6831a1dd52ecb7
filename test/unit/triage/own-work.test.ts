import { describe, expect, test } from 'vitest';
import type { PullRequestCommit, PullRequestPeople } from '../../../src/github/people.ts';
import { refusePerson } from '../../../src/triage/own-work.ts';

const ADA = { id: 1, login: 'ada', isBot: false };
const BOB = { id: 2, login: 'bob', isBot: false };
const WANDA = { id: 3, login: 'wanda', isBot: false };
const WEB_FLOW = { id: 9, login: 'web-flow', isBot: false };
const COPILOT = { id: 20, login: 'Copilot', isBot: true };

function commit(change: Partial<PullRequestCommit> = {}): PullRequestCommit {
  return {
    sha: 'c1',
    parents: ['base'],
    author: BOB,
    committer: BOB,
    coAuthors: [],
    verified: false,
    ...change,
  };
}

/** The people who worked on a pull request by Ada. */
function people(
  commits: readonly PullRequestCommit[],
  change: Partial<PullRequestPeople> = {},
): PullRequestPeople {
  return { headSha: 'head', author: ADA, assignees: [], commitCount: commits.length, commits, ...change };
}

const MERGE = commit({
  sha: 'm',
  parents: ['c1', 'tip'],
  author: WANDA,
  committer: WEB_FLOW,
  verified: true,
});
/** What the refusals for each cause say, and who can write the command instead. */
const SAYS: Readonly<Record<string, readonly [cause: RegExp, nextStep: RegExp]>> = {
  author: [/^You are the author of this pull request,/, /^Another user/],
  commit: [/^You are the author or the committer of commit `/, /^Another user/],
  asked: [/you are its assignee or a co-author/, /^Another user/],
  'no-account': [/^GitHub shows no account for an author/, /^No user can/],
  'many-commits': [/commits, and GitHub does not show all of them/, /^No user can/],
  'author-unknown': [/^The author of the pull request has no account/, /^No user can/],
  'asker-unknown': [/GitHub does not show which user asked/, /^Assign .* Another user/],
};
function whyOf(account: number | { readonly id: number; readonly login: string }, shown: PullRequestPeople) {
  const refusal = refusePerson(
    typeof account === 'number' ? { id: account, login: `user-${account}` } : account,
    shown,
  );
  if (refusal === undefined) return undefined;
  const { cause, nextStep } = refusal;
  return Object.keys(SAYS).find((why) => SAYS[why]?.[0].test(cause) && SAYS[why]?.[1].test(nextStep));
}

describe('refusePerson', () => {
  test('refusePerson allows an account that did not work on the pull request', () => {
    const edited = commit({ sha: 'c2', author: ADA, committer: WEB_FLOW });
    expect(whyOf(WANDA.id, people([commit(), edited]))).toBeUndefined();
  });

  test.each<[who: string, id: number, shown: PullRequestPeople, why: string]>([
    ['the author', ADA.id, people([commit()]), 'author'],
    ['the author of a commit', WANDA.id, people([commit(), commit({ author: WANDA })]), 'commit'],
    ['the committer of a commit', WANDA.id, people([commit({ committer: WANDA })]), 'commit'],
    [
      'the author of a commit if another commit has no known author',
      WANDA.id,
      people([commit({ author: undefined }), commit({ author: WANDA })]),
      'commit',
    ],
    [
      'any account if a commit has no known author',
      WANDA.id,
      people([commit({ author: undefined })]),
      'no-account',
    ],
    [
      'any account if a commit has no known committer',
      WANDA.id,
      people([commit({ committer: undefined })]),
      'no-account',
    ],
    [
      'any account if the author is not shown',
      WANDA.id,
      people([commit()], { author: undefined }),
      'author-unknown',
    ],
    [
      'any account if not all commits are listed',
      WANDA.id,
      people([commit()], { commitCount: 251 }),
      'many-commits',
    ],
    [
      'any account if the list has more commits than GitHub counts',
      WANDA.id,
      people([commit(), commit()], { commitCount: 1 }),
      'many-commits',
    ],
    ['any account if no commit is listed', WANDA.id, people([]), 'many-commits'],
  ])('refusePerson refuses %s', (_who, id, shown, why) => {
    expect(whyOf(id, shown)).toBe(why);
  });

  test('refusePerson compares accounts by id, not by login', () => {
    expect(whyOf(7, people([commit({ author: { ...BOB, login: 'wanda' } })]))).toBeUndefined();
  });

  test('refusePerson names the commit that has no known author', () => {
    const shown = people([commit(), commit({ sha: 'c2', author: undefined })]);
    expect(refusePerson(WANDA, shown)?.cause).toContain('commit `c2`');
  });
});

describe('refusePerson: a merge of the base branch by GitHub', () => {
  test('refusePerson allows the account that merged the base branch on GitHub', () => {
    expect(whyOf(WANDA.id, people([commit(), MERGE]))).toBeUndefined();
    expect(whyOf(WANDA.id, people([commit(), { ...MERGE, author: undefined }]))).toBeUndefined();
  });

  test.each<[what: string, merge: PullRequestCommit]>([
    ['whose signature is not checked', { ...MERGE, verified: false }],
    ['whose committer is the author', { ...MERGE, committer: WANDA }],
    ['whose committer has no account', { ...MERGE, committer: undefined }],
    ['of a branch whose commits are in the pull request', { ...MERGE, parents: ['base', 'c1'] }],
    ['that has three parents', { ...MERGE, parents: ['c1', 'tip', 'other'] }],
    ['that has only one parent', { ...MERGE, parents: ['c1'] }],
    ['that has no parent', { ...MERGE, parents: [] }],
  ])('refusePerson refuses the author of a merge %s', (_what, merge) => {
    expect(whyOf(WANDA.id, people([commit(), merge]))).toBe('commit');
  });
});

describe('refusePerson: a bot opened the pull request', () => {
  const ofBob = { id: BOB.id, login: BOB.login };
  const ofWanda = { id: WANDA.id, login: WANDA.login };
  const byBot = (change: Partial<PullRequestCommit> = {}) =>
    commit({ author: COPILOT, committer: WEB_FLOW, verified: true, coAuthors: [ofBob], ...change });
  const opened = (
    commits: readonly PullRequestCommit[],
    assignees: PullRequestPeople['assignees'] = [COPILOT],
    author = COPILOT,
  ) => people(commits, { author, assignees });

  test.each<[who: string, shown: PullRequestPeople]>([
    ['if a verified commit of the bot names the user who asked', opened([byBot()])],
    ['if the user who asked is an assignee', opened([byBot({ coAuthors: [] })], [COPILOT, BOB])],
    [
      'even if a commit of another user names the account as co-author',
      opened([byBot(), commit({ coAuthors: [ofWanda] })]),
    ],
    [
      'even if a commit names the account as co-author, if a user opened the pull request',
      opened([byBot({ coAuthors: [ofWanda] })], [WANDA], ADA),
    ],
  ])('refusePerson allows another account %s', (_when, shown) => {
    expect(refusePerson(WANDA, shown)).toBeUndefined();
  });

  test.each<[who: string, shown: PullRequestPeople, why: string]>([
    ['an assignee', opened([byBot()], [COPILOT, WANDA]), 'asked'],
    ['a co-author by id', opened([byBot({ coAuthors: [{ id: WANDA.id, login: 'old' }] })]), 'asked'],
    ['a co-author by login', opened([byBot({ coAuthors: [{ id: undefined, login: 'Wanda' }] })]), 'asked'],
    [
      'a co-author of an unverified commit of a bot',
      opened([byBot(), byBot({ verified: false, coAuthors: [ofWanda] })]),
      'asked',
    ],
    [
      'any account if the address of a co-author names no account',
      opened([byBot({ coAuthors: [ofBob, undefined] })], [BOB]),
      'no-account',
    ],
    ['any account if nothing shows who asked', opened([byBot({ coAuthors: [] })]), 'asker-unknown'],
    [
      'any account if only an unverified commit names who asked, because any user can write it',
      opened([byBot({ verified: false })]),
      'asker-unknown',
    ],
    [
      'any account if only a commit of a user has a co-author',
      opened([byBot({ coAuthors: [] }), commit({ verified: true, coAuthors: [ofBob] })]),
      'asker-unknown',
    ],
    [
      'any account if only bots are co-authors',
      opened([
        byBot({
          coAuthors: [
            { id: 175, login: 'Copilot' },
            { id: 49, login: 'dependabot[bot]' },
          ],
        }),
      ]),
      'asker-unknown',
    ],
  ])('refusePerson refuses %s', (_who, shown, why) => {
    expect(whyOf(WANDA, shown)).toBe(why);
  });
});
