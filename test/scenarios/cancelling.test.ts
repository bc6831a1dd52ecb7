import { describe, expect } from 'vitest';
import { fail, lost, onlyIf, refusingAs, unsent } from './effects.ts';
import { endedAs, outputs, requests, says, scans, waits } from './ends.ts';
import type { OtherJobs } from './other-jobs.ts';
import { type End, testRuns } from './run-rows.ts';
import type { Act, Effect } from './timeline.ts';

const POLLS = 'scans.read';
const CANCEL = 'scans.cancel';
/** The attempts within a minute, with the waits of 2, 4 and then 8 seconds. */
const A_MINUTE = 10;
const notFound = refusingAs(404, 'not_found');
const forbidden = refusingAs(403, 'forbidden');
const hasEnded = refusingAs(400, 'bad_request');
const isCancelling = (jobs: OtherJobs) => jobs.sent(CANCEL).length > 0;
/** The scan fails before the first request to cancel it arrives. */
const fails = onlyIf((jobs) => jobs.sent(CANCEL).length === 1, fail);

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
/** A user cancels the scan before the first request to cancel it arrives. */
const isCancelled: Act = ({ scenario }, { scanId }) =>
  void scenario.environment.service.control.cancel(scanId);
const attempts = (count: number) => requests(CANCEL, count);
const RELEASED = says('The service releases its reserved credits, but charges completed work.');
const STILL_RUNNING = says('Could not cancel scan `own-1`. It may still be running and using credits');
const LEFT: End = ({ run }) => expect(run.state['running-scan'], run.log).toContain('own-1');
const DONE: End = ({ run }) => expect(run.state['running-scan'], run.log).toBe('');

describe('a run cancels the scan that it gives up', () => {
  testRuns([
    {
      name: 'a run reports a confirmed cancellation',
      ...row([]),
      ends: [endedAs('service-error'), RELEASED, attempts(1), scans({ status: 'CANCELLED' }), DONE],
    },
    {
      name: 'a run reports a cancellation whose answer was lost',
      ...row(lost),
      ends: [RELEASED, attempts(4), outputs({ 'scan-status': 'CANCELLED' }), DONE],
    },
    {
      name: 'a run reports that the scan had ended',
      ...row(fails),
      ends: [says('Scan `own-1` had already ended as FAILED.'), attempts(1), DONE],
    },
    {
      name: 'a run reports that a user had cancelled the scan',
      ...row(isCancelled),
      ends: [says('Scan `own-1` had already ended as CANCELLED.'), attempts(1), DONE],
    },
    {
      name: 'a run reports that the scan had ended if the answer was lost',
      ...row([fails, unsent]),
      ends: [says('Scan `own-1` had already ended as FAILED.'), attempts(4), DONE],
    },
    {
      name: 'a run reports that the scan had ended if the service only says so',
      ...row(hasEnded, unsent),
      ends: [says('Scan `own-1` had already ended.'), attempts(1)],
    },
    {
      name: 'a run repeats a refused cancellation of a running scan',
      ...row(hasEnded),
      ends: [STILL_RUNNING, attempts(A_MINUTE), waits(CANCEL, 2, 4, 8, 8, 8, 8, 8, 8, 8), LEFT],
    },
    {
      name: 'a run repeats a cancellation that did not arrive',
      ...row(unsent),
      ends: [STILL_RUNNING, LEFT],
    },
    {
      name: 'a run repeats a lost cancellation of a scan that cannot be read',
      ...row(unsent, unsent),
      ends: [STILL_RUNNING, LEFT],
    },
    {
      name: 'a run names the scope that it needs to cancel its scan',
      ...row(forbidden, forbidden),
      ends: [STILL_RUNNING, says('`scans:launch`'), attempts(A_MINUTE), LEFT],
    },
    {
      name: 'a run tries to cancel an unknown scan four times',
      ...row(notFound, notFound),
      ends: [STILL_RUNNING, attempts(4)],
    },
    {
      name: 'a run repeats a 404 for a scan that can be read',
      ...row(notFound),
      ends: [STILL_RUNNING, attempts(A_MINUTE)],
    },
    {
      name: 'a run repeats a lost cancellation of a scan that is not found',
      ...row(unsent, notFound),
      ends: [STILL_RUNNING, LEFT],
    },
  ]);
});
