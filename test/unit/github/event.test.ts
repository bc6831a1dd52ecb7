import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, onTestFinished, test } from 'vitest';
import { err } from '../../../src/domain/result.ts';
import { type GitHubEnvironment, readEnvironment } from '../../../src/github/environment.ts';
import { hasPullRequest, readPayload, readTarget } from '../../../src/github/event.ts';
import { type Changes, changed } from '../../support/changed.ts';
import { oneOf, outcomes } from '../../support/outcomes.ts';
import { changes, shown } from '../../support/shown.ts';

const HEAD = 'ec26c3e57ca3a959ca5aad62de7213c562f8c821';
const BEFORE = 'a'.repeat(40);
const NO_COMMIT = '0'.repeat(40);
const CAPITALS = HEAD.toUpperCase();

type Variables = Readonly<Record<string, string>>;
function environment(eventName: string, variables: Variables = {}): GitHubEnvironment {
  const read = readEnvironment({
    GITHUB_EVENT_NAME: eventName,
    GITHUB_EVENT_PATH: '/tmp/event.json',
    GITHUB_REPOSITORY: 'Codertocat/Hello-World',
    GITHUB_ACTOR: 'octocat',
    GITHUB_SHA: HEAD,
    ...variables,
  });
  if (!read.ok) throw new Error(read.error.cause);
  return read.value;
}

/** An event with a payload that has what Scangate reads, other payloads, and variables of the runner. */
interface Table {
  readonly event: string;
  readonly payload: unknown;
  /** The members that differ. */
  readonly others?: readonly Changes[];
  readonly variables?: readonly (readonly [variables: Variables, other?: Changes])[];
}

const DEPENDABOT = { GITHUB_ACTOR: 'dependabot[bot]' };
const ACTORS = [[DEPENDABOT], [{ GITHUB_ACTOR: 'dependabot' }]] as const;
const TARGET = { GITHUB_EVENT_NAME: 'pull_request_target' };
const NAME = { full_name: 'Codertocat/Hello-World' };
const REPOSITORY = { ...NAME, visibility: 'private', fork: false };
const FORK = { 'pull_request.head.repo.full_name': 'mallory/Hello-World' };
const TITLE = { title: { from: 'Old' } };
const NEW_BASE = { base: { ref: { from: 'stacked' }, sha: { from: HEAD } } };

const PULL_REQUEST = {
  action: 'synchronize',
  before: BEFORE,
  repository: { ...NAME, visibility: 'public', private: false },
  sender: { login: 'Codertocat' },
  pull_request: {
    number: 2,
    state: 'open',
    updated_at: '2019-05-15T15:20:33Z',
    user: { login: 'Codertocat' },
    head: { sha: HEAD, repo: NAME },
    base: { ref: 'main', repo: NAME },
    stack: { id: 1, base: { ref: 'trunk', sha: HEAD } },
  },
};
const VISIBILITIES = [
  ['internal', true],
  ['internal', false],
  ['private', true],
  [undefined, false],
  [undefined, undefined],
  [undefined, true],
] as const;
const NO_COMMIT_IDS = ['main', CAPITALS, '--all'];

const TABLES: readonly Table[] = [
  {
    event: 'pull_request',
    payload: PULL_REQUEST,
    others: [
      ...oneOf('action', 'opened', 'labeled', 'reopened', 'ready_for_review', 'closed'),
      ...[TITLE, { body: { from: 'Old' } }, {}, undefined, NEW_BASE, { ...TITLE, ...NEW_BASE }].map(
        (changes) => ({ action: 'edited', changes }),
      ),
      { action: 'labeled', 'pull_request.state': 'closed' },
      ...oneOf('before', 'main', `${BEFORE}\n`, '../../x', HEAD),
      FORK,
      { 'pull_request.head.repo.full_name': 'CODERTOCAT/hello-world' },
      { 'pull_request.user.login': 'dependabot[bot]' },
      ...VISIBILITIES.map(([visibility, isPrivate]) => ({
        'repository.visibility': visibility,
        'repository.private': isPrivate,
      })),
      ...oneOf('pull_request.head.sha', CAPITALS, '--upload-pack=x'),
    ],
    variables: [...ACTORS, [TARGET], [TARGET, FORK], [{ ...TARGET, ...DEPENDABOT }]],
  },
  {
    event: 'merge_group',
    payload: {
      action: 'checks_requested',
      repository: REPOSITORY,
      merge_group: {
        head_sha: HEAD,
        base_sha: BEFORE,
        base_ref: 'refs/heads/main',
        head_ref: 'refs/heads/gh-readonly-queue/release/v1/pr-7-380387fb',
      },
    },
    others: [
      ...oneOf(
        'merge_group.head_ref',
        'refs/heads/gh-readonly-queue/pr-1-2a/pr-8-380387fb',
        'refs/heads/gh-readonly-queue/main/pr-7',
        'refs/heads/gh-readonly-queue/main/pr-0-380387fb',
        'refs/heads/gh-readonly-queue/main/pr-12345678901-380387fb',
        'refs/heads/main/pr-7-380387fb',
        'gh-readonly-queue/main/pr-7-380387fb',
        'x/refs/heads/gh-readonly-queue/main/pr-7-380387fb',
        'refs/heads/gh-readonly-queue/main/pr-7-380387fb\n',
      ),
      ...oneOf('merge_group.base_ref', 'main', 'refs/heads/'),
      { action: 'destroyed' },
    ],
  },
  {
    event: 'push',
    payload: {
      ref: 'refs/heads/release/1.0',
      before: BEFORE,
      after: HEAD,
      repository: { ...REPOSITORY, default_branch: 'main' },
    },
    others: [
      ...oneOf('before', NO_COMMIT, '0'.repeat(64), `${'0'.repeat(39)}1`, ...NO_COMMIT_IDS),
      ...oneOf('after', NO_COMMIT, `1${'0'.repeat(39)}`, ...NO_COMMIT_IDS),
      ...oneOf('ref', 'refs/tags/v1', 'refs/heads/', 'main'),
      { ref: 'refs/tags/v1', after: NO_COMMIT },
    ],
    variables: ACTORS,
  },
  {
    event: 'schedule',
    payload: { schedule: '0 4 * * 1', repository: REPOSITORY },
    others: oneOf('', 'text'),
    variables: [[DEPENDABOT], ...['', ...NO_COMMIT_IDS].map((sha) => [{ GITHUB_SHA: sha }] as const)],
  },
  {
    event: 'workflow_dispatch',
    payload: { ref: 'refs/heads/main', repository: REPOSITORY },
    others: oneOf('ref', 'refs/tags/v1', 'refs/heads/refs/tags/v1'),
    variables: [[{ GITHUB_REF: 'refs/tags/v1' }], [{ GITHUB_REF: 'refs/heads/main' }]],
  },
  ...['release', 'issue_comment', '__proto__'].map((event) => ({ event, payload: null })),
];

