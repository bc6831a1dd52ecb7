import { describe } from 'vitest';
import { cancelJob, changes, close, failing, limited, push, pushes, refusing, showing } from './effects.ts';
import { comments, endedAs, exits, notScanned, omits, passed, requests, says, supersededBy } from './ends.ts';
import { EVERYTHING_ALLOWED } from './expect-result.ts';
import { pushed } from './reuse.ts';
import { testRuns } from './run-rows.ts';
import type { Act } from './timeline.ts';

/** The reads of the pull request. A failed read sends three requests by GraphQL and three by REST. */
const READS = 'graphql|pulls.read';
/** All reads after the read at the start of the run. */
const LATER_READS = `${READS} 2-`;
const CLEAN = { head: 'clean', driver: 'in process' } as const;
const PATIENT = { comment: 'always', 'timeout-minutes': '40' };
const PUSHED = 'now has another head';
/** When the pull request was last updated, before each run. */
const START = '2026-01-15T12:00:00Z';
const OLDER = '2026-01-15T11:59:00Z';
const NEWER = '2026-01-15T12:05:00Z';

const at = (time: string) => [/(?<="updatedAt":")[^"]+/, time] as const;
const ofHead = (sha: string) => [/(?<="headRefOid":")[0-9a-f]+/, sha] as const;
const onBranch = (name: string) => [/(?<="baseRefName":")[^"]+/, name] as const;
const withoutBase = [/"baseRef":\{[^}]*\}\}/, '"baseRef":null'] as const;
/** GitHub shows the head `low`, as it was at this time. */
const lowHead =
  (time: string): Act =>
  ({ scenario: { repository } }) =>
    showing(ofHead(repository.id('low')), at(time));
/** The event of a push that replaced the head `low`. */
const replacingLow = {
  event: ({ scenario }: Parameters<Act>[0]) =>
    pushed(scenario, scenario.repository.id('low'), scenario.headSha),
};
const inDoubt = says('older state');

testRuns([
  {
    name: 'a run passes if the pull request was edited during the scan, and its head and base are the same',
    ...CLEAN,
    at: { 'scans.read 1': changes({ title: 'Better' }) },
    ends: [passed, exits(0), omits('##[warning]')],
  },
  {
    name: 'a run passes if the pull request was merged and its base branch was deleted during the scan',
    ...CLEAN,
    at: { 'scans.read 1': changes({ state: 'merged' }), 'graphql 2': showing(withoutBase) },
    ends: [passed, omits('##[warning]')],
  },
  {
    name: 'a run does not pass if GitHub shows an open pull request without its base branch at the end',
    ...CLEAN,
    at: { 'graphql 2-': showing(withoutBase) },
    // At the start, four times before the end, and for the comment.
    ends: [endedAs('service-error'), exits(1), says('not its base branch "main"'), requests('graphql', 6)],
  },
  ...[1, 2].flatMap((attempt) => [
    {
      name: `a run does not pass if there is a push during the scan (attempt ${attempt})`,
      ...CLEAN,
      at: { 'scans.read 1': push },
      attempt,
      ends: supersededBy(PUSHED, 1),
    },
    {
      name: `a run does not pass if the base branch is changed during the scan (attempt ${attempt})`,
      ...CLEAN,
      at: { 'scans.read 1': changes({ baseRef: 'stable' }) },
      attempt,
      ends: supersededBy('now has another base branch: "stable"', 1),
    },
  ]),
  {
    name: 'a run does not pass if the author pushes the previous head again during the scan',
    ...CLEAN,
    ...replacingLow,
    at: { 'scans.read 1': pushes('low') },
    ends: supersededBy(PUSHED, 1),
  },
  ...(['closed', 'merged'] as const).map((state) => ({
    name: `a run does not pass if its first successful read shows that the pull request is ${state}`,
    ...CLEAN,
    at: { [`${READS} 1-12`]: failing, 'scans.read 1': changes({ state }) },
    ends: [endedAs('unsupported-event'), exits(1), says('is closed')],
  })),
]);

describe('GitHub answers the last read with an older state', () => {
  testRuns([
    {
      name: 'a run passes if GitHub shows an older state with another base branch',
      ...CLEAN,
      at: { 'graphql 2-': showing(onBranch('stable'), at(OLDER)) },
      inputs: { comment: 'always' },
      ends: [passed, inDoubt, requests('graphql', 5), comments(1)],
    },
    {
      name: 'a run passes if GitHub shows an older state with the head before the push',
      ...CLEAN,
      ...replacingLow,
      at: { 'graphql 2-': lowHead(OLDER) },
      ends: [passed, inDoubt],
    },
    {
      name: 'a run that has not read the pull request yet passes if GitHub shows the head before the push',
      ...CLEAN,
      ...replacingLow,
      at: { [`${READS} 1-12`]: failing, 'graphql 7-': lowHead('2026-01-15T12:00:01Z') },
      ends: [passed, inDoubt],
    },
    {
      name: 'a run that has read the pull request does not pass if GitHub shows the head before the push',
      ...CLEAN,
      ...replacingLow,
      at: { 'graphql 2-': lowHead('2026-01-15T12:00:01Z') },
      ends: supersededBy(PUSHED, 1),
    },
    {
      name: 'the read at the start decides which state is older, and not the event',
      ...CLEAN,
      meanwhile: [changes({ title: 'Better' })],
      at: { 'graphql 2-': showing(onBranch('stable'), at(START)) },
      ends: [passed, inDoubt],
    },
  ]);
});

