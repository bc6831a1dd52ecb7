import { test } from 'vitest';
import type { PullRequestCommit, PullRequestPeople } from '../../../src/github/people.ts';
import { refusePerson } from '../../../src/triage/own-work.ts';
import { casesOf, expectTable } from '../../support/golden-table.ts';

const ADA = { id: 1, login: 'ada', isBot: false };
const BOB = { id: 2, login: 'bob', isBot: false };
const WANDA = { id: 3, login: 'wanda', isBot: false };
const WEB_FLOW = { id: 9, login: 'web-flow', isBot: false };
const COPILOT = { id: 20, login: 'Copilot', isBot: true };
const OF_BOB = { id: BOB.id, login: BOB.login };
const OF_WANDA = { id: WANDA.id, login: WANDA.login };

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
const MERGE = commit({
  sha: 'm',
  parents: ['c1', 'tip'],
  author: WANDA,
  committer: WEB_FLOW,
  verified: true,
});
/** A verified commit of a bot that Bob asked for. */
const byBot = (change: Partial<PullRequestCommit> = {}) =>
  commit({ author: COPILOT, committer: WEB_FLOW, verified: true, coAuthors: [OF_BOB], ...change });

/** The people of a pull request by Ada with one commit by Bob. The given members replace the defaults. */
type Given = Partial<PullRequestPeople> & { readonly account?: Pick<typeof WANDA, 'id' | 'login'> };
/** What Wanda, or another account, is answered. */
const answerTo = ({ account = WANDA, commits = [commit()], ...shown }: Given) => {
  const people = {
    headSha: 'head',
    author: ADA,
    assignees: [],
    commitCount: commits.length,
    commits,
    ...shown,
  };
  const refusal = refusePerson(account, people);
  return refusal === undefined ? 'allowed' : `${refusal.cause} ${refusal.nextStep}`;
};
const merged = (change: Partial<PullRequestCommit>): Given => ({
  commits: [commit(), { ...MERGE, ...change }],
});
const opened = (change: Partial<PullRequestCommit>, assignees = [COPILOT]): Given => ({
  author: COPILOT,
  assignees,
  commits: [byBot(change)],
});

test('refusePerson answers as own-work.txt shows', async () => {
  await expectTable('own-work', {
    'a pull request of a user': casesOf(answerTo, {
      'an account that did not work on it': {
        commits: [commit(), commit({ sha: 'c2', author: ADA, committer: WEB_FLOW })],
      },
      'an account with the login, but not the id, of an author': {
        commits: [commit({ author: { ...BOB, login: 'wanda' } })],
      },
      'the author': { author: WANDA },
      'the author of a commit': { commits: [commit(), commit({ author: WANDA })] },
      'the committer of a commit': { commits: [commit({ committer: WANDA })] },
      'the author of a commit beside one without a known author': {
        commits: [commit({ author: undefined }), commit({ sha: 'c2', author: WANDA })],
      },
      'any account, if a commit has no known author': {
        commits: [commit(), commit({ sha: 'c2', author: undefined })],
      },
      'any account, if a commit has no known committer': { commits: [commit({ committer: undefined })] },
      'any account, if the author is not shown': { author: undefined },
      'any account, if not all commits are listed': { commitCount: 251 },
      'any account, if more commits are listed than GitHub counts': {
        commits: [commit(), commit()],
        commitCount: 1,
      },
      'any account, if no commit is listed': { commits: [] },
      'a co-author of a commit of a bot': { assignees: [WANDA], commits: [byBot({ coAuthors: [OF_WANDA] })] },
    }),
    'a merge of the base branch by GitHub': casesOf(answerTo, {
      'the account that merged': merged({}),
      'any account, if the merge has no known author': merged({ author: undefined }),
      'without a checked signature': merged({ verified: false }),
      'with the author as committer': merged({ committer: WANDA }),
      'without an account of the committer': merged({ committer: undefined }),
      'of a branch whose commits are in the pull request': merged({ parents: ['base', 'c1'] }),
      'with three parents': merged({ parents: ['c1', 'tip', 'other'] }),
      'with one parent': merged({ parents: ['c1'] }),
      'without a parent': merged({ parents: [] }),
    }),
    'a pull request of a bot': casesOf(answerTo, {
      'another account, if a verified commit of the bot names the user who asked': opened({}),
      'another account, if the user who asked is an assignee': opened({ coAuthors: [] }, [COPILOT, BOB]),
      'a co-author of a commit of a user': {
        ...opened({}),
        commits: [byBot(), commit({ coAuthors: [OF_WANDA] })],
      },
      'an assignee': opened({}, [COPILOT, WANDA]),
      'a co-author by id': opened({ coAuthors: [{ id: WANDA.id, login: 'old' }] }),
      'a co-author by login': opened({ coAuthors: [{ id: undefined, login: 'Wanda' }] }),
      'a co-author of an unverified commit of the bot': {
        ...opened({}),
        commits: [byBot(), byBot({ verified: false, coAuthors: [OF_WANDA] })],
      },
      'any account, if the address of a co-author names no account': opened(
        { coAuthors: [OF_BOB, undefined] },
        [BOB],
      ),
      'any account, if nothing shows who asked': opened({ coAuthors: [] }),
      'any account, if only an unverified commit names who asked': opened({ verified: false }),
      'any account, if only a commit of a user has a co-author': {
        ...opened({}),
        commits: [byBot({ coAuthors: [] }), commit({ verified: true, coAuthors: [OF_BOB] })],
      },
      'any account, if only bots are co-authors': opened({
        coAuthors: [
          { id: 175, login: 'Copilot' },
          { id: 49, login: 'dependabot[bot]' },
        ],
      }),
    }),
  });
});
