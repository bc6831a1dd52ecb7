import { expect, test } from 'vitest';
import { createSeal } from '../../../src/domain/seal.ts';
import type { PullRequestState } from '../../../src/github/pull-request-state.ts';
import { findEarlierMarks } from '../../../src/scan/find-marks.ts';
import { encodeMark } from '../../../src/scan/scan-mark.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, github, SHA } from '../github/client.ts';
import { UPDATED } from '../github/pull-request-answers.ts';
import { sampleTarget } from '../report/sample-report.ts';
import { aMark, checkRun, markText, SEAL } from './marked.ts';

const STATE: PullRequestState = {
  viewer: 'github-actions[bot]',
  isOpen: true,
  updatedAt: new Date(UPDATED),
  headSha: SHA.head,
  headTree: undefined,
  baseName: 'main',
  baseTip: undefined,
  comments: [],
};

/** Makes GitHub list these check runs on the commit. */
function listed(headSha: string, ...runs: readonly object[]): void {
  github()
    .get(`/repos/acme/shop/commits/${headSha}/check-runs`)
    .query({ filter: 'all', per_page: 100, page: 1 })
    .reply(200, { check_runs: runs });
}

async function scansOf(state: PullRequestState): Promise<readonly string[]> {
  const inputs = {
    checkName: 'Security scan',
    comment: 'on-findings',
    reuseScan: true,
  } as const;
  const target = {
    ...sampleTarget({ pullRequest: { number: 5, headIsNew: true, previousHead: SHA.other } }),
    headSha: SHA.head,
  };
  const deps = {
    github: client(),
    inputs,
    runId: 42,
    seal: SEAL,
    runAttempt: 1,
    signal: NEVER_ABORTED,
    log: { info: () => {} },
    state,
  };
  const { marks } = await findEarlierMarks(deps, target);
  return marks.map(({ scanId }) => scanId);
}

const older = (scanId: string) => markText({ scanId, headSha: SHA.other });

test('takes the proven marks on the previous head from the pull request', async () => {
  listed(SHA.head);
  const externalIds = [
    '',
    older('a'),
    markText({ scanId: 'copied from the head' }),
    encodeMark(aMark({ scanId: 'forged', headSha: SHA.other }), createSeal('another token', '1296269')),
  ];
  expect(await scansOf({ ...STATE, previousChecks: { headSha: SHA.other, externalIds } })).toEqual(['a']);
});

test.each([
  ['does not show them', undefined],
  ['shows those of another commit', { headSha: SHA.base, externalIds: [older('other')] }],
])('lists the marks on the previous head if the pull request %s', async (_, previousChecks) => {
  listed(SHA.head);
  listed(SHA.other, checkRun(5, older('a'), SHA.other));
  expect(await scansOf({ ...STATE, previousChecks })).toEqual(['a']);
});