describe('a read during the run shows another state than the last read', () => {
  /** The findings come so late that the read that began with them is too old. The read shows this state. */
  const seen = (state: Act | ReturnType<typeof showing>) => ({
    'findings.list 1': limited(30),
    'graphql 2': state,
  });
  const refused = refusing(422);
  testRuns([
    {
      name: 'a run does not pass if a read shows a push, and the last read the state before it',
      ...CLEAN,
      at: seen(lowHead(NEWER)),
      ends: supersededBy(PUSHED, 1),
    },
    {
      name: 'a run does not pass if a read shows a push, and the last read no base branch',
      ...CLEAN,
      at: { ...seen(lowHead(NEWER)), 'graphql 3-': showing(withoutBase) },
      ends: supersededBy(PUSHED, 1),
    },
    ...[NEWER, '2026-01-15T12:06:00Z'].map((time) => ({
      name: `a run passes if a read shows a push, and the last read that it was undone: at ${time}`,
      ...CLEAN,
      at: { ...seen(lowHead(NEWER)), 'graphql 3-': showing(at(time)) },
      ends: passed,
    })),
    {
      name: 'a run does not pass if a read shows another base branch, and the last read fails',
      ...CLEAN,
      at: { ...seen(showing(onBranch('stable'), at(NEWER))), 'graphql 3-': refused, 'pulls.read': refused },
      ends: supersededBy('now has another base branch: "stable"', 1),
    },
    {
      name: 'a run does not pass if a read shows another head, and the last read fails for too long',
      ...CLEAN,
      at: {
        ...seen(lowHead(NEWER)),
        'findings.list 1': limited(900),
        'graphql 3-': refused,
        'pulls.read': refused,
      },
      inputs: PATIENT,
      ends: supersededBy(PUSHED, 1),
    },
    {
      name: 'a run passes if a read shows an older state with another head, and the last read fails',
      ...CLEAN,
      at: { ...seen(lowHead(OLDER)), 'graphql 3-': refused, 'pulls.read': refused },
      ends: [passed, says('less than 15 minutes old')],
    },
    {
      name: 'a run passes if a read shows that the pull request was closed during the run, and the last read fails',
      ...CLEAN,
      at: {
        'scans.read 1': close,
        'findings.list 1': limited(30),
        'graphql 3-': refused,
        'pulls.read': refused,
      },
      inputs: { comment: 'always' },
      ends: [passed, comments(0)],
    },
    {
      name: 'a run does not pass if its only answer shows a closed pull request, and the last read fails',
      ...CLEAN,
      at: {
        [`${READS} 1-12`]: failing,
        'scans.read 1': close,
        'findings.list 1': limited(30),
        'graphql 8-': refused,
        'pulls.read 7-': refused,
      },
      inputs: EVERYTHING_ALLOWED,
      ends: [endedAs('unsupported-event'), exits(1)],
    },
  ]);
});

describe('GitHub does not answer the last read', () => {
  const KNOWN = [passed, says('less than 15 minutes old')];
  const UNKNOWN = [endedAs('service-error'), exits(1)];
  testRuns([
    ...(
      [
        [14, 'after the first read', LATER_READS, 1, [...KNOWN, says('its first read')]],
        [14, 'after the first read', LATER_READS, 2, KNOWN],
        [14, 'from the start', READS, 1, [...KNOWN, says('base branch of the event')]],
        [15, 'after the first read', LATER_READS, 1, UNKNOWN],
        [15, 'after the first read', LATER_READS, 2, UNKNOWN],
        [15, 'from the start', READS, 1, UNKNOWN],
      ] as const
    ).map(([minutes, what, reads, attempt, ends]) => ({
      name: `what a run knows of the pull request serves for less than 15 minutes: GitHub fails ${what}, ${minutes} minutes, attempt ${attempt}`,
      ...CLEAN,
      at: { 'findings.list 1': limited(minutes * 60), [reads]: failing },
      inputs: PATIENT,
      attempt,
      ends,
    })),
    ...[401, 403].map((status) => ({
      name: `a run reports a wrong setup if GitHub refuses the last read with ${status}`,
      ...CLEAN,
      at: { [LATER_READS]: refusing(status) },
      inputs: EVERYTHING_ALLOWED,
      // At the start, and the refused requests by GraphQL and by REST, before the end and for the comment.
      ends: [
        notScanned('configuration', { launches: 1, texts: ['Could not read the pull request'] }),
        requests(READS, 5),
      ],
    })),
    {
      name: 'a run that is cancelled during its last read does not pass',
      ...CLEAN,
      at: { 'findings.list 1': limited(30), 'graphql 3': [cancelJob, failing] },
      inputs: EVERYTHING_ALLOWED,
      ends: [endedAs('scan-cancelled'), exits(1)],
    },
    {
      name: 'a run that times out during its last read asks GitHub once more',
      ...CLEAN,
      at: { 'graphql 2': { fault: 'hang-before' }, 'graphql 3': push },
      inputs: { 'timeout-minutes': '1' },
      ends: supersededBy(PUSHED, 1),
    },
    {
      name: 'a run that times out during its last read asks GitHub twice more',
      ...CLEAN,
      at: {
        'graphql 2': { fault: 'hang-before' },
        'graphql 3-5': failing,
        'pulls.read 1-3': failing,
        'graphql 6': push,
      },
      inputs: { 'timeout-minutes': '1' },
      ends: supersededBy(PUSHED, 1),
    },
    {
      name: 'a run that times out during its last read passes if GitHub then shows no change',
      ...CLEAN,
      at: { 'graphql 2': { fault: 'hang-before' } },
      inputs: { 'timeout-minutes': '1' },
      ends: [passed, omits('less than 15 minutes old')],
    },
  ]);
});
