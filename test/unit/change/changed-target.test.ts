import { expect, test } from 'vitest';
import { findChangedTarget } from '../../../src/change/changed-target.ts';
import type { ScanTarget } from '../../../src/domain/target.ts';
import type { PullRequestState } from '../../../src/github/pull-request-state.ts';
import { SHA } from '../github/client.ts';
import { UPDATED } from '../github/pull-request-answers.ts';
import { sampleTarget } from '../report/sample-report.ts';

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

/** The first read of the pull request. Undefined if the target is from the event. */
type Read = { readonly at: Date } | undefined;

function changed(read: Read, changes: Partial<PullRequestState>, of = target) {
  const at = { firstAttempt: true, now: START };
  return findChangedTarget(of, read && { ...read, state: STATE }, { ...STATE, ...changes }, at);
}

const OTHER = 'd'.repeat(40);

test.each<[string, Partial<PullRequestState>, string]>([
  ['another head', { headSha: OTHER }, 'superseded'],
  ['a newer state with the head before the push', { headSha: SHA.other }, 'superseded'],
  ['another base branch', { baseName: 'dev' }, 'superseded'],
  ['a closed pull request', { isOpen: false }, 'unsupported-event'],
  ['a closed pull request with another head', { isOpen: false, headSha: OTHER }, 'unsupported-event'],
  ['a closed pull request with another base branch', { isOpen: false, baseName: 'dev' }, 'unsupported-event'],
])('findChangedTarget refuses the target if GitHub later shows %s', (_, changes, reason) => {
  const isClosed = changes.isOpen === false;
  for (const read of [undefined, { at: START }]) {
    const found = changed(read, { ...changes, updatedAt: NEWER });
    expect(found?.failure.reason).toBe(reason);
    expect(found?.target.pullRequest?.state === 'closed').toBe(isClosed);
  }
});

test.each<[string, Partial<PullRequestState>]>([
  ['the same head and base branch', {}],
  ['the same head and base branch after an edit', { updatedAt: NEWER }],
  ['the head before the push', { headSha: SHA.other }],
  ['an older state with another base branch', { baseName: 'dev', updatedAt: OLDER }],
  ['an older state with a closed pull request', { isOpen: false, updatedAt: OLDER }],
])('findChangedTarget accepts a target from the event if GitHub later shows %s', (_, changes) => {
  expect(changed(undefined, changes)).toBeUndefined();
});

test('findChangedTarget refuses the head before the push if GitHub has shown the pushed head', () => {
  expect(changed({ at: START }, { headSha: SHA.other })?.failure.reason).toBe('superseded');
});

test('findChangedTarget accepts a merge group, which has no pull request', () => {
  const group: ScanTarget = { ...target, event: 'merge_group', pullRequest: undefined };
  expect(changed(undefined, { headSha: SHA.other }, group)).toBeUndefined();
});
