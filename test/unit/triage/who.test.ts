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

/** The pull request of Ada. */
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

describe('the findings of a pull request', () => {
  test('may be changed by an account whose work it is not', () => {
    const edited = commit({ sha: 'c2', author: ADA, committer: WEB_FLOW });
    expect(whyOf(WANDA.id, people([commit(), edited]))).toBeUndefined();
  });

  test.each<[who: string, id: number, shown: PullRequestPeople, why: string]>([
    ['its author', ADA.id, people([commit()]), 'author'],
    ['the author of a commit', WANDA.id, people([commit(), commit({ author: WANDA })]), 'commit'],
    ['the committer of a commit', WANDA.id, people([commit({ committer: WANDA })]), 'commit'],
    [
      'the author of a commit, beside one without an account',
      WANDA.id,
      people([commit({ author: undefined }), commit({ author: WANDA })]),
      'commit',
    ],
    [
      'any account, where a commit has no known author',
      WANDA.id,
      people([commit({ author: undefined })]),
      'no-account',
    ],
    [
      'any account, where a commit has no known committer',
      WANDA.id,
      people([commit({ committer: undefined })]),
      'no-account',
    ],
    [
      'any account, where the author is not shown',
      WANDA.id,
      people([commit()], { author: undefined }),
      'author-unknown',
    ],
    [
      'any account, where not all commits are listed',
      WANDA.id,
      people([commit()], { commitCount: 251 }),
      'many-commits',
    ],
    [
      'any account, where more commits are listed than counted',
      WANDA.id,
      people([commit(), commit()], { commitCount: 1 }),
      'many-commits',
    ],
    ['any account, where no commit is listed', WANDA.id, people([]), 'many-commits'],
  ])('may not be changed by %s', (_who, id, shown, why) => {
    expect(whyOf(id, shown)).toBe(why);
  });

  test('belong to the id of an account, not to its login', () => {
    expect(whyOf(7, people([commit({ author: { id: 2, login: 'wanda' } })]))).toBeUndefined();
  });

  test('are refused with the name of the commit', () => {
    const shown = people([commit(), commit({ sha: 'c2', author: undefined })]);
    expect(refusePerson(WANDA.id, shown)).toEqual({ why: 'no-account', sha: 'c2' });
  });
});

describe('a merge of the base branch by GitHub', () => {
  test('makes no author of the account that asked for it', () => {
    expect(whyOf(WANDA.id, people([commit(), MERGE]))).toBeUndefined();
    expect(whyOf(WANDA.id, people([commit(), { ...MERGE, author: undefined }]))).toBeUndefined();
  });

  test.each<[what: string, merge: PullRequestCommit]>([
    ['whose signature is not checked', { ...MERGE, verified: false }],
    ['that the user committed', { ...MERGE, committer: WANDA }],
    ['whose committer has no account', { ...MERGE, committer: undefined }],
    ['of a branch whose commits are in the pull request', { ...MERGE, parents: ['base', 'c1'] }],
    ['of two branches', { ...MERGE, parents: ['c1', 'tip', 'other'] }],
    ['that is no merge, but an edit', { ...MERGE, parents: ['c1'] }],
    ['that has no parent', { ...MERGE, parents: [] }],
  ])('is not one %s', (_what, merge) => {
    expect(whyOf(WANDA.id, people([commit(), merge]))).toBe('commit');
  });
});
