import {
  cancelJob,
  changes,
  close,
  failing,
  hanging,
  limited,
  missing,
  push,
  pushes,
  READS,
  refusing,
  refusingAs,
  retarget,
  showing,
  showingHead,
  withoutBase,
} from './effects.ts';
import { requests } from './ends.ts';
import { EVERYTHING_ALLOWED } from './everything-allowed.ts';
import { pushOf } from './reuse.ts';
import { rowsFor, testScans } from './scan-rows.ts';
import type { Effect } from './timeline.ts';

/** All reads after the read at the start of the run. */
const LATER_READS = `${READS} 2-`;
const CLEAN = { head: 'clean', driver: 'in process' } as const;
const ALWAYS = { comment: 'always' };
/** When the pull request was last updated, before each run. */
const START = '2026-01-15T12:00:00Z';
const OLDER = '2026-01-15T11:59:00Z';
const NEWER = '2026-01-15T12:05:00Z';

const at = (time: string) => [/(?<="updatedAt":")[^"]+/, time] as const;
const onBranch = (name: string) => [/(?<="baseRefName":")[^"]+/, name] as const;
/** GitHub shows the head `low`, as it was at this time. */
const lowHead = (time: string) => showingHead('low', at(time));
/** A push that replaced the head `low`. */
const replacingLow = { event: pushOf('clean', 'low') };

testScans('last-read', CLEAN, {
  'a run passes if the pull request was edited during the scan, and its head and base are the same': {
    at: { 'scans.read 1': changes({ title: 'Better' }) },
  },
  'a run passes if the pull request was merged and its base branch was deleted during the scan': {
    at: { 'scans.read 1': changes({ state: 'merged' }), 'graphql 2': withoutBase },
  },
  'a run does not pass if GitHub shows an open pull request without its base branch at the end': {
    at: { 'graphql 2-': withoutBase },
    // At the start, four times before the end, and for the comment.
    ends: requests('graphql', 6),
  },
  ...rowsFor(
    [
      ['there is a push', push],
      ['the base branch is changed', retarget],
    ] as const,
    ([what, change]) => [
      `a re-run does not pass if ${what} during the scan`,
      { at: { 'scans.read 1': change }, attempt: 2 },
    ],
  ),
  'a run does not pass if the author pushes the previous head again during the scan': {
    ...replacingLow,
    at: { 'scans.read 1': pushes('low') },
  },
  ...rowsFor(['closed', 'merged'] as const, (state) => [
    `a run does not pass if its first successful read shows that the pull request is ${state}`,
    { at: { [`${READS} 1-12`]: failing, 'scans.read 1': changes({ state }) } },
  ]),
});

// GitHub answers the last read with an older state.
testScans('last-read', CLEAN, {
  'a run passes if GitHub shows an older state with another base branch': {
    at: { 'graphql 2-': showing(onBranch('stable'), at(OLDER)) },
    inputs: ALWAYS,
    ends: requests('graphql', 5),
  },
  'a run passes if GitHub shows an older state with the head before the push': {
    ...replacingLow,
    at: { 'graphql 2-': lowHead(OLDER) },
  },
  'a run that has not read the pull request yet passes if GitHub shows the head before the push': {
    ...replacingLow,
    at: { [`${READS} 1-12`]: failing, 'graphql 7-': lowHead('2026-01-15T12:00:01Z') },
  },
  'a run that has read the pull request does not pass if GitHub shows the head before the push': {
    ...replacingLow,
    at: { 'graphql 2-': lowHead('2026-01-15T12:00:01Z') },
  },
  'the read at the start decides which state is older, and not the event': {
    meanwhile: [changes({ title: 'Better' })],
    at: { 'graphql 2-': showing(onBranch('stable'), at(START)) },
  },
  ...rowsFor(
    [
      ['the pull request', missing],
      ['the base branch of the pull request', withoutBase],
    ],
    ([what, lagging]) => [
      `a run passes and writes its comment if GitHub fails, and then does not show ${what} for a moment`,
      { at: { [`${READS} 2-7`]: failing, [`${READS} 8-9`]: lagging }, inputs: ALWAYS },
    ],
  ),
  'a run does not pass if GitHub fails, then shows an older state, and then a push': {
    at: {
      [`${READS} 2-7`]: failing,
      [`${READS} 8`]: [push, showingHead('medium', at('2020-01-01T00:00:00Z'))],
    },
  },
});

