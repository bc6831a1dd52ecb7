import { expect, test } from 'vitest';
import {
  beginLastRead,
  confirm,
  findChange,
  readForComment,
  saw,
  watchPullRequest,
} from '../../../src/change/pull-request.ts';
import { Stop } from '../../../src/domain/result.ts';
import type { ScanTarget } from '../../../src/domain/target.ts';
import type { PullRequestState } from '../../../src/github/pull-request-state.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { SHA } from '../github/client.ts';
import { pullRequestAnswer, UPDATED } from '../github/pull-request-answers.ts';
import { sampleTarget } from '../report/sample-report.ts';
import { onGitHub, type Shown } from '../scan/on-github.ts';

const START = new Date(UPDATED);
const OLDER = new Date('2026-01-15T11:59:00Z');
const NEWER = new Date('2026-01-15T12:05:00Z');
const STATE: PullRequestState = {
  viewer: 'github-actions[bot]',
  isOpen: true,
  updatedAt: START,
  headSha: SHA.head,
  headTree: undefined,
  baseName: 'main',
  baseTip: { kind: 'commit', sha: SHA.base },
  comments: [],
};

const target: ScanTarget = {
  ...sampleTarget({ pullRequest: { number: 5, updatedAt: START, previousHead: SHA.other } }),
  headSha: SHA.head,
  base: { kind: 'branch', name: 'main', tip: SHA.base },
};

/** Whether the first read has shown the pull request. If not, the run uses the event. */
type Read = 'read' | 'event';

function watching(shown: Shown = {}, work: AbortSignal = NEVER_ABORTED) {
  const deadlines = { work, wrapUp: NEVER_ABORTED, signalled: NEVER_ABORTED };
  const step = { github: onGitHub(shown).github, clock: new FakeClock(), deadlines, warn: () => {} };
  const watch = watchPullRequest(step, target, true);
  if (watch === undefined) throw new Error('the target has no pull request');
  return watch;
}

function changed(from: Read, changes: Partial<PullRequestState>) {
  const watch = watching();
  if (from === 'read') watch.known = { ...watch.known, previousHead: undefined, asOf: START };
  saw(watch, { ...STATE, ...changes });
  return { failure: findChange(watch), target: watch.target };
}

const OTHER = 'd'.repeat(40);

test.each<[string, Partial<PullRequestState>, string]>([
  ['another head', { headSha: OTHER }, 'superseded'],
  ['a newer state with the head before the push', { headSha: SHA.other }, 'superseded'],
  ['another base branch', { baseName: 'dev' }, 'superseded'],
  ['a closed pull request', { isOpen: false }, 'unsupported-event'],
  ['a closed pull request with another head', { isOpen: false, headSha: OTHER }, 'unsupported-event'],
  ['a closed pull request with another base branch', { isOpen: false, baseName: 'dev' }, 'unsupported-event'],
])('findChange refuses the target if GitHub later shows %s', (_, changes, reason) => {
  const isClosed = changes.isOpen === false;
  for (const from of ['event', 'read'] as const) {
    const found = changed(from, { ...changes, updatedAt: NEWER });
    expect(found.failure?.reason).toBe(reason);
    expect(found.target.pullRequest.state === 'closed').toBe(isClosed);
  }
});

test.each<[string, Partial<PullRequestState>]>([
  ['the same head and base branch', {}],
  ['the same head and base branch after an edit', { updatedAt: NEWER }],
  ['the head before the push', { headSha: SHA.other }],
  ['an older state with another base branch', { baseName: 'dev', updatedAt: OLDER }],
  ['an older state with a closed pull request', { isOpen: false, updatedAt: OLDER }],
])('findChange accepts a target from the event if GitHub later shows %s', (_, changes) => {
  expect(changed('event', changes).failure).toBeUndefined();
});

test('findChange refuses the head before the push if GitHub has shown the pushed head', () => {
  expect(changed('read', { headSha: SHA.other }).failure?.reason).toBe('superseded');
});

test('watchPullRequest watches no merge group, which has no pull request', () => {
  const group: ScanTarget = { ...target, event: 'merge_group', pullRequest: undefined };
  expect(watchPullRequest(watching(), group, true)).toBeUndefined();
});

test('the comment uses a newer state than the last answer if the run has read one', async () => {
  const watch = watching({ 'pull request 5': { status: 200, body: pullRequestAnswer() } });
  saw(watch, { ...STATE, headSha: OTHER, updatedAt: NEWER });
  expect(await confirm(watch)).toMatchObject({ reason: 'superseded' });
  expect(await readForComment(watch, NEVER_ABORTED)).toMatchObject({ value: { headSha: OTHER } });
});

test('the comment reads the pull request again if the timeout has stopped the last read', async () => {
  const work = new AbortController();
  const watch = watching({ 'pull request 5': { status: 200, body: pullRequestAnswer() } }, work.signal);
  work.abort(new Stop('timeout'));
  beginLastRead(watch);
  expect(await readForComment(watch, NEVER_ABORTED)).toMatchObject({ value: { headSha: SHA.head } });
});
