import * as v from 'valibot';
import { expect } from 'vitest';
import type { Answer, Interception } from '../../sandbox/faults/interception.ts';
import { fullScan, push } from './branch-events.ts';
import {
  cancelJob,
  hanging,
  launches,
  lost,
  marksOnlyIf,
  onlyIf,
  pushes,
  showing,
  showingInstead,
  since,
  unavailable,
  unknown,
  unsent,
  until,
  works,
} from './effects.ts';
import { omits, outputs } from './ends.ts';
import { EVERYTHING_ALLOWED } from './everything-allowed.ts';
import type { Course, OtherJobs } from './other-jobs.ts';
import type { End } from './run-rows.ts';
import { rowsFor, testScans } from './scan-rows.ts';
import { HIDDEN_SCOPE } from './stranger.ts';
import type { Act, Effect, Timeline } from './timeline.ts';

const LAUNCH = 'scans.launch';
const LIST = 'scans.list';
const LONG = { runsForMs: 300_000 };
const OF_OTHER = { key: { pullRequest: 8 } };
const SCANS = { scans: LONG };
const atLaunch = (effect: Effect): Timeline => ({ [LAUNCH]: effect });
const atFirstLaunch = (effect: Effect): Timeline => ({ [`${LAUNCH} 1`]: effect });
/** The service launches the scan, and answers with this body. */
const answering = (body: object): Interception => ({ rewrite: (answer) => ({ ...answer, body }) });
/** The service launches nothing, and answers with this scan. */
const launchingNothing = (scanId: string): Interception => ({ status: 202, body: { scanId } });
const launched = (jobs: OtherJobs) => jobs.count(LAUNCH) > 0;
const toBranch = ({ scenario }: OtherJobs) => push(scenario, { before: scenario.repository.id('start') });
/** The run leaves to the post step what it knows of its launch. */
const leaves =
  (text: string): End =>
  ({ run }) =>
    expect(run.state['running-scan'], run.log).toContain(text);

const NAMES_NONE = answering({ accepted: true });
const LOST: readonly (readonly [what: string, answer: Interception])[] = [
  ['is reset', lost],
  ['is cut', { fault: 'cut-body' }],
  ['never comes', { fault: 'hang-after' }],
  ['is a 503', { rewrite: () => ({ status: 503, body: 'Service Unavailable' }) }],
  ['is a page instead of JSON', { rewrite: () => ({ status: 200, body: '<html>Welcome</html>' }) }],
  ['is a redirect', { rewrite: () => ({ status: 307, headers: { location: '/elsewhere' }, body: '' }) }],
];
const hidden = ['baseCommit', 'commit'];

testScans('launch-answers', SCANS, {
  ...rowsFor(LOST, ([what, answer]) => [
    `if the answer to a launch ${what}, the run cancels the scan, and launches once more`,
    { at: atFirstLaunch(answer) },
  ]),
  ...rowsFor([...LOST.slice(0, 1), ['names no scan', NAMES_NONE] as const], ([what, answer]) => [
    `if the answer to a launch ${what}, and the service does not show what it scans, the run sends no second launch`,
    {
      scans: { runsForMs: 3_000_000 },
      at: atLaunch(answer),
      service: { hideFields: { scanItem: hidden, scanDetail: hidden } },
      ends: leaves('"before":{"ids":['),
    },
  ]),
  'a run cancels the scan of a lost launch even if the service hides all but base and commit': {
    at: atFirstLaunch(lost),
    service: {
      hideFields: {
        ...HIDDEN_SCOPE,
        scanDetail: [...(HIDDEN_SCOPE.scanDetail ?? []), 'repositoryId', 'presetRef'],
      },
    },
  },
  'if the answer to a launch names no scan, the run cancels the scan, and launches no other one': {
    at: atLaunch(NAMES_NONE),
  },
  'after a lost launch, a re-run launches nothing if the marks cannot be read': {
    at: {
      ...atFirstLaunch(lost),
      'check.list': onlyIf((jobs) => jobs.cancelled().length > 0, unavailable),
    },
    attempt: 2,
  },
  'a run launches at most once more after a lost launch': {
    at: atLaunch(lost),
    ends: outputs({ 'credits-pull-request': '40' }),
  },
  'a run launches no other scan if the scan of its lost launch has already ended': {
    scans: { runsForMs: 0 },
    at: atFirstLaunch(lost),
  },
  'after a lost launch, a run launches nothing if the pull request has another head': {
    at: atFirstLaunch([pushes('clean'), lost]),
  },
  'after a lost launch, a run uses a scan of this change that another job has marked meanwhile': {
    at: atFirstLaunch([...works('theirs', { runsForMs: 90_000 }), lost]),
  },
  'a lost launch stays unknown if another job marks the only new scan': {
    at: atFirstLaunch([...works('theirs', LONG, OF_OTHER), unavailable]),
  },
  'a run does not cancel the new scan of another user that has half the budget': {
    service: { hideFields: { scanDetail: HIDDEN_SCOPE.scanDetail ?? [] } },
    at: atLaunch([onlyIf((jobs) => !jobs.has('theirs'), launches('theirs', LONG)), unavailable]),
    inputs: { 'credit-budget': '40' },
  },
  'a run leaves its lost launch to the post step if it cannot cancel the scan': {
    scans: { runsForMs: 3_000_000 },
    at: { ...atLaunch(lost), 'scans.cancel': unsent },
    ends: leaves('"before":{"ids":['),
  },
  'a run does not look for the scan of a lost launch of a full scan': {
    at: atLaunch(lost),
    event: ({ scenario }) => fullScan(scenario, 'workflow_dispatch'),
    inputs: { preset: 'full-audit' },
    ends: leaves('"before"'),
  },
});

