import { describe, expect, test } from 'vitest';
import type { Interception } from '../../../sandbox/faults/interception.ts';
import type { CommitSeed, PullRequestChange } from '../../../sandbox/github/pull-requests.ts';
import { userIdOf } from '../../../sandbox/github/user-id.ts';
import { isObject, type JsonObject } from '../../../sandbox/json.ts';
import { asBlocked, type CommentChanges, type During, seen } from './blocked-pull-request.ts';
import { ask, labels, open, patches } from './change-command.ts';

/** What happens after a command. `SAID` explains each symbol. */
type Cell = '👍' | '😕' | '·' | '!';
const SAID: Readonly<Record<Cell, string>> = {
  '👍': 'obeyed',
  '😕': 'refused in a reply',
  '·': 'ignored',
  '!': 'ignored, and the workflow fails',
};
type Cells = readonly [recheck: Cell, changeWithOthers: Cell, changeWithWriters: Cell];

interface Situation {
  /** The author of the comment. Default: wanda, who has write access. */
  readonly author?: string;
  readonly pull?: PullRequestChange;
  readonly during?: During;
  readonly comment?: CommentChanges;
}
type Row = readonly [who: string, cells: Cells, situation: Situation];

const [OWN, BASE] = ['c'.repeat(40), 'b'.repeat(40)];
const MERGE = { author: 'wanda', committer: 'web-flow', verified: true, parents: [OWN, BASE] };

/**
 * These hundreds of tests run the action in their own process, because that is fast. `bundle.test.ts` runs the bundle
 * for an obeyed command and for a refused one.
 */
const IN_PROCESS = { driver: 'in process' } as const;

const MAY: Cells = ['👍', '👍', '👍'];
const OWN_WORK: Cells = ['👍', '😕', '👍'];
const SILENT: Cells = ['·', '·', '·'];
const SILENT_RED: Cells = ['!', '!', '!'];

function answering(point: string, answer: Interception): During {
  return { github: (request) => (request.point === point ? answer : undefined) };
}

function status(code: number): Interception {
  return { status: code, body: { message: 'Not now.' } };
}

function rewriting(point: string, change: (body: unknown) => unknown): During {
  return answering(point, { rewrite: (answer) => ({ ...answer, body: change(answer.body) }) });
}

/** Changes members of the comment and of the sender in the payload. */
function commentWith(members: JsonObject, sender: JsonObject = {}): CommentChanges {
  const payload: CommentChanges['payload'] = (all) => ({
    ...all,
    comment: { ...(isObject(all['comment']) ? all['comment'] : {}), ...members },
    sender: { ...(isObject(all['sender']) ? all['sender'] : {}), ...sender },
  });
  return { payload };
}

const permission = (word: string) =>
  rewriting('permission', (body) => ({ ...(isObject(body) ? body : {}), permission: word }));

/** The message of every commit names wanda as co-author. */
const CO_AUTHORED = rewriting('pulls.commits', (body) =>
  Array.isArray(body)
    ? body.map((commit: unknown) => ({
        ...(isObject(commit) ? commit : {}),
        commit: { message: 'Fix\n\nCo-authored-by: Wanda <wanda@example.com>' },
      }))
    : body,
);

/** A commit of Copilot that names the user who asked for it. */
function byBot(asker: string): CommitSeed {
  const message = `Fix\n\nCo-authored-by: ${asker} <${userIdOf(asker)}+${asker}@users.noreply.github.com>`;
  return { author: 'Copilot', committer: 'web-flow', verified: true, message };
}

