import { cancelJob, fail, hanging, lost, onlyIf, refusingAs, unknown, unsent } from './effects.ts';
import { waits } from './ends.ts';
import { EVERYTHING_ALLOWED } from './everything-allowed.ts';
import type { OtherJobs } from './other-jobs.ts';
import { testScans } from './scan-rows.ts';
import type { Act, Effect } from './timeline.ts';

const POLLS = 'scans.read';
const CANCEL = 'scans.cancel';
const forbidden = refusingAs(403, 'forbidden');
const hasEnded = refusingAs(400, 'bad_request');
const isCancelling = (jobs: OtherJobs) => jobs.sent(CANCEL).length > 0;
/** The scan fails before the first request to cancel it arrives. */
const fails = onlyIf((jobs) => jobs.sent(CANCEL).length === 1, fail);
/** A user cancels the scan before the first request to cancel it arrives. */
const isCancelled: Act = ({ scenario }, { scanId }) =>
  void scenario.environment.service.control.cancel(scanId);

/** After its first poll, a run gets no answer 20 times. Then it cancels its scan, which still runs. */
const row = (cancel: Effect, read?: Effect) => ({
  scans: { runsForMs: 24 * 60 * 60_000 },
  at: {
    [`${POLLS} 2-21`]: lost,
    [CANCEL]: cancel,
    ...(read !== undefined && { [`${POLLS} 22-`]: onlyIf(isCancelling, read) }),
  },
  inputs: { 'timeout-minutes': '60' },
});

testScans('cancelling', {
  'a run reports a confirmed cancellation': row([]),
  'a run reports a cancellation whose answer was lost': row(lost),
  'a run reports that the scan had ended': row(fails),
  'a run reports that a user had cancelled the scan': row(isCancelled),
  'a run reports that the scan had ended if the answer was lost': row([fails, unsent]),
  'a run reports that the scan had ended if the service only says so': row(hasEnded, unsent),
  'a run repeats a refused cancellation of a running scan': {
    ...row(hasEnded),
    ends: waits(CANCEL, 2, 4, 8, 8, 8, 8, 8, 8, 8),
  },
  'a run repeats a cancellation that did not arrive': row(unsent),
  'a run repeats a lost cancellation of a scan that cannot be read': row(unsent, unsent),
  'a run names the scope that it needs to cancel its scan': row(forbidden, forbidden),
  'a run tries to cancel an unknown scan four times': row(unknown, unknown),
  'a run repeats a 404 for a scan that can be read': row(unknown),
  'a run repeats a lost cancellation of a scan that is not found': row(unsent, unknown),
});

// The bundle runs in real time, because GitHub kills a cancelled step after a few seconds.
const REAL_TIME = { timeScale: 1, inputs: EVERYTHING_ALLOWED } as const;
testScans('cancelling', REAL_TIME, {
  'a step that gets SIGINT during the scan cancels the scan, and fails': {
    service: { pace: { hold: true } },
    at: { [`${POLLS} 2`]: cancelJob },
  },
  'a step that gets SIGINT during the launch waits for the answer, and then cancels the scan': {
    service: { pace: { hold: true } },
    at: {
      'scans.launch': [cancelJob, ({ scenario }) => scenario.environment.pause(300).then(() => undefined)],
    },
  },
  'a step that gets SIGINT before the launch launches no scan': {
    // In real time, the request that the log names depends on the machine.
    driver: 'in process',
    at: { presets: [cancelJob, hanging] },
  },
});
