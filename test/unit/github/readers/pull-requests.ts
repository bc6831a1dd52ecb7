import { listComments } from '../../../../src/github/comment-list.ts';
import { readHeadsMergedBy } from '../../../../src/github/compare.ts';
import { listOpenPullRequests } from '../../../../src/github/open-pull-requests.ts';
import { readPullRequestPeople } from '../../../../src/github/people.ts';
import { readPullRequestState } from '../../../../src/github/pull-request-state.ts';
import { SHA } from '../client.ts';
import { pullRequestByRest } from '../pull-request-answers.ts';
import { NEXT, type Row } from './row.ts';

/** GraphQL answers with an error, so the reader uses REST. */
const GRAPHQL_REFUSES = [[404, {}]] as const;

const stateByRest: Row = {
  reader: 'readPullRequestState by REST',
  read: (github) => readPullRequestState(github, 5),
  first: GRAPHQL_REFUSES,

  valid: [
    ['an open pull request, without head tree, base tip and comments', pullRequestByRest()],
    ['a closed pull request', pullRequestByRest({ state: 'closed' })],
  ],
  malformed: [
    ['a head without a full id', pullRequestByRest({ head: { sha: 'main' } })],
    ['no base branch', pullRequestByRest({ base: {} })],
    ['an empty base branch', pullRequestByRest({ base: { ref: '' } })],
    ['a number instead of a time', pullRequestByRest({ updated_at: 7 })],
    ['an impossible time', pullRequestByRest({ updated_at: '2026-13-45T99:99:99Z' })],
    ['an unknown state', pullRequestByRest({ state: 'draft' })],
  ],
};

const listed = { number: 9, head: { sha: SHA.head } };
const openByRest: Row = {
  reader: 'listOpenPullRequests by REST',
  read: (github) => listOpenPullRequests(github, 'Security scan'),
  first: GRAPHQL_REFUSES,

  valid: [
    ['the pull requests, without their checks', [listed]],
    ['that no pull request is open', []],
    ['that there are more pull requests than listed', [], NEXT],
  ],
  malformed: [
    ['no list', {}],
    ['a head without a full id', [{ ...listed, head: { sha: 'main' } }]],
    ['a pull request with the number 0', [{ ...listed, number: 0 }]],
  ],
};

const ADA = { id: 1, login: 'ada', isBot: false };
const BOB = { id: 2, login: 'bob', isBot: false };
const people = {
  read: (github) => readPullRequestPeople(github, 7),
} satisfies Partial<Row>;
/** GitHub lists at most 250 commits. If a pull request has more, the reader does not request the list. */
const MANY = 251;
const pullRequest = (changes: object = {}) => ({
  user: ADA,
  head: { sha: SHA.head },
  commits: MANY,
  ...changes,
});

const peopleOfPullRequest: Row = {
  ...people,
  reader: 'readPullRequestPeople (the pull request)',

  valid: [
    ['the author and the number of commits', pullRequest()],
    [
      'a bot as the author, and its assignees',
      pullRequest({
        user: { id: 3, login: 'Copilot', type: 'Bot' },
        assignees: [{ id: 3, login: 'Copilot', type: 'Bot' }, { ...ADA, type: 'User' }, null],
      }),
    ],
    ['null as an unknown author', pullRequest({ user: null })],
    ['an empty object as an unknown author', pullRequest({ user: {} })],
  ],
  malformed: [
    ['no number of commits', pullRequest({ commits: undefined })],
    ['a negative number of commits', pullRequest({ commits: -1 })],
    ['an author without an id', pullRequest({ user: { login: 'ada' } })],
    ['an author with the id 0', pullRequest({ user: { id: 0, login: 'ada' } })],
    ['a head without a full id', pullRequest({ head: { sha: 'main' } })],
    ['an assignee without an id', pullRequest({ assignees: [{ login: 'ada' }] })],
  ],
};

const commit = (changes: object = {}) => ({
  sha: SHA.head,
  author: ADA,
  committer: BOB,
  parents: [{ sha: SHA.base }],
  commit: { verification: { verified: true } },
  ...changes,
});

