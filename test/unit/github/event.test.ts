import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, onTestFinished, test } from 'vitest';
import { pushEvent, scheduleEvent, workflowDispatchEvent } from '../../../sandbox/events.ts';
import { type GitHubEnvironment, readEnvironment } from '../../../src/github/environment.ts';
import { hasPullRequest, readPayload, readTarget } from '../../../src/github/event.ts';
import { type Changes, changed } from '../../support/changed.ts';
import { changes, shown } from '../../support/shown.ts';

const examplesFile = createRequire(import.meta.url).resolve('@octokit/webhooks-examples');
const examples = v.parse(
  v.array(v.object({ name: v.string(), examples: v.array(v.record(v.string(), v.unknown())) })),
  JSON.parse(await readFile(examplesFile, 'utf8')),
);

function official(name: string): Record<string, unknown>[] {
  const found = examples.find((example) => example.name === name)?.examples ?? [];
  if (found.length === 0) throw new Error(`there is no example of ${name}`);
  return found;
}

/** GitHub's first example of this event, with these changes. */
function payload(name: string, changes: Changes = {}): unknown {
  return changed(official(name)[0], changes);
}

const HEAD = 'ec26c3e57ca3a959ca5aad62de7213c562f8c821';
const BEFORE = 'a'.repeat(40);
const NO_COMMIT = '0'.repeat(40);

type Variables = Readonly<Record<string, string>>;

function environment(eventName: string, variables: Variables = {}): GitHubEnvironment {
  const read = readEnvironment({
    GITHUB_EVENT_NAME: eventName,
    GITHUB_EVENT_PATH: '/tmp/event.json',
    GITHUB_REPOSITORY: 'Codertocat/Hello-World',
    GITHUB_ACTOR: 'octocat',
    ...variables,
  });
  if (!read.ok) throw new Error(read.error.cause);
  return read.value;
}

type Row = readonly [what: string, event: string, payload: unknown, variables?: Variables];

const DEPENDABOT = { GITHUB_ACTOR: 'dependabot[bot]' };
const REPOSITORY = { repository: 'Codertocat/Hello-World', visibility: 'private' } as const;

const pullRequest = (
  what: string,
  changes: Changes,
  variables: Variables = {},
  event = 'pull_request',
): Row => [what, event, payload('pull_request', changes), variables];
const member = (path: string, value: unknown): Row =>
  pullRequest(`${path.split('.').at(-1)} ${shown(value)}`, { [path]: value });
const mergeGroup = (what: string, changes: Changes = {}): Row => [
  what,
  'merge_group',
  payload('merge_group', changes),
];
const pushed = { ...REPOSITORY, ref: 'refs/heads/release/1.0', before: BEFORE, after: HEAD } as const;
const push = (
  what: string,
  changes: Partial<Parameters<typeof pushEvent>[0]> = {},
  variables: Variables = {},
): Row => [what, 'push', pushEvent({ ...pushed, ...changes }), variables];
const full = (what: string, variables: Variables, described?: unknown, event = 'schedule'): Row => [
  what,
  event,
  described ?? scheduleEvent({ ...REPOSITORY, fork: false }),
  { GITHUB_SHA: HEAD, ...variables },
];
const dispatch = (ref: string, variables: Variables = {}): Row =>
  full(`dispatch of ${ref}`, variables, workflowDispatchEvent({ ...REPOSITORY, ref }), 'workflow_dispatch');
const withDefaultBranch = (branch: unknown) =>
  changed(pushEvent(pushed), { 'repository.default_branch': branch });

const FORK = { 'pull_request.head.repo.full_name': 'mallory/Hello-World' };
const NEW_BASE = { ref: { from: 'stacked' }, sha: { from: HEAD } };
const VISIBILITIES = [
  ['public', false],
  ['internal', true],
  ['internal', false],
  ['private', true],
  [undefined, false],
  [undefined, undefined],
  [undefined, true],
] as const;