const ROWS: readonly Row[] = [
  ['a user with write access', MAY, {}],
  ['a user with the role maintain', MAY, { author: 'mae' }],
  ['an admin', MAY, { author: 'ada' }],

  ['the author', OWN_WORK, { pull: { author: 'wanda' } }],
  ['an admin who is the author', OWN_WORK, { author: 'ada', pull: { author: 'ada' } }],
  ['the author of a commit', OWN_WORK, { pull: { commits: [{ author: 'wanda', committer: 'ada' }] } }],
  ['the committer of a commit', OWN_WORK, { pull: { commits: [{ author: 'ada', committer: 'wanda' }] } }],
  [
    'a user who edited a file on GitHub',
    OWN_WORK,
    { pull: { commits: [{ author: 'wanda', committer: 'web-flow', verified: true, parents: [BASE] }] } },
  ],
  ['a user whom a commit message names as co-author', MAY, { during: CO_AUTHORED }],
  [
    'a user whom a bot names as co-author of its commits',
    OWN_WORK,
    { pull: { author: 'Copilot', assignees: ['Copilot'], commits: [byBot('wanda')] } },
  ],
  [
    'an assignee of the pull request of a bot',
    OWN_WORK,
    { pull: { author: 'Copilot', assignees: ['Copilot', 'wanda'], commits: [byBot('octocat')] } },
  ],
  [
    'a user, if a bot names another user as co-author of its commits',
    MAY,
    { pull: { author: 'Copilot', assignees: ['Copilot', 'octocat'], commits: [byBot('octocat')] } },
  ],
  [
    'a user, if nothing shows who asked a bot for the pull request',
    OWN_WORK,
    { pull: { author: 'dependabot[bot]', commits: [{ author: 'dependabot[bot]', verified: true }] } },
  ],
  [
    'a user who merged the base branch on GitHub',
    MAY,
    { pull: { commits: [{ author: 'octocat', sha: OWN }, MERGE] } },
  ],
  [
    'a user who merged the base branch without a signature of GitHub',
    OWN_WORK,
    {
      pull: {
        commits: [
          { author: 'octocat', sha: OWN },
          { ...MERGE, verified: false },
        ],
      },
    },
  ],
  [
    'a user who merged the base branch in a clone',
    OWN_WORK,
    {
      pull: {
        commits: [
          { author: 'octocat', sha: OWN },
          { ...MERGE, committer: 'wanda' },
        ],
      },
    },
  ],
  [
    'a user whose merge on GitHub added the commits of another branch',
    OWN_WORK,
    { pull: { commits: [{ author: 'octocat', sha: BASE }, MERGE] } },
  ],
  [
    'a user, if a commit has an author without an account',
    OWN_WORK,
    { pull: { commits: [{ author: null }] } },
  ],
  [
    'a user, if a commit has a committer without an account',
    OWN_WORK,
    { pull: { commits: [{ author: 'octocat', committer: null }] } },
  ],
  [
    'a user, if there are 250 commits',
    MAY,
    { pull: { commits: Array.from({ length: 250 }, () => ({ author: 'octocat' })) } },
  ],
  [
    'a user, if there are 251 commits',
    OWN_WORK,
    { pull: { commits: Array.from({ length: 251 }, () => ({ author: 'octocat' })) } },
  ],
  ['a user, if GitHub lists no commit', OWN_WORK, { during: rewriting('pulls.commits', () => []) }],
  [
    'a user, if GitHub sends 403 instead of the commits',
    OWN_WORK,
    { during: answering('pulls.commits', status(403)) },
  ],
  [
    'a user, if GitHub sends 404 instead of the commits',
    OWN_WORK,
    { during: answering('pulls.commits', status(404)) },
  ],
  [
    'a user, if GitHub sends 500 instead of the commits',
    OWN_WORK,
    { during: answering('pulls.commits', status(500)) },
  ],

  ['a user with the role triage', SILENT, { author: 'tri' }],
  ['a user with read access', SILENT, { author: 'rea' }],
  ['a user whose access was removed in the meantime', SILENT, { during: permission('none') }],
  ['a user whose access was reduced to read in the meantime', SILENT, { during: permission('read') }],
  ['a user without permission', SILENT, { author: 'nina' }],
  ['a stranger', SILENT, { author: 'mallory' }],
  ['the author without write access', SILENT, { author: 'octocat' }],
  ['a bot', SILENT, { author: 'helper[bot]', comment: { type: 'Bot' } }],
  ['a bot with write access', SILENT, { comment: { type: 'Bot' } }],
  [
    'an app in the name of an admin',
    SILENT,
    { author: 'ada', comment: commentWith({ performed_via_github_app: { id: 1 } }) },
  ],
  [
    'another account that took the login of an admin',
    SILENT,
    { author: 'ada', comment: commentWith({ user: { login: 'ada', id: 4, type: 'User' } }, { id: 4 }) },
  ],
  [
    'another account that sends the event for the comment of an admin',
    SILENT,
    { author: 'ada', comment: commentWith({}, { id: 4 }) },
  ],
  ['an admin whose permission is an unknown word', SILENT, { author: 'ada', during: permission('owner') }],
  [
    'an admin whose account is not shown',
    SILENT,
    {
      author: 'ada',
      during: rewriting('permission', (body) => ({ ...(isObject(body) ? body : {}), user: null })),
    },
  ],
  [
    'an admin who edits a comment into a command',
    SILENT,
    { author: 'ada', comment: { action: 'edited', edited: true } },
  ],
  ['an admin whose new comment was edited already', SILENT, { author: 'ada', comment: { edited: true } }],
  [
    'an admin, if GitHub sends 403 instead of the permission',
    SILENT_RED,
    { author: 'ada', during: answering('permission', status(403)) },
  ],
  [
    'an admin, if GitHub sends 404 instead of the permission',
    SILENT,
    { author: 'ada', during: answering('permission', status(404)) },
  ],
  [
    'an admin, if GitHub sends 500 instead of the permission',
    SILENT_RED,
    { author: 'ada', during: answering('permission', status(500)) },
  ],
];

