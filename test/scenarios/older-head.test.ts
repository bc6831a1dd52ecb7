import * as v from 'valibot';
import { describe, expect } from 'vitest';
import type { Interception } from '../../sandbox/faults/interception.ts';
import { push as pushToBranch } from './branch-events.ts';
import {
  aLostRun,
  anEarlierRun,
  close,
  fail,
  failing,
  onlyIf,
  push,
  pushes,
  refusing,
  refusingAs,
  showing,
  showingInstead,
} from './effects.ts';
import { endedAs, exits, omits, outputs, passed, readsScans, requests, says, scans } from './ends.ts';
import type { Course, MarkOptions, OtherJobs } from './other-jobs.ts';
import { type Head, openRepository } from './repository.ts';
import { pushed } from './reuse.ts';
import { type End, type RunRow, testRuns } from './run-rows.ts';
import type { Act, Effect, Timeline } from './timeline.ts';

const HOUR = 60 * 60_000;
/** The reads of the pull request. A failed read sends three requests by GraphQL and three by REST. */
const READS = 'graphql|pulls.read';
const HOLDING = { service: { pace: { hold: true } } } as const;
const NEW_PASS = outputs({ outcome: 'passed', 'scan-reused': 'false' });
const CANCELLED = { status: 'CANCELLED' } as const;
const pushedTo =
  (head: Head, before: Head = 'vulnerable') =>
  ({ scenario }: OtherJobs) =>
    pushed(scenario, scenario.repository.id(before), scenario.repository.id(head));
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
const reservesNothing: End = ({ environment }) => expect(environment.service.ledger().reserved).toBe(0);

/** The run for the event `action` on another head. Its payload does not name the previous head. */
const withoutBefore = (action: string) => (jobs: OtherJobs) => {
  const { runId } = pushedTo('clean')(jobs);
  const { environment, repository } = jobs.scenario;
  const payload = environment.pullRequestPayload({ action, headSha: repository.id('clean') });
  return { event: { name: 'pull_request', payload }, runId };
};

const { id } = await openRepository();
const TWO = [7, 8].map((number) => ({ number, headSha: id('vulnerable'), baseRef: 'main' }));
const ofSecond = ({ scenario: { environment } }: OtherJobs) => ({
  event: { name: 'pull_request', payload: environment.pullRequestPayload({ number: 8 }) },
});

describe('a push while the scan of the previous head runs', () => {
  testRuns([
    ...(
      [
        ['the check runs come with the pull request', {}, 2],
        ['the check runs come in an answer of their own', { graphql: withoutChecks }, 3],
      ] as const
    ).map(([what, at, lists]) => ({
      name: `a push cancels the running scan of the previous head (${what})`,
      ...HOLDING,
      earlier: [aLostRun()],
      event: pushedTo('clean'),
      at: { ...at, ...releases },
      ends: [
        NEW_PASS,
        scans({ status: 'COMPLETED' }, CANCELLED),
        reservesNothing,
        cancelsFirst,
        requests('check.list', lists),
      ],
    })),
    ...['edited', 'reopened'].map(
      (action): RunRow => ({
        name: `a run for the event \`${action}\` finds the previous head in the comment, and cancels the scan of that head`,
        service: { ...HOLDING.service, hideFields: { scanItem: ['commit'] } },
        earlier: [
          anEarlierRun({}, { 'scans.read': completes }),
          aLostRun({ 'reuse-scan': 'false' }, () => ({ runAttempt: 2 })),
        ],
        event: withoutBefore(action),
        at: releases,
        ends: [NEW_PASS, scans({ status: 'COMPLETED' }, CANCELLED, { status: 'COMPLETED' }), reservesNothing],
      }),
    ),
    {
      name: 'a push does not cancel the scan of another pull request, even if both have the same base',
      ...HOLDING,
      github: { pullRequests: TWO },
      earlier: [aLostRun({}, ofSecond)],
      event: pushedTo('clean', 'medium'),
      at: releases,
      ends: [passed, scans({}, { status: 'QUEUED' }), requests('scans.cancel', 0)],
    },
    ...(
      [
        ['leaves nothing to scan', 'start', {}, outputs({ outcome: 'unchanged' })],
        [
          'changes only unscanned paths',
          'documents',
          { 'paths-unscanned': 'docs/**\n**/*.md' },
          endedAs('paths'),
        ],
      ] as const
    ).map(([what, head, inputs, end]) => ({
      name: `a push that ${what} cancels the running scan of the previous head`,
      ...HOLDING,
      earlier: [aLostRun()],
      event: pushedTo(head),
      inputs,
      ends: [end, exits(0), scans(CANCELLED), reservesNothing],
    })),
    ...(
      [
        ['that has a change to scan', 'another push', 'clean', push, 'superseded'],
        ['that has nothing to scan', 'another push', 'start', push, 'superseded'],
        ['that has nothing to scan', 'the closing of the pull request', 'start', close, 'unsupported-event'],
      ] as const
    ).map(([what, shown, head, change, reason]) => ({
      name: `a run ${what} launches nothing if GitHub goes down after ${shown}`,
      ...HOLDING,
      earlier: [aLostRun()],
      event: pushedTo(head),
      // The second read comes before the cancellation.
      at: { 'scans.read 1': change, [`${READS} 3-`]: failing },
      ends: [endedAs(reason), exits(1), requests('scans.launch', 0)],
    })),
  ]);
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
  event: pushedTo('clean', 'low'),
  at,
});
/** The scans that the run asks the service to cancel. */
const cancels =
  (...scanIds: readonly string[]): End =>
  ({ run }, jobs) =>
    expect(jobs.cancelled(), run.log).toEqual(scanIds);