/** The first row of an event shows the whole target. Each later row shows what differs from the first. */
const ROWS: readonly Row[] = [
  pullRequest('an opened pull request', {}),
  pullRequest('a push', { action: 'synchronize', before: BEFORE }),
  ...['', 'main', 7, null, `${BEFORE}\n`, '../../x', HEAD].map((before) =>
    pullRequest(`a push after ${shown(before)}`, { action: 'synchronize', before }),
  ),
  ...['labeled', 'reopened', 'ready_for_review', undefined].map((action) =>
    pullRequest(`the action ${action}`, { action, before: BEFORE, changes: { title: { from: 'Old' } } }),
  ),
  ...[{ title: { from: 'Old' } }, { body: { from: 'Old' } }, {}, undefined, { base: NEW_BASE }].map(
    (changes) => pullRequest(`an edit with ${shown(changes)}`, { action: 'edited', changes, before: BEFORE }),
  ),
  pullRequest('an edit of the title and the base', {
    action: 'edited',
    changes: { title: { from: 'Old' }, base: NEW_BASE },
  }),
  pullRequest('a label on a closed pull request', { action: 'labeled', 'pull_request.state': 'closed' }),
  pullRequest('the action closed', { action: 'closed' }),
  pullRequest('no state', { 'pull_request.state': undefined }),
  ...[undefined, '', 7, 'yesterday', '2026-13-45T99:99:99Z'].map((time) =>
    member('pull_request.updated_at', time),
  ),
  pullRequest('a fork', FORK),
  pullRequest('a deleted fork', { 'pull_request.head.repo': null }),
  pullRequest('the same name in capitals', { 'pull_request.head.repo.full_name': 'CODERTOCAT/hello-world' }),
  pullRequest('Dependabot', {}, DEPENDABOT),
  pullRequest('a pull request of Dependabot', { 'pull_request.user.login': 'dependabot[bot]' }),
  pullRequest('a user called dependabot', {}, { GITHUB_ACTOR: 'dependabot' }),
  ...VISIBILITIES.map(([visibility, isPrivate]) =>
    pullRequest(`visibility ${visibility}, private ${isPrivate}`, {
      'repository.visibility': visibility,
      'repository.private': isPrivate,
    }),
  ),
  ...[
    { base: { ref: 'main', sha: HEAD } },
    { id: 1, base: null },
    {},
    'main',
    { base: { ref: '' } },
    null,
  ].map((stack) => member('pull_request.stack', stack)),
  ...[HEAD.slice(0, 7), HEAD.toUpperCase(), '--upload-pack=x'].map((sha) =>
    member('pull_request.head.sha', sha),
  ),
  member('pull_request.base.ref', ''),
  member('pull_request.number', '2'),
  member('pull_request.base.repo', null),
  member('repository', undefined),
  ...[null, 'text', []].map((nothing): Row => [`the payload ${shown(nothing)}`, 'pull_request', nothing]),

  pullRequest('under pull_request_target', {}, {}, 'pull_request_target'),
  pullRequest('a fork under pull_request_target', FORK, {}, 'pull_request_target'),
  pullRequest('Dependabot under pull_request_target', {}, DEPENDABOT, 'pull_request_target'),

  mergeGroup('a merge group'),
  ...[
    'refs/heads/gh-readonly-queue/release/v1/pr-7-380387fb',
    'refs/heads/gh-readonly-queue/pr-1-2a/pr-7-380387fb',
    'refs/heads/gh-readonly-queue/main/pr-7',
    'refs/heads/gh-readonly-queue/main/pr-0-380387fb',
    'refs/heads/gh-readonly-queue/main/pr-12345678901-380387fb',
    'refs/heads/main/pr-7-380387fb',
    'gh-readonly-queue/main/pr-7-380387fb',
    'refs/heads/gh-readonly-queue/main/pr-7-380387fb\n',
    undefined,
    7,
  ].map((ref) => mergeGroup(`the head ${shown(ref)}`, { 'merge_group.head_ref': ref })),
  ...['main', 'refs/heads/', undefined].map((ref) =>
    mergeGroup(`the base ${shown(ref)}`, { 'merge_group.base_ref': ref }),
  ),
  mergeGroup('destroyed', { action: 'destroyed' }),
  ['the payload null of a merge group', 'merge_group', null],

  push('a push to a branch'),
  ...[40, 64].map((length) => push(`before: ${length} zeros`, { before: '0'.repeat(length) })),
  ...[`${'0'.repeat(39)}1`, `1${'0'.repeat(39)}`].map((sha) =>
    push(`the commit ${sha}`, { before: sha, after: sha }),
  ),
  ...['refs/tags/v1', 'refs/heads/', 'main'].map((ref) => push(`the ref ${ref}`, { ref })),
  push('a deleted branch', { after: NO_COMMIT }),
  push('a deleted tag', { ref: 'refs/tags/v1', after: NO_COMMIT }),
  ...['', undefined].map(
    (branch): Row => [`default branch ${shown(branch)}`, 'push', withDefaultBranch(branch)],
  ),
  ...['main', HEAD.slice(1), HEAD.toUpperCase(), '', '--all'].flatMap((sha) => [
    push(`before ${shown(sha)}`, { before: sha }),
    push(`after ${shown(sha)}`, { after: sha }),
  ]),
  push('a push to a fork', { fork: true }),
  push('a push by Dependabot', {}, DEPENDABOT),
  push('a push by a user called dependabot', {}, { GITHUB_ACTOR: 'dependabot' }),

  full('a schedule', {}),
  full('a payload without the visibility', {}, { schedule: '0 4 * * 1' }),
  full('a schedule of a fork', {}, { repository: { full_name: 'Codertocat/Hello-World', fork: true } }),
  full('a schedule by Dependabot', DEPENDABOT),
  ...['', 'main', HEAD.slice(1), HEAD.toUpperCase()].map((sha) =>
    full(`GITHUB_SHA ${shown(sha)}`, { GITHUB_SHA: sha }),
  ),
  full('text as payload', {}, 'text'),
  full('a number as repository', {}, { repository: 7 }),
  dispatch('refs/heads/main'),
  dispatch('refs/tags/v1'),
  dispatch('v1', { GITHUB_REF: 'refs/tags/v1' }),
  ...['refs/heads/refs/tags/v1', 'main'].map((ref) => dispatch(ref, { GITHUB_REF: 'refs/heads/main' })),

  ...['release', 'issue_comment', '__proto__'].map((event): Row => [`the event ${event}`, event, {}]),
];

