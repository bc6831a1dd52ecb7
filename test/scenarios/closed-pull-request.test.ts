import { describe, expect } from 'vitest';
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
import {
  blocked,
  checkRuns,
  closedAfter,
  endedAs,
  exits,
  outputs,
  paid,
  requests,
  reusesOldest,
  says,
  scans,
  summarizes,
} from './ends.ts';
import { EVERYTHING_ALLOWED } from './expect-result.ts';
import type { OtherJobs } from './other-jobs.ts';
import { openRepository } from './repository.ts';
import { type End, testRuns } from './run-rows.ts';
import type { ScenarioResult } from './scenario.ts';
import type { Act } from './timeline.ts';

const HOLDING = { service: { pace: { hold: true } } } as const;
const COMMENTS = { comment: 'always' };
const IS_CLOSED = [endedAs('unsupported-event'), exits(1)] as const;
const CANCELLED = { status: 'CANCELLED' } as const;
const FAILED = { status: 'completed', conclusion: 'failure' } as const;

const afterPost: End = async ({ run, environment }) => {
  const post = await environment.run({ step: 'post', state: run.state, runAttempt: 2 });
  expect(post.exitCode, post.log).toBe(0);
};
/** The log says this about the scan of the lost attempt. */
const saysOfScan =
  (before: string, after = ''): End =>
  (result, jobs) =>
    says(`${before} \`${result.environment.service.scans()[0]?.id}\`${after}`)(result, jobs);
/** The check run still names the scan, so that later runs can find the scan. */
const keepsMark: End = ({ environment: { github, service } }) =>
  expect(github.checkRuns[0]?.externalId).toContain(service.scans()[0]?.id);

testRuns(
  [1, 2].map((attempt) => ({
    name: `on a closed pull request, a run for an older head creates no check run and no comment (attempt ${attempt})`,
    head: 'clean',
    meanwhile: [push, close],
    attempt,
    inputs: { ...COMMENTS, ...EVERYTHING_ALLOWED },
    ends: closedAfter(0),
  })),
);

/** The conclusion and the comment of the first run, which the re-run keeps. */
const keepsResult =
  (conclusion: 'success' | 'failure', text: string): End =>
  ({ environment: { github } }) => {
    expect(github.checkRuns).toMatchObject([{ status: 'completed', conclusion }]);
    expect(github.comments).toMatchObject([{ body: expect.stringContaining(text) }]);
  };

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

describe('a pull request that was scanned, and then closed', () => {
  testRuns([
    ...(
      [
        ['clean', 'success', 'Passed: no findings'],
        ['vulnerable', 'failure', 'Blocked: 2 findings'],
      ] as const
    ).map(([head, conclusion, text]) => ({
      name: `a re-run for a closed pull request does not reuse the scan of a ${head} head`,
      head,
      earlier: [anEarlierRun(COMMENTS), close],
      attempt: 2,
      inputs: { ...COMMENTS, ...EVERYTHING_ALLOWED },
      ends: [
        ...IS_CLOSED,
        outputs({ 'scan-id': '', 'check-run-url': '', 'comment-url': '' }),
        paid(1),
        keepsResult(conclusion, text),
        requests('check.create|check.update|comments.create|comments.update|comments.delete', 0),
      ],
    })),
    {
      name: 'a run for a reopened pull request reuses the earlier scan',
      earlier: [anEarlierRun(), close, anEarlierRun({}, {}, { runAttempt: 2 }), reopen],
      event: { action: 'reopened' },
      runId: 9_000_000_002,
      ends: [blocked, reusesOldest, paid(1)],
    },
    {
      name: 'a re-run for a closed pull request does not pass a head that is blocked on another pull request',
      github: { pullRequests: STACK },
      earlier: [anEarlierRun({}, {}, toStacked), closeStacked, anEarlierRun(EVERYTHING_ALLOWED)],
      event: toStacked,
      attempt: 2,
      inputs: EVERYTHING_ALLOWED,
      ends: [exits(1), checkRuns({ conclusion: 'success' }, { conclusion: 'failure' })],
    },
  ]);
});

testRuns(
  (
    [
      ['reached GitHub', lost, [FAILED]],
      ['did not reach GitHub', unsent, []],
    ] as const
  ).map(([what, fault, left]) => ({
    name: `a run leaves no check run in progress if a push comes and the pull request is closed: the request for the check run ${what}`,
    head: 'clean',
    // The requests that look for the check run after that are lost too.
    at: { 'findings.list': [push, close], 'check.create': fault, 'check.list 2-4': fault },
    ends: [
      outputs({ reason: 'superseded' }),
      requests('check.create', 1),
      checkRuns(...left),
      ({ run }: ScenarioResult) => expect(run.state).toEqual({ 'running-scan': '', 'open-check-run': '' }),
    ],
  })),
);

describe('a re-run on a closed pull request after the machine of an earlier attempt was lost', () => {
  const RERUN = { ...HOLDING, earlier: [aLostRun(), close], attempt: 2 } as const;
  testRuns([
    {
      name: 'a re-run on a closed pull request completes the check run and cancels the scan of the lost attempt',
      ...RERUN,
      inputs: EVERYTHING_ALLOWED,
      ends: [
        ...IS_CLOSED,
        paid(1),
        scans(CANCELLED),
        saysOfScan('Cancelled scan'),
        // The re-run asks for its project once.
        requests('token', 1),
        checkRuns(FAILED),
        keepsMark,
      ],
    },
    {
      name: 'a re-run on a closed pull request cancels the scan of the lost attempt in the project that `project-id` names',
      ...RERUN,
      at: { token: failing },
      inputs: { 'project-id': 'prj_7f3a91c2' },
      ends: [...IS_CLOSED, paid(1), scans(CANCELLED)],
    },
    {
      name: 'a re-run on a closed pull request cancels both scans of a lost attempt with two gate steps',
      ...RERUN,
      earlier: [aLostRun(), aLostRun({ 'credit-budget': '40' }), close],
      ends: [...IS_CLOSED, paid(2), scans(CANCELLED, CANCELLED)],
    },
    {
      name: 'a re-run on a closed pull request ignores the check run and the scan of another run',
      ...RERUN,
      runId: 9_000_000_002,
      ends: [...IS_CLOSED, requests('scans.cancel', 0), checkRuns({ status: 'in_progress' })],
    },
    {
      name: 'if a re-run on a closed pull request cannot cancel the scan, the post step cancels it',
      ...RERUN,
      at: { 'scans.cancel': unavailable },
      ends: [...IS_CLOSED, summarizes('may still be running'), afterPost, scans(CANCELLED)],
    },
    {
      name: 'a stopped re-run on a closed pull request asks for its project once more, and cancels the scan',
      ...RERUN,
      at: { 'token 1': hanging, 'check.list 1': cancelJob },
      ends: [...IS_CLOSED, requests('token', 2), scans(CANCELLED)],
    },
    {
      name: 'a re-run on a closed pull request names the scan of the lost attempt if the service is down',
      ...RERUN,
      at: { token: unavailable },
      ends: [...IS_CLOSED, saysOfScan('Scan', ' of an earlier attempt may still be running')],
    },
  ]);
});

testRuns([
  {
    name: 'a run for a closed pull request does not wait for the service',
    // Uses virtual time, because a slow machine may need more than a second of real time for a run.
    driver: 'in process',
    meanwhile: [close],
    at: { token: hanging },
    ends: [
      ...IS_CLOSED,
      (_result, jobs) => expect(jobs.now()).toBeLessThan(1_000),
      ({ environment }) => expect(environment.service.requests).toMatchObject([{ point: 'token' }]),
    ],
  },
]);