const unlisted: Timeline = { [LIST]: unavailable };
testScans('launch-answers', SCANS, {
  'a run launches nothing if it cannot read the scan list': { at: unlisted },
  'a run reads the scan list again after it has followed an earlier scan': {
    earlier: works('earlier', { runsForMs: 20_000, endsAs: 'FAILED' }),
    at: { [LIST]: onlyIf((jobs) => jobs.count('scans.read') === 0, unavailable) },
  },
  'a run uses a scan that a mark names even if it cannot read the scan list': {
    earlier: works('theirs', { runsForMs: 20_000 }),
    at: unlisted,
  },
});

/** The service does not know the scan of the launch for this time after the launch. */
const unknownFor = (ms: number): Timeline => {
  let launchedAt = Number.POSITIVE_INFINITY;
  return {
    [LAUNCH]: (jobs) => {
      launchedAt = jobs.now();
      return undefined;
    },
    'scans.read': onlyIf((jobs) => jobs.now() < launchedAt + ms, unknown),
  };
};
testScans('launch-answers', SCANS, {
  'a run follows its scan if the service shows it after 50 seconds': { at: unknownFor(50_000) },
  'a run follows its scan if the service lists it, and shows it after 70 seconds': { at: unknownFor(70_000) },
  'if the answer names an unknown scan, a run cancels the only new scan, and launches no other one': {
    at: atLaunch(answering({ scanId: 'launch_4711' })),
  },
  'if the answer names an unknown scan, a run leaves the launch to the post step if the service lists no new scan':
    {
      at: atLaunch(launchingNothing('launch_4711')),
      ends: [leaves('"scanId":"launch_4711"'), outputs({ 'credits-pull-request': '0' })],
    },
  'a run uses the first of the ids in the launch answer': {
    at: atLaunch(answering({ scanId: 'own-1', scan: { id: 'job_1' }, id: 'x' })),
  },
  'a run does not search the scan list for a scan that the service has already shown': {
    scans: {},
    at: { 'scans.read': since(20_001, unknown) },
    ends: omits('Looking for it'),
  },
});

