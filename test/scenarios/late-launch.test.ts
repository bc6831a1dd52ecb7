import { describe, expect } from 'vitest';
import {
  aLostRun,
  analyzing,
  anEarlierRun,
  close,
  fail,
  failing,
  forbidden,
  initializing,
  limited,
  nothing,
  onlyIf,
  push,
  refusing,
  retarget,
  withoutComments,
} from './effects.ts';
import {
  checkRuns,
  closedAfter,
  comments,
  endedAs,
  exits,
  notScanned,
  outputs,
  paid,
  passed,
  requests,
  says,
  scans,
  supersededBy,
} from './ends.ts';
import { BOTH_WAYS, EVERYTHING_ALLOWED } from './expect-result.ts';
import { type End, testRuns } from './run-rows.ts';
import type { Act } from './timeline.ts';

const PUSHED = ['another head', push, 'now has another head'] as const;
const RETARGETED = ['another base branch', retarget, 'now has another base branch'] as const;
const CLEAN = { head: 'clean' } as const;
/** Uses virtual time, because a wait of minutes is too long for a test in real time. */
const IN_VIRTUAL_TIME = { ...CLEAN, driver: 'in process' } as const;
/** The reads of the pull request. A failed read sends three requests by GraphQL and three by REST. */
const READS = 'graphql|pulls.read';
const SHOWN = { comment: 'always', 'timeout-minutes': '20' };
const ALLOWED = { ...SHOWN, ...EVERYTHING_ALLOWED };
const NO_SCAN = scans();
/** No run shows a cost of nothing. */
const NO_COST: readonly End[] = [
  outputs({ 'credits-pull-request': '0' }),
  ({ run }) => expect(run.summary).not.toContain('for this pull request'),
];

describe('a run that waits until the repository is ready', () => {
  /** The service refuses the first launch. Then the pull request changes, and the repository becomes ready. */
  const during = (change: Act) => ({
    ...CLEAN,
    at: { 'scans.launch 1': initializing, 'repositories 2': [change, analyzing] },
  });
  testRuns([
    ...[PUSHED, RETARGETED].flatMap(([what, change, text]) =>
      BOTH_WAYS.map(({ way, allowed }) => ({
        name: `a run launches nothing if the pull request gets ${what} while the repository is not ready (${way})`,
        ...during(change),
        inputs: allowed ? ALLOWED : SHOWN,
        ends: [supersededBy(text, 1, { allowed }), NO_SCAN, ...NO_COST],
      })),
    ),
    {
      name: 'a run creates nothing if the pull request is closed while the repository is not ready',
      ...during(close),
      inputs: ALLOWED,
      ends: [closedAfter(1), NO_SCAN],
    },
    {
      name: 'a run launches a scan when the repository is ready if the pull request has not changed',
      ...during(nothing),
      inputs: SHOWN,
      ends: [passed, scans({})],
    },
  ]);
});

describe('a run that waits 5 minutes for a rate limit before its first launch', () => {
  /** The pull request changes while the first request of this kind waits. */
  const during = (kind: string, change: Act) => ({
    ...IN_VIRTUAL_TIME,
    at: { [`${kind} 1`]: [change, limited(300)] },
    inputs: ALLOWED,
  });
  testRuns([
    ...['token', 'repositories', 'presets', 'scans.list'].map((kind) => ({
      name: `a run launches nothing if there is a push during a long wait before the launch (limited request: ${kind})`,
      ...during(kind, push),
      ends: [supersededBy(PUSHED[2], 0, { allowed: true }), NO_SCAN],
    })),
    {
      name: 'a run launches nothing if the pull request is closed during a long wait before the launch',
      ...during('presets', close),
      ends: closedAfter(0),
    },
    {
      name: 'a run launches a scan after a long wait if the pull request has not changed',
      ...during('presets', nothing),
      ends: [passed, paid(1)],
    },
    {
      name: 'a run uses a scan that only a comment names, if the comment is written during a long wait',
      ...IN_VIRTUAL_TIME,
      earlier: [anEarlierRun(SHOWN)],
      event: { action: 'synchronize' },
      runId: 9_000_000_002,
      at: { 'check.list': forbidden, 'graphql 1': withoutComments, 'presets 1': limited(300) },
      inputs: SHOWN,
      ends: [
        outputs({ outcome: 'passed', 'scan-reused': 'true' }),
        paid(1),
        // The run tries to read the check runs twice at its start, and once after the wait.
        requests('check.list', 3),
      ],
    },
    {
      name: 'the total counts a launch of another job that only a comment shows',
      ...IN_VIRTUAL_TIME,
      earlier: [anEarlierRun(SHOWN, { 'check.create': forbidden })],
      runId: 9_000_000_002,
      at: { 'check.create': forbidden, 'graphql 1': withoutComments, 'presets 1': limited(300) },
      inputs: SHOWN,
      ends: [
        outputs({ outcome: 'passed', 'scan-reused': 'true' }),
        paid(1),
        outputs({ 'credits-pull-request': '20' }),
      ],
    },
    {
      name: 'a run reads the pull request again after each wait',
      ...IN_VIRTUAL_TIME,
      at: { 'presets 1': limited(300), 'scans.launch 1': limited(5) },
      inputs: SHOWN,
      // At its start, before each of two launch requests, and before its end.
      ends: [passed, requests('graphql', 4)],
    },
  ]);
});

