import { describe, expect, test } from 'vitest';
import type { PullRequestCommit, PullRequestPeople } from '../../../src/github/pull-request-people.ts';
import { refusePerson } from '../../../src/triage/who.ts';

const ADA = { id: 1, login: 'ada' };
const BOB = { id: 2, login: 'bob' };
const WANDA = { id: 3, login: 'wanda' };
const WEB_FLOW = { id: 9, login: 'web-flow' };

function commit(change: Partial<PullRequestCommit> = {}): PullRequestCommit {
  return { sha: 'c1', parents: ['base'], author: BOB, committer: BOB, verified: false, ...change };
}

/** The people who worked on a pull request by Ada. */
function people(
  commits: readonly PullRequestCommit[],
  change: Partial<PullRequestPeople> = {},
): PullRequestPeople {
  return { headSha: 'head', author: ADA, commitCount: commits.length, commits, ...change };
}

const MERGE = commit({
  sha: 'm',
  parents: ['c1', 'tip'],
  author: WANDA,
  committer: WEB_FLOW,
  verified: true,
});
const whyOf = (accountId: number, shown: PullRequestPeople) => refusePerson(accountId, shown)?.why;

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
    expect(whyOf(7, people([commit({ author: { id: 2, login: 'wanda' } })]))).toBeUndefined();
  });

  test('refusePerson names the commit that has no known author', () => {
    const shown = people([commit(), commit({ sha: 'c2', author: undefined })]);
    expect(refusePerson(WANDA.id, shown)).toEqual({ why: 'no-account', sha: 'c2' });
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
