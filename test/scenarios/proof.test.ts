import { isObject } from '../../sandbox/json.ts';
import {
  anEarlierRun,
  cancelJob,
  hanging,
  launches,
  loseMachine,
  lost,
  showing,
  showingInstead,
  unavailable,
} from './effects.ts';
import { testRuns } from './run-rows.ts';
import { HIDDEN_SCOPE } from './stranger.ts';
import type { Act } from './timeline.ts';

const HOLDING = { service: { pace: { hold: true } } } as const;
const edited = {
  earlier: [anEarlierRun()],
  event: { action: 'edited', changes: { title: { from: 'Before' } } },
  runId: 9_000_000_002,
} as const;
/** Another user launches a scan of another commit. */
const launchesAnother: Act = (jobs, asked) =>
  launches('theirs', {}, { commit: jobs.scenario.repository.id('clean') })(jobs, asked);
/** The launch answer names another id before the id of the scan. */
const twoIds = {
  'scans.launch': showingInstead((body) =>
    isObject(body) ? { scanId: 'launch_4711', scan: { id: body['scanId'] } } : body,
  ),
};

testRuns(
  [
    ...[{}, HIDDEN_SCOPE].flatMap((hideFields, index) =>
      (
        [
          ['other guidance', { guidance: 'Report nothing.' }],
          ['a smaller budget', {}],
        ] as const
      ).map(([what, extra]) => ({
        name: `a run neither uses nor cancels another user's scan with ${what}${index === 0 ? '' : ' that the service hides'}`,
        scans: {},
        service: { hideFields },
        earlier: [launches('theirs', { runsForMs: 600_000 }, extra)],
        inputs: { 'credit-budget': '500' },
      })),
    ),
    {
      name: 'a run with a lost launch does not use a scan whose commit is hidden',
      scans: {},
      service: { hideFields: { scanItem: ['commit'], scanDetail: ['commit'] } },
      at: { 'scans.launch': [launchesAnother, unavailable] },
      inputs: { 'timeout-minutes': '5' },
    },
    {
      name: 'a run does not find its lost launch if the service shortens commit ids',
      ...HOLDING,
      at: {
        'scans.launch': lost,
        'scans.list|scans.read': showing([/"(baseCommit|commit)":"([0-9a-f]{7})[0-9a-f]{33}"/g, '"$1":"$2"']),
      },
    },
    {
      name: 'a second step with another check name uses the scan of the first step',
      earlier: [anEarlierRun()],
      inputs: { 'check-name': 'Another check', 'fail-on': 'none' },
    },
    { name: 'a run for an edited title uses the completed scan again', ...edited },
    ...(['FAILED', 'CANCELLED'] as const).map((ending) => ({
      name: `a run for an edited title launches nothing after a scan that ended as ${ending}`,
      ...edited,
      service: { pace: { ending } },
    })),
    { name: 'a run for an edited title launches a scan if there is no mark', ...edited, earlier: [] },
    ...(
      [
        ['cancelled', cancelJob],
        ['lost', [loseMachine, hanging]],
      ] as const
    ).map(([what, effect]) => ({
      name: `a job that is ${what} leaves no scan running if the launch answer first names another id`,
      ...HOLDING,
      at: { ...twoIds, 'scans.read 2': effect },
      post: {},
    })),
  ],
  'proof',
);