const withoutScans = showingInstead(() => ({ items: [], page: 1, limit: 100, total: 0 }));
const ENTRIES = v.looseObject({ items: v.array(v.looseObject({ id: v.string() })) });
/** Makes the list the first page of 500 scans, from which the scan `left` is left out. */
const asPage = (left?: string): Interception => ({
  rewrite: (answer: Answer): Answer => {
    const { items, ...rest } = v.parse(ENTRIES, answer.body);
    return { ...answer, body: { ...rest, items: items.filter(({ id }) => id !== left), total: 500 } };
  },
});
const TIMELESS = { hideFields: { scanDetail: ['createdAt'], scanItem: ['createdAt'] } };
const createdEarlier = showing([/"createdAt":"[^"]*"/, '"createdAt":"2026-01-14T00:00:00Z"']);
const before = (effect: Effect): Act => onlyIf((jobs) => !launched(jobs), effect);
/** A scan of another user is older than the launch. The service launches nothing, and answers with that scan. */
const OLDER = { ...SCANS, earlier: [launches('theirs', { runsForMs: 90_000 })] };
const NOTHING_LAUNCHED = atLaunch(launchingNothing('theirs'));
testScans('launch-answers', OLDER, {
  'a run neither uses nor cancels a scan that the list showed before the launch': {
    at: NOTHING_LAUNCHED,
    ends: (_result, jobs) => expect(jobs.count('scans.read')).toBe(0),
  },
  'a run neither uses nor cancels a scan that is older than the launch, but not in the list before': {
    at: {
      [LIST]: before(withoutScans),
      'scans.read': createdEarlier,
      // With this date, the run marks the scan before it has read its record.
      [LAUNCH]: { ...launchingNothing('theirs'), headers: { date: 'Thu, 15 Jan 2026 12:00:01 GMT' } },
    },
    ends: outputs({ 'credits-pull-request': '0' }),
  },
  'a run neither uses nor cancels an older scan if it knows no scan from before the launch': {
    service: TIMELESS,
    at: { ...NOTHING_LAUNCHED, [LIST]: [asPage(), before(asPage('theirs'))] },
  },
  'a run follows its scan above a scan from before the launch, even if the list shows it late': {
    service: TIMELESS,
    at: { [LIST]: [asPage(), until(20_000, asPage('own-1'))] },
  },
  'a run leaves its scan to the post step if no list can prove that the scan is new': {
    earlier: [],
    service: TIMELESS,
    at: { [LIST]: [unavailable, before(asPage())] },
    ends: leaves('"scanId":"own-1","launch":{'),
  },
  'a run neither uses nor cancels a scan that a mark showed before the launch': {
    earlier: works('theirs', { runsForMs: 90_000 }, { mark: { pullRequest: 8 }, ...OF_OTHER }),
    at: { ...NOTHING_LAUNCHED, [LIST]: withoutScans },
  },
  'a run neither uses nor cancels again the scan of its lost launch, even if no list shows it': {
    earlier: [],
    at: {
      [LIST]: onlyIf((jobs) => jobs.cancelled().length > 0, withoutScans),
      [`${LAUNCH} 1`]: lost,
      [`${LAUNCH} 2`]: launchingNothing('own-1'),
    },
  },
  'a run neither uses nor cancels its own first scan, which it cancelled': {
    earlier: [],
    at: {
      [`${LAUNCH} 1`]: works('twin', { runsForMs: 20_000, endsAs: 'FAILED' }),
      [`${LAUNCH} 2`]: launchingNothing('own-1'),
    },
  },
});

const CUT_SHORT = { ...SCANS, inputs: EVERYTHING_ALLOWED };
testScans('launch-answers', CUT_SHORT, {
  'a job fails if it is cancelled while it sends the launch': {
    at: atLaunch([cancelJob, hanging]),
    ends: leaves('"before":{"ids":[]'),
  },
  'a job fails if it is cancelled while it searches for the launched scan': {
    at: { ...atLaunch(unsent), [LIST]: onlyIf(launched, [cancelJob, hanging]) },
  },
  'a cancelled job does not use the scan of another run': {
    at: atLaunch([...works('theirs', LONG, OF_OTHER), cancelJob, hanging]),
  },
  'a run reports an unknown launch if it times out while it sends the launch': {
    at: atLaunch(hanging),
    inputs: { 'timeout-minutes': '1' },
  },
});

/** The service asks for a wait of a minute. */
const LIMIT = {
  status: 429,
  headers: { 'retry-after': '60' },
  body: { error: { code: 'rate_limited', message: 'Too many requests.' } },
};
const limitedFirst = (...acts: readonly Act[]): Timeline => ({
  [`${LAUNCH} 1`]: [...acts, LIMIT],
  [`${LAUNCH} 2-`]: unavailable,
});
const ofPush = { mark: { pullRequest: undefined }, key: { pullRequest: undefined } };
/** GitHub lists the mark of another job only after 10 seconds. */
const markedLate = (options = {}): readonly Act[] => [
  launches('theirs', { runsForMs: 90_000 }),
  marksOnlyIf((jobs) => jobs.now() > 10_000, 'theirs', options),
];
testScans('launch-answers', SCANS, {
  'a run uses a scan that another job marks during a rate limit before the first launch': {
    earlier: markedLate(),
    at: { 'presets 1': LIMIT },
  },
  'a run for a push uses a scan that another job marks during a rate limit before the first launch': {
    earlier: markedLate(ofPush),
    event: toBranch,
    at: { 'presets 1': LIMIT },
  },
  'a run uses a scan that another job marks during a rate limit': {
    at: { [`${LAUNCH} 1`]: [...works('theirs', { runsForMs: 90_000 }), LIMIT] },
  },
  'a run does not use an unmarked scan that another user launches during a rate limit': {
    at: limitedFirst(launches('theirs', LONG)),
  },
});

const FAILING: Course = { runsForMs: 20_000, endsAs: 'FAILED' };
testScans('launch-answers', SCANS, {
  "a run ignores another user's scan that started before the lost launch": {
    earlier: works('earlier', FAILING),
    at: { 'scans.read 1': launches('theirs', LONG), [LAUNCH]: unavailable },
  },
  "a run ignores another user's scan that started before the second launch": {
    at: {
      [`${LAUNCH} 1`]: works('twin', FAILING),
      'scans.read/twin': since(15_000, launches('theirs', LONG)),
      [`${LAUNCH} 2`]: unavailable,
    },
  },
  ...rowsFor(
    [
      ['a pull request', {}],
      ['a push', toBranch],
    ],
    ([what, event]) => [
      `a run for ${what} uses a scan whose id is too long for a mark, and logs a notice`,
      { scanId: 's'.repeat(250), event },
    ],
  ),
});
