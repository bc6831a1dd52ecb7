import { describe, expect, test } from 'vitest';
import type { PullRequestCommit, PullRequestPeople } from '../../../src/github/people.ts';
import {
  afterChange,
  inNewComment,
  inSummary,
  type NotAllowed,
  notAllowed,
  refusePerson,
} from '../../../src/triage/change-refusal.ts';
import { CLOSED, unreadable } from '../../../src/triage/refusal.ts';
import { REFUSALS } from './triage-states.ts';

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

const DOWN = unreadable({
  kind: 'unreachable',
  operation: 'read the pull request',
  status: 503,
  message: '',
  permission: 'pull-requests: read',
  ambiguous: false,
});

test.each<[what: string, name: typeof inNewComment, says: RegExp]>([
  ['a refused command', inNewComment, /^Write the command in a new comment\. If it fails again, check /],
  [
    'a re-run that failed after findings were closed',
    (refusal) => afterChange(refusal, false),
    /^Comment `\/scangate recheck`\. If it fails again, check /,
  ],
  [
    'a re-run that failed after findings were reopened',
    (refusal) => afterChange(refusal, true),
    /^Write the command in a new comment\. If it fails again, check /,
  ],
  [
    'a reply that could not be written',
    inSummary,
    /^See the summary of this job, which has the answer\. If it fails again, check /,
  ],
])('the next step after %s is not "re-run this job"', (_what, name, says) => {
  expect(name(DOWN).nextStep).toMatch(says);
  expect(name(DOWN).cause).toBe(DOWN.cause);
});

test('inNewComment replaces "re-run this job" even if a sentence does not begin with it', () => {
  const refusal = { ...DOWN, nextStep: 'Update the secret, then re-run this job.' };
  expect(inNewComment(refusal).nextStep).toBe('Update the secret, then write the command in a new comment.');
});

test('inNewComment keeps a next step that does not say "re-run this job"', () => {
  for (const refusal of [...Object.values(REFUSALS), CLOSED]) expect(inNewComment(refusal)).toEqual(refusal);
});

test.each<[what: string, who: string, why: NotAllowed, says: RegExp]>([
  ['the author of the pull request', 'another user', { why: 'author' }, /^Another user/],
  ['the author of a commit', 'another user', { why: 'commit', sha: 'a'.repeat(40) }, /^Another user/],
  ['a commit without an account', 'no user', { why: 'no-account', sha: 'a'.repeat(40) }, /^No user can/],
  ['too many commits', 'no user', { why: 'many-commits', count: 251 }, /^No user can/],
  ['an unknown author', 'no user', { why: 'author-unknown' }, /^No user can/],
])('a refusal because of %s says that %s can write the command', (_what, _who, why, says) => {
  expect(notAllowed(why).nextStep).toMatch(says);
});
