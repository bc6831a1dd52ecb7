import type { CommitSeed, PullRequestChange } from '../../../sandbox/github/pull-requests.ts';
import { userIdOf } from '../../../sandbox/github/user-id.ts';
import { isObject, type JsonObject } from '../../../sandbox/json.ts';
import { forbidden, refusing, showingInstead } from '../effects.ts';
import type { CommentChanges } from './blocked-pull-request.ts';
import { change, type TriageRow, testTriage, write } from './triage-rows.ts';

const [OWN, BASE] = ['c'.repeat(40), 'b'.repeat(40)];
const MERGE = { author: 'wanda', committer: 'web-flow', verified: true, parents: [OWN, BASE] };

interface Person extends CommentChanges {
  readonly pull?: PullRequestChange;
  readonly at?: TriageRow['at'];
}

/** A user with write access changes a finding. Only `who: others` looks at the user's own work. */
function writer(name: string, { pull = {}, at = {}, ...by }: Person = {}): TriageRow {
  const edited = change(({ environment }) => environment.github.edit(7, pull));
  return { name: `a command by ${name}`, at, steps: [edited, write('/scangate wont-fix {1}', by)] };
}

/** The same with `who: writers`, and then a command that changes no finding. */
function withWriters(name: string, pull: PullRequestChange): TriageRow {
  const edited = change(({ environment }) => environment.github.edit(7, pull));
  const steps = [
    edited,
    write('/scangate wont-fix {1}', { inputs: { who: 'writers' } }),
    write('/scangate recheck'),
  ];
  return { name: `with \`who: writers\`, commands by ${name}`, steps };
}

/** An account whose commands are ignored, whatever `who` allows. */
function other(name: string, { at = {}, ...by }: Person): TriageRow {
  const steps = ['/scangate wont-fix {1}', '/scangate recheck'].map((text) =>
    write(text, { ...by, inputs: { who: 'writers' } }),
  );
  return { name: `commands by ${name} are ignored`, at, steps };
}

/** Changes members of the comment and of the sender in the payload. */
function payloadWith(members: JsonObject, sender: JsonObject = {}): CommentChanges {
  return {
    payload: (all) => ({
      ...all,
      comment: { ...(isObject(all['comment']) && all['comment']), ...members },
      sender: { ...(isObject(all['sender']) && all['sender']), ...sender },
    }),
  };
}

/** A commit of Copilot that names the user who asked for it. */
function byBot(asker: string): CommitSeed {
  const message = `Fix\n\nCo-authored-by: ${asker} <${userIdOf(asker)}+${asker}@users.noreply.github.com>`;
  return { author: 'Copilot', committer: 'web-flow', verified: true, message };
}

const commits = (count: number) => Array.from({ length: count }, () => ({ author: 'octocat' }));
const ofBot = (asker: string, assignees: readonly string[]) => ({
  pull: { author: 'Copilot', assignees: ['Copilot', ...assignees], commits: [byBot(asker)] },
});

testTriage('people', [
  writer('a user with write access'),
  writer('an admin', { author: 'ada' }),
  writer('the author', { pull: { author: 'wanda' } }),
  writer('an admin who is the author', { author: 'ada', pull: { author: 'ada' } }),
  writer('the author of a commit', { pull: { commits: [{ author: 'wanda', committer: 'ada' }] } }),
  writer('the committer of a commit', { pull: { commits: [{ author: 'ada', committer: 'wanda' }] } }),
  writer('a user whom a bot names as co-author', ofBot('wanda', [])),
  writer('an assignee of the pull request of a bot', ofBot('octocat', ['wanda'])),
  writer('a user, if a bot names another user', ofBot('octocat', ['octocat'])),
  writer('a user, if nothing shows who asked a bot', {
    pull: { author: 'dependabot[bot]', commits: [{ author: 'dependabot[bot]', verified: true }] },
  }),
  writer('a user who merged the base branch on GitHub', {
    pull: { commits: [{ author: 'octocat', sha: OWN }, MERGE] },
  }),
  writer('a user whose merge on GitHub added another branch', {
    pull: { commits: [{ author: 'octocat', sha: BASE }, MERGE] },
  }),
  writer('a user, if a commit has an author without an account', { pull: { commits: [{ author: null }] } }),
  writer('a user, if there are 250 commits', { pull: { commits: commits(250) } }),
  writer('a user, if there are 251 commits', { pull: { commits: commits(251) } }),
  writer('a user, if GitHub lists no commit', { at: { 'pulls.commits': showingInstead(() => []) } }),
  writer('a user, if GitHub does not show the commits', { at: { 'pulls.commits': forbidden } }),
  // An author can cause this by a force push after the action has read the pull request. GitHub then lists the commits
  // of the new head. The author's own commit can be missing there.
  writer('a user, if GitHub lists the commits of another head', {
    pull: { commits: [{ author: 'octocat', sha: 'd'.repeat(40) }] },
  }),

  withWriters('the author', { author: 'wanda' }),
  withWriters('a user, if a commit has an author without an account', { commits: [{ author: null }] }),

  other('a user with the role triage', { author: 'tri' }),
  other('a user with read access', { author: 'rea' }),
  other('a stranger', { author: 'mallory' }),
  other('the author without write access', { author: 'octocat' }),
  other('a user whose access was removed in the meantime', {
    at: { permission: showingInstead((body) => ({ ...(isObject(body) && body), permission: 'none' })) },
  }),
  other('a bot with write access', { type: 'Bot' }),
  other('an app in the name of an admin', {
    author: 'ada',
    ...payloadWith({ performed_via_github_app: { id: 1 } }),
  }),
  other('another account that took the login of an admin', {
    author: 'ada',
    ...payloadWith({ user: { login: 'ada', id: 4, type: 'User' } }, { id: 4 }),
  }),
  other('another account that sends the event for the comment of an admin', {
    author: 'ada',
    ...payloadWith({}, { id: 4 }),
  }),
  other('an admin who edits a comment into a command', { author: 'ada', action: 'edited', edited: true }),
  other('an admin whose new comment was edited already', { author: 'ada', edited: true }),
  other('an admin whose permission cannot be read', { author: 'ada', at: { permission: refusing(500) } }),
]);