const reports = (scanId: string) =>
  says(`Cancelled scan \`${scanId}\` of the older head commit \`${id('low')}\`. The service releases`);
const warns = (scanId: string) =>
  says(`Scan \`${scanId}\` for an earlier commit may still be running and using credits. Check it`);
const silent = omits('Cancelled scan', 'for an earlier commit');
const ofScan = (effect: Effect): Timeline => ({ 'scans.read/s': effect });
describe('the scans of older heads', () => {
  testRuns([
    {
      name: 'a run cancels a scan with an unknown status',
      ...replacing(ofScan(showing([/"QUEUED"|"RUNNING"/, '"WINDING_DOWN"']))),
      ends: [passed, cancels('s'), reports('s')],
    },
    {
      name: 'a run cancels a scan once that several marks name',
      ...replacing({}, older('s'), async (jobs) => {
        const low = jobs.scenario.repository.id('low');
        await jobs.mark('s', { headSha: low, mark: { headSha: low } });
        return undefined;
      }),
      ends: [passed, cancels('s'), requests('scans.cancel', 1), reports('s')],
    },
    {
      name: 'a run cancels at most three scans of older heads',
      ...replacing({}, older('a'), older('b'), older('c'), older('d')),
      ends: [passed, ({ run }, jobs) => expect(jobs.cancelled(), run.log).toHaveLength(3)],
    },
    {
      name: 'a run does not read a scan that the list shows as ended',
      ...replacing({}, older('s', { runsForMs: 0, endsAs: 'FAILED' })),
      ends: [passed, readsScans(), silent],
    },
    {
      name: 'a run cancels no scan that has ended',
      ...replacing(ofScan(completes)),
      ends: [passed, cancels(), silent],
    },
    ...(
      [
        ['of a merge group', { mark: { pullRequest: undefined } }],
        ['of another pull request', { mark: { pullRequest: 6 } }],
        ['that this run launched', { mark: { runId: 9_000_000_002 } }],
        ['that a later run launched', { mark: { runId: 9_000_000_003 } }],
        ['of another head than its mark', { commit: 'medium' }],
      ] as const
    ).map(([what, options]) => ({
      name: `a run cancels no scan ${what}`,
      ...replacing({}, older('s', options)),
      ends: [passed, cancels(), silent],
    })),
    {
      name: 'a run for a push to a branch cancels no scan',
      ...replacing(),
      event: ({ scenario }) => pushToBranch(scenario, { before: scenario.repository.id('low') }),
      ends: [passed, cancels(), silent],
    },
    {
      name: 'a run cancels no scan of another repository',
      ...replacing(ofScan(showing([/"repositoryId":"[^"]*"/, '"repositoryId":"repo_other"']))),
      ends: [passed, cancels(), silent],
    },
    {
      name: 'a run cancels no scan of a head that a force push has restored',
      ...replacing(ofScan(pushes('low'))),
      ends: [endedAs('superseded'), cancels(), requests('scans.launch', 0), silent],
    },
    {
      name: 'a run warns of a scan if the pull request cannot be read',
      ...replacing({ [READS]: onlyIf((jobs) => jobs.sent('scans.read').length === 1, refusing(403)) }),
      ends: [cancels(), warns('s')],
    },
    {
      name: 'a run does not mention a scan that the service does not know',
      ...replacing(ofScan(refusingAs(404, 'not_found'))),
      ends: [passed, cancels(), silent],
    },
    {
      name: 'a run warns of a scan that cannot be read, and cancels the next scan',
      ...replacing(ofScan(refusingAs(403, 'forbidden')), older('s'), older('t')),
      ends: [passed, cancels('t'), warns('s'), reports('t')],
    },
    {
      name: 'a run warns of a scan that cannot be cancelled',
      ...replacing({ 'scans.cancel': refusingAs(500, 'internal') }),
      ends: [passed, cancels('s'), warns('s'), omits('Cancelled scan')],
    },
    {
      name: 'a run does not mention a scan that ends before the cancellation',
      ...replacing({ 'scans.cancel 1': fail }),
      ends: [passed, cancels('s'), silent],
    },
  ]);
});