testRuns([
  {
    name: "a run launches nothing if a push comes while it waits to read the permission of a fork's author",
    ...IN_VIRTUAL_TIME,
    github: { collaborators: { mallory: 'write' } },
    at: { 'permission 1': [push, refusing(429, 'Too many requests', { 'retry-after': '45' })] },
    eventName: 'pull_request_target',
    event: { headRepository: 'mallory/octo-repo', author: 'mallory' },
    inputs: SHOWN,
    ends: supersededBy(PUSHED[2]),
  },
  {
    name: 'a run sends no second launch request after a push during a wait of 29 seconds',
    ...IN_VIRTUAL_TIME,
    at: { 'scans.launch 1': [push, limited(29)] },
    inputs: SHOWN,
    ends: [supersededBy(PUSHED[2], 1), NO_SCAN],
  },
  ...[PUSHED, RETARGETED].map(([what, change, text]) => ({
    name: `a run launches nothing if only its second read of the pull request shows ${what}`,
    ...CLEAN,
    at: { [`${READS} 1-6`]: failing },
    meanwhile: [change],
    inputs: { ...ALLOWED, comment: 'never' },
    ends: supersededBy(text, 0, { allowed: true }),
  })),
]);

describe('a re-run that follows the scan of a lost machine until this scan fails', () => {
  const completed = { status: 'completed' };
  /** The first read shows that the scan runs. Then the pull request changes, and the scan fails. */
  const during = (change: Act) => ({
    ...CLEAN,
    scans: {},
    earlier: [aLostRun()],
    at: { 'scans.read/own-1 2': [change, fail] },
    inputs: ALLOWED,
    attempt: 2,
  });
  testRuns([
    ...[PUSHED, RETARGETED].map(([what, change, text]) => ({
      name: `the re-run launches nothing if the pull request gets ${what} during the earlier scan`,
      ...during(change),
      ends: [endedAs('superseded'), says(text), paid(1), checkRuns(completed)],
    })),
    {
      name: 'the re-run launches nothing if the pull request is closed during the earlier scan',
      ...during(close),
      ends: [
        endedAs('unsupported-event'),
        exits(1),
        paid(1),
        checkRuns({ ...completed, conclusion: 'failure' }),
        comments(0),
      ],
    },
    {
      name: 'the re-run launches a scan if GitHub does not show the pull request before the launch',
      ...during(nothing),
      at: {
        'scans.read/own-1 2': fail,
        [`${READS} 2-`]: onlyIf((jobs) => !jobs.has('own-2'), failing),
      },
      ends: [passed, paid(2)],
    },
  ]);
});

describe('a re-run without `reuse-scan` for a pull request that is closed while the run waits', () => {
  const rerun = (...earlierInputs: readonly Readonly<Record<string, string>>[]) => ({
    ...CLEAN,
    service: { pace: { hold: true } },
    earlier: earlierInputs.map((inputs) => aLostRun(inputs)),
    at: { 'scans.launch': initializing, 'repositories 2': [close, analyzing] },
    inputs: { ...ALLOWED, 'reuse-scan': 'false' },
    attempt: 2,
  });
  testRuns([
    {
      name: 'the re-run cancels the scan of the first attempt, whose machine was lost',
      ...rerun({}),
      ends: [
        notScanned('unsupported-event', { launches: 2, texts: ['is closed'], scanKnown: false }),
        scans({ status: 'CANCELLED' }),
      ],
    },
    {
      name: 'the re-run does not cancel the scan of another step',
      ...rerun({}, { 'credit-budget': '30' }),
      ends: [
        endedAs('unsupported-event'),
        scans({ status: expect.not.stringMatching('CANCELLED') }, { status: 'CANCELLED' }),
        checkRuns({ status: 'completed', conclusion: 'failure' }, { status: 'in_progress' }),
      ],
    },
  ]);
});