test('the target of a run is what its event says', async () => {
  const first = new Map<string, unknown>();
  const lines = ROWS.map(([what, event, body, variables]) => {
    const target = readTarget(environment(event, variables), body);
    if (!target.ok)
      return `  ${what}: ${target.error.reason}. ${target.error.cause} ${target.error.nextStep}`;
    const before = first.get(event);
    first.set(event, before ?? target.value);
    if (before === undefined) return `${event}, ${what}: ${shown(target.value)}`;
    return `  ${what}: ${changes(before, target.value).join('; ') || 'the same'}`;
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/event.txt');
});

test('readTarget reads every official example of a pull request event', () => {
  const all = official('pull_request');
  expect(all.length).toBeGreaterThan(20);
  for (const example of all) {
    const state = example['action'] === 'closed' ? 'closed' : 'open';
    const target = readTarget(environment('pull_request'), example);
    expect(target).toMatchObject({
      ok: true,
      value: { pullRequest: { state, updatedAt: expect.any(Date) } },
    });
  }
});

test('hasPullRequest returns true exactly for payloads with a pull request', () => {
  for (const event of ['pull_request', 'pull_request_review', 'pull_request_review_comment'])
    expect(hasPullRequest(payload(event)), event).toBe(true);
  for (const event of ['merge_group', 'push', 'workflow_dispatch', 'issue_comment'])
    expect(hasPullRequest(payload(event)), event).toBe(false);
  for (const other of [null, [], 'pull_request', { pull_request: null }, { pull_request: 'closed' }])
    expect(hasPullRequest(other)).toBe(false);
});

test('an event file that is missing or not JSON causes an error', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'scangate-payload-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  await writeFile(join(dir, 'good.json'), '{"action":"opened"}');
  await writeFile(join(dir, 'bad.json'), '{');
  expect(readPayload(join(dir, 'good.json'))).toEqual({ ok: true, value: { action: 'opened' } });
  const bad = readPayload(join(dir, 'bad.json'));
  expect(bad).toMatchObject({ ok: false, error: { cause: expect.stringContaining('not JSON') } });
  expect(readPayload(join(dir, 'none.json'))).toMatchObject({ ok: false });
});