const CHANGES = ['false-positive', 'wont-fix', 'mitigated', 'duplicate', 'reopen'];

describe.each(ROWS)(
  'a command by %s',
  (_by, [recheck, others, writers], { author = 'wanda', pull, during, comment }) => {
    test.each([
      { who: 'others', cell: others, said: SAID[others] },
      { who: 'writers', cell: writers, said: SAID[writers] },
    ])(`with \`who: $who\`, a command that changes findings is $said`, async ({ who, cell }) => {
      const scenario = await open(during, IN_PROCESS);
      scenario.environment.github.edit(7, pull ?? {});
      for (const word of CHANGES) {
        const body = `/scangate ${word} ${labels(scenario)[0]}`;
        await expectCell(cell, 1, scenario, () =>
          ask(scenario, body, { author, ...comment, inputs: { who } }),
        );
      }
    });

    test(`the command recheck is ${SAID[recheck]}`, async () => {
      const scenario = await open(during, IN_PROCESS);
      scenario.environment.github.edit(7, pull ?? {});
      await expectCell(recheck, 0, scenario, () =>
        ask(scenario, '/scangate recheck', { author, ...comment }),
      );
      expect(seen(scenario).attempt).toBe(recheck === '👍' ? 2 : 1);
    });

    test(`an unknown command is ${recheck === '👍' ? 'answered with the list of commands' : SAID[recheck]}`, async () => {
      const scenario = await open(during, IN_PROCESS);
      const cell = recheck === '👍' ? '😕' : recheck;
      await expectCell(cell, 0, scenario, () => ask(scenario, '/scangate help', { author, ...comment }));
      if (cell === '😕') expect(seen(scenario).replies[0]).toContain('false-positive');
    });
  },
);

/**
 * Checks that the run ends as the cell says.
 * @param changes how many findings change if the command is obeyed
 */
async function expectCell(
  cell: Cell,
  changes: number,
  scenario: Awaited<ReturnType<typeof open>>,
  run: () => ReturnType<typeof ask>,
): Promise<void> {
  const { github, service } = scenario.environment;
  // Restores the gate's run, because the previous command may have re-run the job.
  asBlocked(scenario);
  const before = { patches: patches(scenario).length, reactions: github.reactions.length };
  const asked = service.requests.length;
  const { replies } = seen(scenario);
  const ended = await run();
  expect(patches(scenario).length - before.patches, ended.log).toBe(cell === '👍' ? changes : 0);
  const reactions = github.reactions.slice(before.reactions).map(({ content }) => content);
  expect(reactions).toEqual(cell === '👍' ? ['+1'] : cell === '😕' ? ['confused'] : []);
  if (cell === '!') expect(ended.exitCode).toBe(1);
  if (cell === '👍' || cell === '·') expect(ended.exitCode, ended.log).toBe(0);
  if (cell === '😕') expect(seen(scenario).replies).toHaveLength(1);
  if (cell === '·' || cell === '!') {
    expect(seen(scenario).replies).toEqual(replies);
    expect(service.requests).toHaveLength(asked);
  }
}
