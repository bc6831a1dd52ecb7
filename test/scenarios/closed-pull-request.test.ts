import { expect } from 'vitest';
import {
  aLostRun,
  anEarlierRun,
  cancelJob,
  close,
  failing,
  hanging,
  lost,
  push,
  reopen,
  unavailable,
  unsent,
} from './effects.ts';
import { requests, summarizes } from './ends.ts';
import { EVERYTHING_ALLOWED } from './everything-allowed.ts';
import type { OtherJobs } from './other-jobs.ts';
import { openRepository } from './repository.ts';
import type { End } from './run-rows.ts';
import { rowsFor, testScans } from './scan-rows.ts';
import type { Act } from './timeline.ts';

const COMMENTS = { comment: 'always' };
const ALLOWED = { ...COMMENTS, ...EVERYTHING_ALLOWED };
const WRITES = 'check.create|check.update|comments.create|comments.update|comments.delete';

/** The check run still names the scan, so that later runs can find the scan. */
const keepsMark: End = ({ environment: { github, service } }) =>
  expect(github.checkRuns[0]?.externalId).toContain(service.scans()[0]?.id);
/** Two open pull requests with the same head. The run for the second one finds no change. */
const toStacked = (jobs: OtherJobs) => ({
  event: {
    name: 'pull_request',
    payload: jobs.scenario.environment.pullRequestPayload({ number: 8, baseRef: 'stacked' }),
  },
  runId: 9_000_000_002,
});
const { id } = await openRepository();
const STACK = [
  { number: 7, headSha: id('vulnerable'), baseRef: 'main' },
  { number: 8, headSha: id('vulnerable'), baseRef: 'stacked' },
];
const closeStacked: Act = ({ scenario: { environment } }) =>
  void environment.github.edit(8, { state: 'closed' });

testScans('closed-pull-request', {
  ...rowsFor([1, 2], (attempt) => [
    `on a closed pull request, a run for an older head creates no check run and no comment (attempt ${attempt})`,
    { head: 'clean', meanwhile: [push, close], attempt, inputs: ALLOWED },
  ]),
  ...rowsFor(['clean', 'vulnerable'] as const, (head) => [
    `a re-run for a closed pull request does not reuse the scan of a ${head} head, and keeps its result`,
    {
      head,
      earlier: [anEarlierRun(COMMENTS), close],
      attempt: 2,
      inputs: ALLOWED,
      ends: requests(WRITES, 0),
    },
  ]),
  'a run for a reopened pull request reuses the earlier scan': {
    earlier: [anEarlierRun(), close, anEarlierRun({}, {}, { runAttempt: 2 }), reopen],
    event: { action: 'reopened' },
    runId: 9_000_000_002,
  },
  'a re-run for a closed pull request does not pass a head that is blocked on another pull request': {
    github: { pullRequests: STACK },
    earlier: [anEarlierRun({}, {}, toStacked), closeStacked, anEarlierRun(EVERYTHING_ALLOWED)],
    event: toStacked,
    attempt: 2,
    inputs: EVERYTHING_ALLOWED,
  },
  ...rowsFor(
    [
      ['reached GitHub', lost],
      ['did not reach GitHub', unsent],
    ],
    ([what, fault]) => [
      `a run leaves no check run in progress if a push comes and the pull request is closed: the request for the check run ${what}`,
      {
        head: 'clean',
        // The requests that look for the check run after that are lost too.
        at: { 'findings.list': [push, close], 'check.create': fault, 'check.list 2-4': fault },
        ends: requests('check.create', 1),
      },
    ],
  ),
  'a run for a closed pull request does not wait for the service': {
    // Uses virtual time, because a slow machine may need more than a second of real time for a run.
    driver: 'in process',
    meanwhile: [close],
    at: { token: hanging },
    ends: (_result, jobs) => expect(jobs.now()).toBeLessThan(1_000),
  },
});

/** The machine of the first attempt was lost. Then the pull request was closed. */
const markSameScan: Act = async (jobs) => {
  await jobs.mark(jobs.scenario.environment.service.scans()[0]?.id ?? '');
};
const RERUN = { service: { pace: { hold: true } }, earlier: [aLostRun(), close], attempt: 2 } as const;
testScans('closed-pull-request', RERUN, {
  'a re-run on a closed pull request completes the check run and cancels the scan of the lost attempt': {
    inputs: EVERYTHING_ALLOWED,
    // The re-run asks for its project once.
    ends: [requests('token', 1), keepsMark],
  },
  'a re-run on a closed pull request cancels the scan of the lost attempt in the project that `project-id` names':
    {
      at: { token: failing },
      inputs: { 'project-id': 'prj_7f3a91c2' },
    },
  'a re-run on a closed pull request cancels both scans of a lost attempt with two gate steps': {
    earlier: [aLostRun(), aLostRun({ 'credit-budget': '40' }), close],
  },
  'a re-run on a closed pull request does not cancel a scan that the check run of another job names too': {
    earlier: [aLostRun(), markSameScan, close],
  },
  'a re-run on a closed pull request ignores the check run and the scan of another run': {
    runId: 9_000_000_002,
  },
  'if a re-run on a closed pull request cannot cancel the scan, the post step cancels it': {
    at: { 'scans.cancel': unavailable },
    ends: summarizes('may still be running'),
    post: {},
  },
  'a stopped re-run on a closed pull request asks for its project once more, and cancels the scan': {
    at: { 'token 1': hanging, 'check.list 1': cancelJob },
    ends: requests('token', 2),
  },
  'a re-run on a closed pull request names the scan of the lost attempt if the service is down': {
    at: { token: unavailable },
  },
});