/** Only the first four lines name a co-author. GitHub's own addresses name an account. */
const MESSAGE = [
  'Fix',
  '',
  'Co-authored-by: Wanda <12+wanda@users.noreply.github.com>',
  'co-authored-by: Kim <kim@users.noreply.ghe.example>\r',
  'Co-Authored-By: Helper <49+helper[bot]@users.noreply.github.com>',
  'Co-authored-by: Uma <uma@corp.example>',
  ' Co-authored-by: Indented <1+x@users.noreply.github.com>',
  'Co-authored-by: No address',
  'Reviewed-by: Rex <13+rex@users.noreply.github.com>',
].join('\n');

const peopleOfCommits: Row = {
  ...people,
  reader: 'readPullRequestPeople (the commits)',
  first: [[200, pullRequest({ commits: 1 })]],

  valid: [
    ['the authors and committers of the commits', [commit()]],
    ['null as an unknown account', [commit({ author: null, committer: null })]],
    ['an empty object as an unknown account', [commit({ author: {}, committer: {} })]],
    [
      'the accounts of `Co-authored-by` lines',
      [commit({ commit: { message: MESSAGE, verification: { verified: true } } })],
    ],
    ['an unverified commit', [commit({ commit: { verification: { verified: false } } })]],
    ['a commit without verification as unverified', [commit({ commit: {} })]],
    ['null instead of verification as unverified', [commit({ commit: { verification: null } })]],
  ],
  malformed: [
    ['no list', {}],
    ['a commit without a full id', [commit({ sha: 'HEAD' })]],
    ['an author without an id', [commit({ author: { login: 'ada' } })]],
    ['a committer without an id', [commit({ committer: { login: 'bob' } })]],
    ['a parent without a full id', [commit({ parents: [{ sha: 'HEAD~1' }] })]],
  ],
};

const head = (sha: string, merge_commit_sha?: string | null) => ({ head: { sha }, merge_commit_sha });
const mergedHeads: Row = {
  reader: 'readHeadsMergedBy',
  read: (github) => readHeadsMergedBy(github, SHA.base),

  valid: [
    ['that no pull request has the commit', []],
    [
      'each head once, beginning with the head that the commit merged',
      [head(SHA.other), head(SHA.other, null), head(SHA.head, SHA.base)],
    ],
  ],
  malformed: [
    ['no list', {}],
    ['a head without a full id', [head('main')]],
    ['a merge commit that is no text', [{ head: { sha: SHA.head }, merge_commit_sha: 7 }]],
  ],
};

const comments = {
  read: (github) => listComments(github, 5),
} satisfies Partial<Row>;
const URL_OF_COMMENT = 'https://github.com/acme/shop/pull/5#issuecomment-7';
const COMMENT = { id: 7, html_url: URL_OF_COMMENT, body: 'Hi', user: { login: 'dana', type: 'User' } };
const MALFORMED_COMMENTS = [
  ['no list', {}],
  ['a comment without an id', [{ ...COMMENT, id: '7' }]],
  ['a body that is no text', [{ ...COMMENT, body: 7 }]],
  ['an author without a login', [{ ...COMMENT, user: { type: 'User' } }]],
] as const;

const commentsOnFirstPage: Row = {
  ...comments,
  reader: 'listComments (the first page)',

  valid: [
    ['that there are no comments', []],
    ['a comment with its author', [COMMENT]],
    [
      'a comment of a deleted account, without address and text',
      [{ id: 7, html_url: 'javascript:x', body: null, user: null }],
    ],
  ],
  malformed: MALFORMED_COMMENTS,
};

const commentsOnSecondPage: Row = {
  ...comments,
  reader: 'listComments (the second page)',
  first: [[200, [{ ...COMMENT, id: 6 }], NEXT]],

  valid: [['the comments of both pages', [COMMENT]]],
  malformed: MALFORMED_COMMENTS,
};

export const PULL_REQUEST_READERS: readonly Row[] = [
  stateByRest,
  openByRest,
  peopleOfPullRequest,
  peopleOfCommits,
  mergedHeads,
  commentsOnFirstPage,
  commentsOnSecondPage,
];
