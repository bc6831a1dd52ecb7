import * as v from 'valibot';
import { expect } from 'vitest';
import type { Interception } from '../../sandbox/faults/interception.ts';
import { push as pushToBranch } from './branch-events.ts';
import {
  aLostRun,
  anEarlierRun,
  close,
  fail,
  failing,
  marks,
  onlyIf,
  push,
  pushes,
  READS,
  refusing,
  refusingAs,
  showing,
  showingInstead,
  unknown,
} from './effects.ts';
import { readsScans, requests } from './ends.ts';
import type { Course, MarkOptions, OtherJobs } from './other-jobs.ts';
import { type Head, openRepository } from './repository.ts';
import { pushOf } from './reuse.ts';
import type { End } from './run-rows.ts';
import { rowsFor, testScans } from './scan-rows.ts';
import type { Act, Effect, Timeline } from './timeline.ts';

const HOUR = 60 * 60_000;
const HOLDING = { service: { pace: { hold: true } } } as const;
/** The scan of the request completes. */
const completes: Act = ({ scenario }, { scanId }) =>
  void scenario.environment.service.control.release(scanId);
/** The scan of the request completes, if the newest run has launched it. */
const releaseNew: Act = ({ scenario: { environment } }, { scanId }) => {
  const { service } = environment;
  if (service.scans().length > 1 && service.scans()[0]?.id === scanId) service.control.release(scanId);
  return undefined;
};
const releases: Timeline = { 'scans.read': releaseNew };

/** GraphQL shows no check runs of the previous head. */
const withoutChecks: Interception = showingInstead((body) => {
  const { data } = v.parse(v.object({ data: v.object({ repository: v.looseObject({}) }) }), body);
  return { data: { ...data, repository: { ...data.repository, previous: null } } };
});
/** The launch may need the credits that the older scan reserved. */
const cancelsFirst: End = (_result, jobs) =>
  expect(jobs.sent('scans.cancel|scans.launch').map(({ point }) => point)).toEqual([
    'scans.cancel',
    'scans.launch',
  ]);

/** The run for the event `action` on another head. Its payload does not name the previous head. */
const withoutBefore = (action: string) => (jobs: OtherJobs) => {
  const { runId } = pushOf('clean')(jobs);
  const { environment, repository } = jobs.scenario;
  const payload = environment.pullRequestPayload({ action, headSha: repository.id('clean') });
  return { event: { name: 'pull_request', payload }, runId };
};

const { id } = await openRepository();
const TWO = [7, 8].map((number) => ({ number, headSha: id('vulnerable'), baseRef: 'main' }));
const ofSecond = ({ scenario: { environment } }: OtherJobs) => ({
  event: { name: 'pull_request', payload: environment.pullRequestPayload({ number: 8 }) },
});

testScans('older-head', {
  ...rowsFor(
    [
      ['the check runs come with the pull request', {}, 2],
      ['the check runs come in an answer of their own', { graphql: withoutChecks }, 3],
    ],
    ([what, at, lists]) => [
      `a push cancels the running scan of the previous head (${what})`,
      {
        ...HOLDING,
        earlier: [aLostRun()],
        event: pushOf('clean'),
        at: { ...at, ...releases },
        ends: [cancelsFirst, requests('check.list', lists)],
      },
    ],
  ),
  ...rowsFor(['edited', 'reopened'], (action) => [
    `a run for the event \`${action}\` finds the previous head in the comment, and cancels the scan of that head`,
    {
      service: { ...HOLDING.service, hideFields: { scanItem: ['commit'] } },
      earlier: [
        anEarlierRun({}, { 'scans.read': completes }),
        aLostRun({ 'reuse-scan': 'false' }, () => ({ runAttempt: 2 })),
      ],
      event: withoutBefore(action),
      at: releases,
    },
  ]),
  'a push does not cancel the scan of another pull request, even if both have the same base': {
    ...HOLDING,
    github: { pullRequests: TWO },
    earlier: [aLostRun({}, ofSecond)],
    event: pushOf('clean', 'medium'),
    at: releases,
  },
  ...rowsFor(
    [
      ['leaves nothing to scan', 'start', {}],
      ['changes only unscanned paths', 'documents', { 'paths-unscanned': 'docs/**\n**/*.md' }],
    ],
    ([what, head, inputs]) => [
      `a push that ${what} cancels the running scan of the previous head`,
      { ...HOLDING, earlier: [aLostRun()], event: pushOf(head), inputs },
    ],
  ),
  ...rowsFor(
    [
      ['that has a change to scan', 'another push', 'clean', push],
      ['that has nothing to scan', 'another push', 'start', push],
      ['that has nothing to scan', 'the closing of the pull request', 'start', close],
    ],
    ([what, shown, head, change]) => [
      `a run ${what} launches nothing if GitHub goes down after ${shown}`,
      {
        ...HOLDING,
        earlier: [aLostRun()],
        event: pushOf(head),
        // The second read comes before the cancellation.
        at: { 'scans.read 1': change, [`${READS} 3-`]: failing },
      },
    ],
  ),
});