/** The findings come so late that the read that began with them is too old. The read shows this state. */
const seen = (state: Effect) => ({ 'findings.list 1': limited(30), 'graphql 2': state });
const refused = refusing(422);
const LAST_FAILS = { 'graphql 3-': refused, 'pulls.read': refused };
testScans('last-read', CLEAN, {
  'a run does not pass if a read shows a push, and the last read the state before it': {
    at: seen(lowHead(NEWER)),
  },
  'a run does not pass if a read shows a push, and the last read no base branch': {
    at: { ...seen(lowHead(NEWER)), 'graphql 3-': withoutBase },
  },
  ...rowsFor([NEWER, '2026-01-15T12:06:00Z'], (time) => [
    `a run passes if a read shows a push, and the last read that it was undone: at ${time}`,
    { at: { ...seen(lowHead(NEWER)), 'graphql 3-': showing(at(time)) } },
  ]),
  'a run does not pass if a read shows another base branch, and the last read fails': {
    at: { ...seen(showing(onBranch('stable'), at(NEWER))), ...LAST_FAILS },
  },
  'a run does not pass if a read shows another head, and the last read fails for too long': {
    at: { ...seen(lowHead(NEWER)), ...LAST_FAILS, 'findings.list 1': limited(900) },
    inputs: { 'timeout-minutes': '40' },
  },
  'a run passes if a read shows an older state with another head, and the last read fails': {
    at: { ...seen(lowHead(OLDER)), ...LAST_FAILS },
  },
  'a run passes if a read shows that the pull request was closed during the run, and the last read fails': {
    at: { 'scans.read 1': close, 'findings.list 1': limited(30), ...LAST_FAILS },
    inputs: ALWAYS,
  },
  'a run does not pass if its only answer shows a closed pull request, and the last read fails': {
    at: {
      [`${READS} 1-12`]: failing,
      'scans.read 1': close,
      'findings.list 1': limited(30),
      'graphql 8-': refused,
      'pulls.read 7-': refused,
    },
    inputs: EVERYTHING_ALLOWED,
  },
});

// GitHub does not answer the last read.
testScans('last-read', CLEAN, {
  ...rowsFor(
    [
      [14, 'after the first read', LATER_READS, 1],
      [14, 'after the first read', LATER_READS, 2],
      [14, 'from the start', READS, 1],
      [15, 'after the first read', LATER_READS, 1],
      [15, 'after the first read', LATER_READS, 2],
      [15, 'from the start', READS, 1],
    ] as const,
    ([minutes, what, reads, attempt]) => [
      `what a run knows of the pull request serves for less than 15 minutes: GitHub fails ${what}, ${minutes} minutes, attempt ${attempt}`,
      {
        at: { 'findings.list 1': limited(minutes * 60), [reads]: failing },
        inputs: { ...ALWAYS, 'timeout-minutes': '40' },
        attempt,
      },
    ],
  ),
  ...rowsFor([401, 403], (status) => [
    `a run reports a wrong setup if GitHub refuses the last read with ${status}`,
    // At the start, and the refused requests by GraphQL and by REST, before the end and for the comment.
    { at: { [LATER_READS]: refusing(status) }, inputs: EVERYTHING_ALLOWED, ends: requests(READS, 5) },
  ]),
  'a run that is cancelled during its last read does not pass': {
    at: { 'findings.list 1': limited(30), 'graphql 3': [cancelJob, failing] },
    inputs: EVERYTHING_ALLOWED,
  },
});

const SHORT = { ...CLEAN, inputs: { 'timeout-minutes': '1' } };
testScans('last-read', SHORT, {
  'a run that times out during its last read asks GitHub once more': {
    at: { 'graphql 2': hanging, 'graphql 3': push },
  },
  'a run that times out during its last read asks GitHub twice more': {
    at: { 'graphql 2': hanging, 'graphql 3-5': failing, 'pulls.read 1-3': failing, 'graphql 6': push },
  },
  'a run without a comment that times out during its last read asks GitHub once more': {
    at: { 'graphql 2': hanging, 'graphql 3': [push, hanging] },
    inputs: { ...SHORT.inputs, comment: 'never' },
  },
  'a run that times out during its last read passes if GitHub then shows no change': {
    at: { 'graphql 2': hanging },
  },
  'a run that may pass after its timeout does not read the pull request after the verdict': {
    service: { pace: { hold: true } },
    at: { 'graphql 2': [push, hanging] },
    inputs: { ...SHORT.inputs, ...ALWAYS, 'allow-unscanned': 'timeout' },
    ends: requests('graphql', 2),
  },
});

// How often a run reads the pull request, if the findings or the public link come late.
const toPublish = { publish: 'always', ...ALWAYS };
testScans('last-read', CLEAN, {
  ...rowsFor(['clean', 'vulnerable'] as const, (head) => [
    `a run reads the pull request twice if the list of findings comes after 2 seconds (${head} head)`,
    { head, at: { 'findings.list 1': limited(2) }, ends: requests('graphql', 2) },
  ]),
  ...rowsFor(['clean', 'vulnerable'] as const, (head) => [
    `a run notices a push while it waits 6 seconds for the list of findings (${head} head)`,
    { head, at: { 'findings.list 1': limited(6), 'findings.list 2': push }, ends: requests('graphql', 3) },
  ]),
  ...rowsFor(
    [
      ['vulnerable', 1],
      ['clean', 2],
    ] as const,
    ([head, reads]) => [
      `with \`comment: never\`, a run for a ${head} head reads the pull request (times: ${reads})`,
      { head, inputs: { comment: 'never' }, ends: requests('graphql', reads) },
    ],
  ),
  'a clean run writes no comment if a push comes while it waits to publish the scan': {
    at: { 'scans.publish 1': [push, limited(60)] },
    inputs: toPublish,
  },
  'a clean run reads the pull request again for the comment if GitHub fails until the scan is published': {
    at: { 'scans.publish 1': limited(60), 'graphql 2-4': failing, 'pulls.read 1-3': failing },
    inputs: toPublish,
  },
  'a run that cannot read the findings reads the pull request for the comment again': {
    head: 'vulnerable',
    at: { 'findings.list': refusingAs(403, 'forbidden') },
    inputs: { 'timeout-minutes': '30' },
    ends: requests('graphql', 3),
  },
});