/** The next step after a payload that is not as documented. The golden file leaves it out. */
const RE_RUN = 'Re-run the workflow. Do not override `GITHUB_EVENT_PATH` or `GITHUB_EVENT_NAME`.';

async function described({ event, payload, others = [], variables = [] }: Table): Promise<string> {
  const base = readTarget(environment(event), payload);
  const outcome = (payload: unknown, variables: Variables = {}) => {
    const target = readTarget(environment(event, variables), payload);
    if (!target.ok) {
      const { reason, cause, nextStep } = target.error;
      return nextStep === RE_RUN ? `${reason}. ${cause}` : `${reason}. ${cause} ${nextStep}`;
    }
    return changes(base.ok && base.value, target.value).join('; ') || 'the same';
  };
  return [
    `${event}: ${shown(payload)}: ${base.ok ? shown(base.value) : outcome(payload)}`,
    ...(base.ok ? await outcomes(payload, others, outcome) : []),
    ...variables.map(([one, other = {}]) => {
      const what = Object.keys(other).length === 0 ? shown(one) : `${shown(one)} and ${shown(other)}`;
      return `${outcome(changed(payload, other), one)} if ${what}`;
    }),
  ].join('\n  ');
}

test('the target of a run is what its event says', async () => {
  const tables = await Promise.all(TABLES.map(described));
  await expect(`${tables.join('\n')}\n`).toMatchFileSnapshot('golden/event.txt');
});

const examplesFile = createRequire(import.meta.url).resolve('@octokit/webhooks-examples');
const EXAMPLES = v.parse(
  v.array(v.object({ name: v.string(), examples: v.array(v.record(v.string(), v.unknown())) })),
  JSON.parse(await readFile(examplesFile, 'utf8')),
);
function official(name: string): readonly Record<string, unknown>[] {
  return EXAMPLES.find((example) => example.name === name)?.examples ?? [];
}

test("the target is read from each of GitHub's examples", () => {
  expect(official('pull_request').length).toBeGreaterThan(20);
  for (const example of official('pull_request')) {
    const state = example['action'] === 'closed' ? 'closed' : 'open';
    const target = readTarget(environment('pull_request'), example);
    const pullRequest = { state, updatedAt: expect.any(Date), sender: expect.any(String) };
    expect(target).toMatchObject({ ok: true, value: { pullRequest } });
  }
  const [requested] = official('merge_group').filter(({ action }) => action === 'checks_requested');
  const base = { kind: 'merge-group', pullRequest: expect.any(Number) };
  expect(readTarget(environment('merge_group'), requested)).toMatchObject({ ok: true, value: { base } });
});

test('hasPullRequest returns true exactly for payloads with a pull request', () => {
  for (const event of ['pull_request', 'pull_request_review', 'pull_request_review_comment'])
    expect(hasPullRequest(official(event)[0]), event).toBe(true);
  for (const event of ['merge_group', 'push', 'workflow_dispatch', 'issue_comment'])
    expect(hasPullRequest(official(event)[0]), event).toBe(false);
  for (const other of [null, [], 'pull_request', { pull_request: null }, { pull_request: 'closed' }])
    expect(hasPullRequest(other)).toBe(false);
});

test('an event file that is missing or not JSON causes an error', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'scangate-payload-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  await writeFile(join(dir, 'good.json'), '{"action":"opened"}');
  await writeFile(join(dir, 'bad.json'), '{');
  expect(readPayload(join(dir, 'good.json'))).toEqual({ ok: true, value: { action: 'opened' } });
  const failure = (why: string) => ({
    reason: 'configuration',
    cause: `Could not read the event payload at \`GITHUB_EVENT_PATH\`: ${why}.`,
    nextStep: 'Re-run the workflow. Do not override `GITHUB_EVENT_PATH`.',
  });
  expect(readPayload(join(dir, 'bad.json'))).toEqual(err(failure('it is not JSON')));
  expect(readPayload(join(dir, 'none.json'))).toEqual(err(failure('the file cannot be opened')));
});
