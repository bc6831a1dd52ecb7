import { describe, expect, test } from 'vitest';
import type { TargetPullRequest } from '../../../src/domain/target.ts';
import type { PullRequestState } from '../../../src/github/pull-request-state.ts';
import { findEarlierMarks, type MarkDeps } from '../../../src/scan/find-marks.ts';
import { lostLaunch } from '../../../src/scan/scan-mark.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, github, SHA } from '../github/client.ts';
import { UPDATED } from '../github/pull-request-answers.ts';
import { sampleCost, sampleTarget } from '../report/sample-report.ts';
import { checkRun, markText, SEAL } from './marked.ts';

const OPENED = { isNew: true, headIsNew: true };
const PUSHED = { headIsNew: true, previousHead: SHA.other };
const OLDER = markText({ headSha: SHA.other, ...sampleCost(20, 1) });
/** The `external_id` of a run that ended before its launch. */
const REFUSED = 'run:43:1:00000000-0000-4000-8000-000000000000';

/** Makes GitHub list check runs with these external ids on the commit. */
function listed(headSha: string, ...externalIds: readonly string[]): void {
  const runs = externalIds.map((externalId, index) => checkRun(index + 1, externalId, headSha));
  github()
    .get(`/repos/acme/shop/commits/${headSha}/check-runs`)
    .query({ filter: 'all', per_page: 100, page: 1 })
    .reply(200, { check_runs: runs });
}

async function costOf(
  pullRequest: Partial<TargetPullRequest>,
  { runAttempt = 1, reuseScan = true, state }: Partial<MarkDeps> & { readonly reuseScan?: boolean } = {},
) {
  const deps: MarkDeps = {
    github: client(),
    inputs: { checkName: 'Security scan', comment: 'never', reuseScan },
    runId: 42,
    runAttempt,
    seal: SEAL,
    signal: NEVER_ABORTED,
    log: { info: () => {} },
    state,
  };
  const target = { ...sampleTarget({ pullRequest: { number: 5, ...pullRequest } }), headSha: SHA.head };
  return (await findEarlierMarks(deps, target)).cost;
}

describe('the cost of a pull request before a run', () => {
  test('is exact for the first run of an opened pull request, and after a push with a mark on the previous head', async () => {
    listed(SHA.head);
    expect(await costOf(OPENED)).toEqual(sampleCost(0, 0));
    listed(SHA.head);
    listed(SHA.other, OLDER);
    expect(await costOf(PUSHED)).toEqual(sampleCost(20, 1));
  });

  test.each([
    ['on the head before the push', [], [OLDER, lostLaunch(5)]],
    ['on the head, by another job', [lostLaunch(5)], [OLDER]],
  ])('is a lower bound after a launch without an answer %s', async (_where, ofHead, ofOlder) => {
    listed(SHA.head, ...ofHead);
    listed(SHA.other, ...ofOlder);
    expect(await costOf(PUSHED)).toEqual(sampleCost(20, 1, true));
  });

  test('is a lower bound if another job lost the answer to its launch for an opened pull request', async () => {
    listed(SHA.head, lostLaunch(5));
    expect(await costOf(OPENED)).toEqual(sampleCost(0, 0, true));
  });

  test('is a lower bound if an earlier attempt lost the answer to its launch', async () => {
    listed(SHA.head, markText(sampleCost(20, 1)), lostLaunch(5));
    expect(await costOf(OPENED, { runAttempt: 3 })).toEqual(sampleCost(20, 1, true));
  });

  test('is a lower bound if the previous head shows a launch without an answer', async () => {
    listed(SHA.head);
    const state: PullRequestState = {
      viewer: 'github-actions[bot]',
      isOpen: true,
      updatedAt: new Date(UPDATED),
      headSha: SHA.head,
      headTree: undefined,
      baseName: 'main',
      baseTip: undefined,
      comments: [],
      previousChecks: { headSha: SHA.other, externalIds: [OLDER, lostLaunch(5)] },
    };
    expect(await costOf(PUSHED, { state })).toEqual(sampleCost(20, 1, true));
  });

  test.each([
    ['a run that ended before its launch', REFUSED],
    ['a launch without an answer for another pull request', lostLaunch(50)],
    ['a launch without an answer, for no pull request', lostLaunch(undefined)],
    ['another workflow', 'lost'],
    ['nothing', ''],
  ])('stays exact despite a check run of %s', async (_what, externalId) => {
    listed(SHA.head, externalId);
    listed(SHA.other, OLDER, externalId);
    expect(await costOf(PUSHED)).toEqual(sampleCost(20, 1));
  });

  test('is a lower bound if the marks of the head were not read', async () => {
    expect(await costOf(OPENED, { reuseScan: false })).toEqual(sampleCost(0, 0, true));
    listed(SHA.other, OLDER);
    expect(await costOf(PUSHED, { reuseScan: false })).toEqual(sampleCost(20, 1, true));
  });

  test('is a lower bound if only check runs of this name could be listed', async () => {
    const route = `/repos/acme/shop/commits/${SHA.head}/check-runs`;
    github()
      .get(route)
      .query(({ check_name }) => check_name === undefined)
      .times(3)
      .reply(503, { message: 'down' });
    github()
      .get(route)
      .query(({ check_name }) => check_name !== undefined)
      .reply(200, { check_runs: [] });
    listed(SHA.other, OLDER);
    expect(await costOf(PUSHED)).toEqual(sampleCost(20, 1, true));
  });
});
