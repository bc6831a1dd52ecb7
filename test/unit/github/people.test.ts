import { test } from 'vitest';
import { mergeBaseByCompare } from '../../../src/github/compare.ts';
import type { GitHubClient } from '../../../src/github/octokit.ts';
import { accountMayWrite, readPullRequestPeople, userMayWrite } from '../../../src/github/people.ts';
import type { Reply } from '../../support/answering.ts';
import { SHA } from './client.ts';
import { expectConversations } from './conversation.ts';
import { NEXT } from './readers/row.ts';

const COMMIT = { sha: SHA.head, author: null, committer: null, parents: [], commit: {} };
const PULL: Reply = [200, { user: null, head: { sha: SHA.head }, commits: 250 }];
const commits = (count: number, isLast = false): Reply => [
  200,
  Array.from({ length: count }, () => COMMIT),
  isLast ? {} : NEXT,
];
const people = (github: GitHubClient) => readPullRequestPeople(github, 7);

test('people without an account may not write, and the people of a pull request are read page by page', async () => {
  await expectConversations('people', [
    ['a deleted account', (github) => accountMayWrite(github, '', 'read it')],
    ['a user without a login', (github) => userMayWrite(github, { login: '', id: 5 })],
    ['every page of commits', people, PULL, commits(100), commits(100), commits(50, true)],
    ['more than three pages of commits', people, PULL, commits(100), commits(100), commits(100)],
    [
      'no shared history',
      (github) => mergeBaseByCompare(github, { base: SHA.other, head: SHA.head }),
      [404, { message: `No common ancestor between ${SHA.other} and ${SHA.head}.` }],
    ],
  ]);
});