/** Another job has launched this scan for the head `low`, and its check run names the scan. */
const older =
  (scanId: string, { runsForMs = HOUR, endsAs, commit = 'low', ...options }: Older = {}): Act =>
  async (jobs) => {
    const { repository } = jobs.scenario;
    const low = repository.id('low');
    await jobs.launch(scanId, { runsForMs, ...(endsAs && { endsAs }) }, { commit: repository.id(commit) });
    await jobs.mark(scanId, { ...options, headSha: low, mark: { headSha: low, ...options.mark } });
    return undefined;
  };
interface Older extends MarkOptions, Course {
  readonly commit?: Head;
}
/** The run for a push that replaced the head `low`, while the scan `s` of that head runs. */
const replacing = (at: Timeline = {}, ...earlier: readonly Act[]) => ({
  head: 'clean' as const,
  scans: {},
  earlier: earlier.length > 0 ? earlier : [older('s')],
  event: pushOf('clean', 'low'),
  at,
});
const ofScan = (effect: Effect): Timeline => ({ 'scans.read/s': effect });
testScans('older-head', {
  'a run cancels a scan with an unknown status': {
    ...replacing(ofScan(showing([/"QUEUED"|"RUNNING"/, '"WINDING_DOWN"']))),
  },
  'a run cancels a scan once that several marks name': {
    ...replacing({}, older('s'), marks('s', { headSha: id('low'), mark: { headSha: id('low') } })),
  },
  'a run cancels at most three scans of older heads': {
    ...replacing({}, older('a'), older('b'), older('c'), older('d')),
  },
  'a run does not read a scan that the list shows as ended': {
    ...replacing({}, older('s', { runsForMs: 0, endsAs: 'FAILED' })),
    ends: readsScans(),
  },
  'a run cancels no scan that has ended': replacing(ofScan(completes)),
  ...rowsFor(
    [
      ['of a merge group', { mark: { pullRequest: undefined } }],
      ['of another pull request', { mark: { pullRequest: 6 } }],
      ['that this run launched', { mark: { runId: 9_000_000_002 } }],
      ['that a later run launched', { mark: { runId: 9_000_000_003 } }],
      ['of another head than its mark', { commit: 'medium' }],
    ],
    ([what, options]) => [`a run cancels no scan ${what}`, { ...replacing({}, older('s', options)) }],
  ),
  'a run for a push to a branch cancels no scan': {
    ...replacing(),
    event: ({ scenario }) => pushToBranch(scenario, { before: scenario.repository.id('low') }),
  },
  'a run cancels no scan of another repository': {
    ...replacing(ofScan(showing([/"repositoryId":"[^"]*"/, '"repositoryId":"repo_other"']))),
  },
  'a run cancels no scan of a head that a force push has restored': { ...replacing(ofScan(pushes('low'))) },
  'a run warns of a scan if the pull request cannot be read': {
    ...replacing({ [READS]: onlyIf((jobs) => jobs.sent('scans.read').length === 1, refusing(403)) }),
  },
  'a run does not mention a scan that the service does not know': replacing(ofScan(unknown)),
  'a run warns of a scan that cannot be read, and cancels the next scan': {
    ...replacing(ofScan(refusingAs(403, 'forbidden')), older('s'), older('t')),
  },
  'a run warns of a scan that cannot be cancelled': {
    ...replacing({ 'scans.cancel': refusingAs(500, 'internal') }),
  },
  'a run does not mention a scan that ends before the cancellation': {
    ...replacing({ 'scans.cancel 1': fail }),
  },
});
