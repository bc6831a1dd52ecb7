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
  READS,
  refusing,
  retarget,
  withoutComments,
} from './effects.ts';
import { outputs, requests } from './ends.ts';
import { EVERYTHING_ALLOWED } from './everything-allowed.ts';
import { bothWays, rowsFor, testScans } from './scan-rows.ts';
import type { Act } from './timeline.ts';

const CHANGES = [
  ['another head', push],
  ['another base branch', retarget],
] as const;
const SHOWN = { comment: 'always', 'timeout-minutes': '20' };
const ALLOWED = { ...SHOWN, ...EVERYTHING_ALLOWED };
const CLEAN = { head: 'clean', inputs: ALLOWED } as const;
/** Uses virtual time, because a wait of minutes is too long for a test in real time. */
const IN_VIRTUAL_TIME = { ...CLEAN, driver: 'in process', inputs: SHOWN } as const;

/** The service refuses the first launch. Then the pull request changes, and the repository becomes ready. */
const whileAnalyzing = (change: Act) => ({
  'scans.launch 1': initializing,
  'repositories 2': [change, analyzing],
});
testScans('late-launch', CLEAN, {
  ...bothWays('superseded', CHANGES, ([what, change]) => [
    `a run launches nothing if the pull request gets ${what} while the repository is not ready`,
    { at: whileAnalyzing(change), inputs: SHOWN, ends: outputs({ 'credits-pull-request': '0' }) },
  ]),
  'a run creates nothing if the pull request is closed while the repository is not ready': {
    at: whileAnalyzing(close),
  },
  'a run launches a scan when the repository is ready if the pull request has not changed': {
    at: whileAnalyzing(nothing),
    inputs: SHOWN,
  },
});

// A run that waits 5 minutes for a rate limit before its first launch.
testScans('late-launch', IN_VIRTUAL_TIME, {
  ...rowsFor(['token', 'repositories', 'presets', 'scans.list'], (kind) => [
    `a run launches nothing if there is a push during a long wait before the launch (limited request: ${kind})`,
    { at: { [`${kind} 1`]: [push, limited(300)] }, inputs: ALLOWED },
  ]),
  'a run launches nothing if the pull request is closed during a long wait before the launch': {
    at: { 'presets 1': [close, limited(300)] },
    inputs: ALLOWED,
  },
  'a run uses a scan that only a comment names, if the comment is written during a long wait': {
    earlier: [anEarlierRun(SHOWN)],
    event: { action: 'synchronize' },
    runId: 9_000_000_002,
    at: { 'check.list': forbidden, 'graphql 1': withoutComments, 'presets 1': limited(300) },
    // The run tries to read the check runs twice at its start, and once after the wait.
    ends: requests('check.list', 3),
  },
  'the total counts a launch of another job that only a comment shows': {
    earlier: [anEarlierRun(SHOWN, { 'check.create': forbidden })],
    runId: 9_000_000_002,
    at: { 'check.create': forbidden, 'graphql 1': withoutComments, 'presets 1': limited(300) },
    ends: outputs({ 'credits-pull-request': '20' }),
  },
  'a run reads the pull request again after each wait': {
    at: { 'presets 1': limited(300), 'scans.launch 1': limited(5) },
    // At its start, before each of two launch requests, and before its end.
    ends: requests('graphql', 4),
  },
  "a run launches nothing if a push comes while it waits to read the permission of a fork's author": {
    github: { collaborators: { mallory: 'write' } },
    at: { 'permission 1': [push, refusing(429, 'Too many requests', { 'retry-after': '45' })] },
    eventName: 'pull_request_target',
    event: { headRepository: 'mallory/octo-repo', author: 'mallory' },
  },
  'a run sends no second launch request after a push during a wait of 29 seconds': {
    at: { 'scans.launch 1': [push, limited(29)] },
  },
});

/** A re-run follows the scan of a lost machine. The pull request changes while this scan runs, and the scan fails. */
const AFTER_LOST = { ...CLEAN, scans: {}, earlier: [aLostRun()], attempt: 2 };
testScans('late-launch', AFTER_LOST, {
  ...rowsFor([...CHANGES, ['no open state', close]], ([what, change]) => [
    `a re-run launches nothing if the pull request gets ${what} during the earlier scan`,
    { at: { 'scans.read/own-1 2': [change, fail] } },
  ]),
  'a re-run launches a scan if GitHub does not show the pull request before the launch': {
    at: { 'scans.read/own-1 2': fail, [`${READS} 2-`]: onlyIf((jobs) => !jobs.has('own-2'), failing) },
  },
});

/** A re-run waits for the repository. The pull request is closed meanwhile. */
const CLOSED_LATE = {
  head: 'clean',
  service: { pace: { hold: true } },
  at: { 'scans.launch': initializing, 'repositories 2': [close, analyzing] },
  inputs: { ...ALLOWED, 'reuse-scan': 'false' },
  attempt: 2,
} as const;
testScans('late-launch', CLOSED_LATE, {
  'a re-run without `reuse-scan` cancels the scan of the first attempt, whose machine was lost': {
    earlier: [aLostRun()],
  },
  'a re-run without `reuse-scan` does not cancel the scan of another step': {
    earlier: [aLostRun(), aLostRun({ 'credit-budget': '30' })],
  },
});
