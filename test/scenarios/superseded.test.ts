import { describe, expect } from 'vitest';
import { close, failing, nothing, push, refusing, retarget, showing } from './effects.ts';
import {
  blocked,
  checkRuns,
  closedAfter,
  comments,
  endedAs,
  exits,
  notScanned,
  omits,
  outputs,
  paid,
  passed,
  requests,
  says,
  supersededBy,
} from './ends.ts';
import { allowing, BOTH_WAYS, EVERYTHING_ALLOWED } from './expect-result.ts';
import type { OtherJobs } from './other-jobs.ts';
import { pushed } from './reuse.ts';
import { testRuns } from './run-rows.ts';
import type { Act } from './timeline.ts';

const PUSHED = 'now has another head';
const RETARGETED = 'now has another base branch: "stable"';
const CHANGES = [
  ['updated by a push', push, PUSHED],
  ['moved to another base branch', retarget, RETARGETED],
] as const;
const CLEAN = { head: 'clean' } as const;
/** The reads of the pull request. A failed read sends three requests by GraphQL and three by REST. */
const READS = 'graphql|pulls.read';
const EVERYTHING_SHOWN = { comment: 'always', ...EVERYTHING_ALLOWED };

const olderHead: Act = ({ scenario: { repository } }) =>
  showing([/(?<="headRefOid":")[0-9a-f]+/, repository.id('low')]);

/** The run for a push that the next push has undone. */
function undonePush({ scenario }: OtherJobs) {
  const { headSha, repository } = scenario;
  const away = pushed(scenario, headSha, repository.id('low'));
  pushed(scenario, repository.id('low'), headSha);
  return away;
}

testRuns([
  {
    name: 'a re-run for an outdated head launches nothing',
    ...CLEAN,
    meanwhile: [push],
    attempt: 2,
    ends: notScanned('superseded', { launches: 0, texts: [PUSHED, 'See the run for that commit'] }),
  },
  {
    name: 'a first run launches nothing if a push changed the head before the run started',
    ...CLEAN,
    meanwhile: [push],
    ends: supersededBy(PUSHED),
  },
  {
    name: 'a run for a push launches nothing if the next push has undone that push',
    ...CLEAN,
    event: undonePush,
    ends: [
      endedAs('superseded'),
      ({ run, repository }) => expect(run.outputs['head-commit']).toBe(repository.id('low')),
      paid(0),
    ],
  },
  {
    name: 'a re-run launches a scan if GitHub first shows an older head, and then the current head',
    ...CLEAN,
    at: { 'graphql 1-2': olderHead },
    attempt: 2,
    ends: [passed, paid(1)],
  },
  ...CHANGES.flatMap(([what, change, text]) =>
    BOTH_WAYS.map(({ way, allowed }) => ({
      name: `a completed scan does not count if the pull request was ${what} while the scan ran (${way})`,
      ...CLEAN,
      at: { 'scans.read 1': change },
      inputs: { comment: 'always', ...allowing('superseded', allowed) },
      ends: [supersededBy(text, 1, { allowed }), outputs({ 'scan-status': 'COMPLETED' })],
    })),
  ),
  {
    name: 'a pull request without a change does not pass if it moves to another base branch',
    head: 'behind',
    at: { 'compare 1': retarget },
    ends: [endedAs('superseded'), exits(1)],
  },
  {
    name: 'a pull request that may pass unscanned does not pass if it moves to another base branch',
    service: { credits: 0 },
    at: { 'compare 1': retarget },
    inputs: { 'allow-unscanned': 'insufficient-credits' },
    ends: [endedAs('superseded'), exits(1)],
  },
  {
    name: 'a pull request without a change does not pass if it is closed during the run',
    head: 'behind',
    at: { 'compare 1': close },
    ends: notScanned('unsupported-event', { launches: 0, texts: ['is closed'] }),
  },
  {
    name: 'a run with a clean scan passes if the pull request is closed during the scan',
    ...CLEAN,
    at: { 'scans.read 1': close },
    ends: [passed, exits(0)],
  },
  {
    name: 'a run writes no comment if its first successful read shows a closed pull request',
    ...CLEAN,
    // The reads at the start and before the launch fail.
    at: { 'scans.read 1': close, [`${READS} 1-12`]: failing },
    inputs: EVERYTHING_SHOWN,
    ends: [
      endedAs('unsupported-event'),
      outputs({ 'comment-url': '' }),
      exits(1),
      comments(0),
      checkRuns({ status: 'completed', conclusion: 'failure' }),
    ],
  },
  {
    name: 'a blocked run stays blocked if the pull request moves to another base branch',
    at: { 'scans.read 1': retarget },
    inputs: EVERYTHING_ALLOWED,
    ends: [blocked, exits(1)],
  },
  {
    name: 'at the end, a run reads the pull request and its comments in one request',
    ...CLEAN,
    inputs: { comment: 'always' },
    ends: [
      passed,
      outputs({ 'comment-url': expect.stringMatching(/^http/) }),
      requests('graphql', 2),
      paid(1),
    ],
  },
]);

describe('a pull request that cannot be read', () => {
  const github = { permissions: { contents: 'read', checks: 'write' } } as const;
  testRuns([
    ...[1, 2].map((attempt) => ({
      name: `a run that may not read the pull request reports a configuration error (attempt ${attempt})`,
      ...CLEAN,
      github,
      inputs: EVERYTHING_ALLOWED,
      attempt,
      ends: notScanned('configuration', {
        launches: 0,
        texts: ['Add pull-requests: read', 'A re-run keeps the old permissions'],
      }),
    })),
    {
      name: 'a run needs no permission to read a pull request of a public repository',
      ...CLEAN,
      visibility: 'public',
      github,
      ends: passed,
    },
    ...(
      [
        ['rejects the token', 401, 'Check github-token'],
        ['finds no pull request', 404, 'github-token'],
      ] as const
    ).map(([what, status, text]) => ({
      name: `a run reports a configuration error if GitHub ${what}`,
      ...CLEAN,
      at: { [READS]: refusing(status) },
      inputs: EVERYTHING_ALLOWED,
      ends: notScanned('configuration', { launches: 0, texts: [text] }),
    })),
    {
      name: 'under a rate limit, a run uses the head and the base branch of the event',
      ...CLEAN,
      at: { [READS]: refusing(403, 'rate limit', { 'x-ratelimit-remaining': '0' }) },
      inputs: EVERYTHING_ALLOWED,
      ends: [passed, says('Using the head and base branch of the event instead')],
    },
    {
      name: 'a run repeats the request for a pull request that GitHub does not find at first',
      ...CLEAN,
      at: { [`${READS} 1-4`]: refusing(404, 'Not Found') },
      ends: [passed, omits('Using the head')],
    },
    ...BOTH_WAYS.map(({ way, allowed }) => ({
      name: `a re-run launches no scan if GitHub fails to show the pull request (${way})`,
      ...CLEAN,
      at: { [READS]: failing },
      inputs: allowing('service-error', allowed),
      attempt: 2,
      ends: notScanned('service-error', { allowed, launches: 0, texts: ['Re-run this job later.'] }),
    })),
  ]);
});

describe('a pull request that GitHub does not show on the first reads', () => {
  const supersededAfter = (launches: number, text: string) => supersededBy(text, launches, { allowed: true });
  testRuns([
    ...(
      [
        ['updated by a push', [push], supersededAfter(0, PUSHED)],
        ['moved to another base branch', [retarget], supersededAfter(0, RETARGETED)],
        ['closed', [close], closedAfter(0)],
        ['moved to another base branch and closed', [retarget, close], closedAfter(0)],
        ['updated by a push and closed', [push, close], closedAfter(0)],
        ['not changed', [], [passed, paid(1)]],
      ] as const
    ).map(([what, meanwhile, ends]) => ({
      name: `after a failed first read, a run scans only a pull request that has not changed: it was ${what}`,
      ...CLEAN,
      at: { [`${READS} 1-6`]: failing },
      // The event brings no new head, so a comment can already exist. For this reason, the run reads the comments.
      event: { action: 'reopened' },
      meanwhile,
      inputs: EVERYTHING_SHOWN,
      ends,
    })),
    ...(
      [
        ['updated by a push', push, supersededAfter(1, PUSHED)],
        ['moved to another base branch', retarget, supersededAfter(1, RETARGETED)],
        ['closed', close, [endedAs('unsupported-event'), exits(1), comments(0)]],
        ['not changed', nothing, [passed, comments(1)]],
      ] as const
    ).map(([what, change, ends]) => ({
      name: `a run passes only if its last read shows a pull request that has not changed: it was ${what}`,
      ...CLEAN,
      // The reads at the start, before the launch, and before the end fail. Only the fourth read shows the change.
      at: { 'scans.read 1': change, [`${READS} 1-18`]: failing },
      inputs: EVERYTHING_SHOWN,
      ends,
    })),
    {
      name: 'if GitHub fails, a run tries four times to read the pull request, each time with six requests',
      ...CLEAN,
      at: { [READS]: failing },
      inputs: { comment: 'always' },
      // At the start, before the launch, and twice before the end.
      ends: [passed, outputs({ 'comment-url': '' }), requests(READS, 4 * 6)],
    },
  ]);
});
