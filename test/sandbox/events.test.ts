import { expect, test } from 'vitest';
import {
  issueCommentEvent,
  mergeGroupEvent,
  type PullRequestEvent,
  pullRequestEvent,
  pushEvent,
  scheduleEvent,
  workflowDispatchEvent,
} from '../../sandbox/events.ts';
import { isObject, type JsonObject } from '../../sandbox/json.ts';
import { at } from './play.ts';

const [HEAD, BEFORE, NONE] = ['a', 'b', '0'].map((digit) => digit.repeat(40)) as [string, string, string];
const repository = 'Octo-Org/demo';
const pull = (more: Partial<PullRequestEvent> = {}) =>
  pullRequestEvent({ repository, number: 7, headSha: HEAD, baseRef: 'release/1', ...more });
const push = { repository, ref: 'refs/heads/main', before: BEFORE, after: HEAD };
const comment = { repository, number: 7, body: 'hello', author: 'ada' };

const PAYLOADS: Readonly<Record<string, JsonObject>> = {
  'a pull request': pull({ author: 'alice', draft: true, serverUrl: 'http://127.0.0.1:1' }),
  'a pull request of a fork': pull({ headRepository: 'mallory/demo', headRef: 'fix', title: 'A fix' }),
  'a pull request of a fork that was deleted': pull({ headRepository: null }),
  'a push to a pull request': pull({ action: 'synchronize', baseSha: BEFORE }),
  'a closed pull request of a bot': pull({ action: 'closed', author: 'dependabot[bot]' }),
  'an edited pull request': pull({
    action: 'edited',
    updatedAt: '2026-01-15T12:00:00Z',
    changes: { base: { ref: { from: 'main' } } },
  }),
  'a pull request of a private repository': pull({ visibility: 'private', defaultBranch: 'trunk' }),
  'a merge group': mergeGroupEvent({ repository, headSha: HEAD, baseSha: BEFORE, baseRef: 'main' }),
  'a forced push of a fork': pushEvent({ ...push, forced: true, fork: true }),
  'a push of a new branch': pushEvent({ ...push, before: NONE }),
  'the deletion of a branch': pushEvent({ ...push, after: NONE }),
  'a comment on a pull request': issueCommentEvent({ ...comment, createdAt: '2026-01-15T12:00:00Z' }),
  'an edited comment of a bot on an issue': issueCommentEvent({
    ...comment,
    ...{ action: 'edited', onIssue: true, id: 5, type: 'Bot', editedAt: '2026-01-16T12:00:00Z' },
  }),
  'a schedule': scheduleEvent({ repository, visibility: 'private' }),
  'a dispatch': workflowDispatchEvent({ repository, ref: 'refs/heads/main' }),
};
const SHOWN = `action number ref before after created deleted forced schedule changes pull_request.number
  pull_request.state pull_request.title pull_request.draft pull_request.user.login pull_request.user.type
  pull_request.author_association pull_request.updated_at pull_request.html_url pull_request.head.ref
  pull_request.head.sha pull_request.head.repo pull_request.head.repo.full_name pull_request.head.repo.fork
  pull_request.base.ref pull_request.base.sha pull_request.base.repo.full_name merge_group.head_sha
  merge_group.head_ref merge_group.base_sha merge_group.base_ref issue.number issue.state issue.pull_request comment.id
  comment.body comment.user.login comment.user.type comment.created_at comment.updated_at sender.login
  repository.full_name repository.name repository.owner.login repository.visibility repository.private
  repository.default_branch repository.fork`.split(/\s+/);

/** The members of a payload that are shown, by their paths. */
function shownOf(payload: JsonObject): Map<string, string> {
  const all = SHOWN.map((path): [string, unknown] => [path, at(payload, path)]);
  const isLong = (value: unknown) => isObject(value) && 'full_name' in value;
  const present = all.filter(([, value]) => value !== undefined && !isLong(value));
  return new Map(present.map(([path, value]) => [path, JSON.stringify(value)]));
}

// Only the first payload is shown whole. The others show what differs from it.
test('the payload of an event has the requested values, and otherwise the values of GitHub’s example', async () => {
  const [first = new Map<string, string>()] = Object.values(PAYLOADS).map(shownOf);
  const texts = Object.entries(PAYLOADS).map(([name, payload], index) => {
    const members = shownOf(payload);
    const lines = [...members].filter(([path, value]) => index === 0 || first.get(path) !== value);
    const missing = [...first.keys()].filter((path) => path.startsWith('repository') && !members.has(path));
    // No address names the repository of the example.
    expect(JSON.stringify(payload)).not.toMatch(/Hello-World"|Codertocat\/Hello/);
    return [
      `## ${name}`,
      ...lines.map((line) => line.join(' ')),
      ...missing.map((path) => `no ${path}`),
      '',
    ].join('\n');
  });
  const text = texts.join('\n').replaceAll(HEAD, 'HEAD').replaceAll(BEFORE, 'BEFORE');
  await expect(text).toMatchFileSnapshot('events.golden.txt');
});
