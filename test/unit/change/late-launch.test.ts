import { expect, test } from 'vitest';
import { findChangeBeforeLaunch } from '../../../src/change/changed-target.ts';
import type { PullRequestRead } from '../../../src/change/current-target.ts';
import { createLastLook } from '../../../src/change/pull-request.ts';
import type { ScanTarget } from '../../../src/domain/target.ts';
import type { PullRequestState } from '../../../src/github/pull-request-state.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, github, SHA } from '../github/client.ts';
import { pullRequestAnswer, UPDATED } from '../github/pull-request-answers.ts';
import { sampleTarget } from '../report/sample-report.ts';

const AT = new Date(UPDATED);
const LATER = '2026-01-15T12:05:00Z';
const STATE: PullRequestState = {
  viewer: 'github-actions[bot]',
  isOpen: true,
  updatedAt: AT,
  headSha: SHA.head,
  headTree: undefined,
  baseName: 'main',
  baseTip: { kind: 'commit', sha: SHA.base },
  comments: [],
};
const PUSHED = { ...STATE, headSha: SHA.other, updatedAt: new Date(LATER) };
const PUSHED_ANSWER = pullRequestAnswer({ headRefOid: SHA.other, updatedAt: LATER });

const target: ScanTarget = {
  ...sampleTarget({ pullRequest: { number: 5, updatedAt: AT } }),
  headSha: SHA.head,
  base: { kind: 'branch', name: 'main', tip: SHA.base },
};

const READ = { of: target, read: { state: STATE, at: AT } };

/**
 * @param seen the last state that the run has seen; undefined if it has seen none
 * @param read the pull request as the run read it at the start; undefined if the run used the event instead
 */
async function find(
  asks: boolean,
  seen?: PullRequestState,
  { of, read }: { readonly of: ScanTarget; readonly read: PullRequestRead | undefined } = READ,
) {
  const clock = new FakeClock({ date: new Date(LATER) });
  const access = { github: client({ clock }), clock, signal: NEVER_ABORTED };
  const look = createLastLook(access, 5);
  if (seen !== undefined) look.saw(seen);
  const changed = await findChangeBeforeLaunch({ ...access, look }, of, read, { firstAttempt: true, asks });
  return changed?.failure.reason;
}

test('findChangeBeforeLaunch sends no request if it may not ask GitHub', async () => {
  expect(await find(false)).toBeUndefined();
  expect(await find(false, STATE)).toBeUndefined();
  expect(await find(false, PUSHED)).toBe('superseded');
});

test('findChangeBeforeLaunch reads the pull request if it may ask GitHub', async () => {
  github().post('/graphql').reply(200, PUSHED_ANSWER);
  expect(await find(true)).toBe('superseded');
});

test('findChangeBeforeLaunch prefers the answer of GitHub to an older state', async () => {
  github()
    .post('/graphql')
    .reply(200, pullRequestAnswer({ updatedAt: '2026-01-15T12:06:00Z' }));
  expect(await find(true, { ...STATE, isOpen: false, updatedAt: new Date(LATER) })).toBeUndefined();
});

test('findChangeBeforeLaunch uses the last known state if GitHub refuses to show the pull request', async () => {
  github().post('/graphql').reply(401, {}).get('/repos/acme/shop/pulls/5').reply(401, {});
  expect(await find(true, PUSHED)).toBe('superseded');
});

test('without a known state, findChangeBeforeLaunch finds no change if GitHub refuses to show the pull request', async () => {
  github().post('/graphql').reply(401, {}).get('/repos/acme/shop/pulls/5').reply(401, {});
  expect(await find(true)).toBeUndefined();
});

test('findChangeBeforeLaunch sends no request for a merge group', async () => {
  const group: ScanTarget = { ...target, event: 'merge_group', pullRequest: undefined };
  expect(await find(true, undefined, { ...READ, of: group })).toBeUndefined();
});
