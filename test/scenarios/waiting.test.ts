import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { fullScan } from './branch-events.ts';
import { cancelJob, limited, lost, refusing, refusingAs, showing, unavailable, unknown } from './effects.ts';
import { requests } from './ends.ts';
import type { End, RunRow } from './run-rows.ts';
import { bothWays, testScans } from './scan-rows.ts';
import type { Timeline } from './timeline.ts';

const POLLS = 'scans.read';
/** The seconds between polls that the service advises in each answer. After a failed poll, a run waits 10 s. */
const ADVISED = 7;
const forbidden = refusingAs(403, 'forbidden');
/** A failure or a rate limit, after which the service asks to wait. */
const failed = (seconds: number) => ({
  ...refusingAs(503, 'internal'),
  headers: { 'retry-after': `${seconds}` },
});
/** A run whose scan completes when the service first shows it. */
const polling = (
  at: Timeline,
  minutes = 60,
): Pick<RunRow, 'head' | 'service' | 'scans' | 'at' | 'inputs'> => ({
  head: 'clean',
  service: { retryAfterSeconds: ADVISED },
  scans: { runsForMs: 0 },
  at,
  inputs: { 'timeout-minutes': String(minutes) },
});
/** The scan runs until the timeout. */
const running = (at: Timeline, minutes: number) => ({
  ...polling(at, minutes),
  scans: { runsForMs: 24 * 60 * 60_000 },
});

/** The seconds between the first polls. A wait can be a tenth longer, so that not all runs poll at the same time. */
const waits =
  (...seconds: readonly number[]): End =>
  ({ run }, jobs) => {
    const at = jobs.sent(POLLS).map(({ ms }) => ms / 1000);
    for (const [index, wait] of seconds.entries()) {
      const between = (at[index + 1] ?? 0) - (at[index] ?? 0);
      expect(between, run.log).toBeGreaterThanOrEqual(wait);
      expect(between, run.log).toBeLessThan(wait * 1.1 + 0.5);
    }
  };

testScans('waiting', {
  'a run waits longer than a minute only for a rate limit': {
    ...running({ [`${POLLS} 2`]: lost, [`${POLLS} 3`]: limited(1_800), [`${POLLS} 4`]: failed(600) }, 33),
    ends: waits(ADVISED, 10, 1_800, 60),
  },
  'after an answer, a run counts failed polls from zero': {
    ...running({ [`${POLLS} 2-20`]: lost, [`${POLLS} 22-40`]: lost }, 9),
  },
  'a run ends after 20 failed polls in a row, and cancels its scan': {
    ...running({ [`${POLLS} 2-21`]: lost }, 60),
    ends: requests(POLLS, 21),
  },
  'a run tolerates single refusals of its scan': {
    ...running(
      {
        [`${POLLS} 2`]: forbidden,
        [`${POLLS} 4`]: unknown,
        [`${POLLS} 6`]: refusingAs(401, 'unauthorized'),
      },
      2,
    ),
    ends: waits(ADVISED, 10, ADVISED, 2, ADVISED, 10),
  },
  'a run tolerates answers that the service did not send': {
    ...running(
      {
        [`${POLLS} 2`]: { status: 403, body: '<html>Blocked</html>' },
        [`${POLLS} 3`]: { status: 302, headers: { location: 'https://proxy.test/' } },
        [`${POLLS} 4`]: { status: 200, body: 'x'.repeat(11 * 1024 * 1024) },
        [`${POLLS} 5`]: { status: 407, body: '' },
      },
      2,
    ),
  },
  'a run ends after two minutes without a scan that the service has shown': {
    ...running({ [`${POLLS} 2-`]: unknown }, 60),
    ends: requests(POLLS, 16),
  },
  'a run ends after two minutes of refusals, and cancels its scan': {
    ...running({ [`${POLLS} 2-`]: forbidden }, 60),
    ends: requests(POLLS, 14),
  },
});

testScans('waiting', {
  'a run waits a minute for a scan that the service does not show yet': {
    ...polling({ [`${POLLS} 1-8`]: unknown }),
    ends: [waits(2, 4, 8, 10, 10, 10, 10, 10), requests(POLLS, 9)],
  },
  'a run tolerates a refusal of the first poll': {
    ...polling({ [`${POLLS} 1`]: forbidden, [`${POLLS} 2`]: lost }),
  },
  'a run ends after two minutes of refusals of the first poll': {
    ...polling({ [POLLS]: refusingAs(401, 'unauthorized') }),
    ends: requests(POLLS, 13),
  },
});

testScans('waiting', {
  'at the timeout, a run names the rate limit that it waits for': {
    ...running({ [`${POLLS} 2`]: limited(1_800) }, 5),
  },
  'at the timeout, a run names the failure of its last poll, and advises a longer timeout': {
    ...running({ [`${POLLS} 2-`]: unavailable }, 1),
  },
  'at the timeout, a run says that the service no longer finds the scan': {
    ...running({ [`${POLLS} 2-`]: unknown }, 1),
  },
  'at the timeout, a run does not name a failure before the last answer': {
    ...running({ [`${POLLS} 2`]: failed(1) }, 1),
  },
  'a run that is cancelled does not name the failure of its last poll': {
    ...running({ [`${POLLS} 2`]: failed(1), [`${POLLS} 3`]: [cancelJob, refusing(500)] }, 10),
  },
});

const OTHER = 'c'.repeat(40);
const full: Pick<RunRow, 'event' | 'inputs'> = {
  event: ({ scenario }) => fullScan(scenario, 'workflow_dispatch'),
  inputs: { preset: 'full-audit' },
};
const otherCommit = showing([/"commit":"\w+"/, `"commit":"${OTHER}"`]);
testScans('waiting', {
  'a run shows how long it has polled its scan, without its wait before the launch': {
    scans: { runsForMs: 60_000 },
    at: { 'scans.launch 1': limited(300) },
    inputs: { 'report-file': 'report.json' },
    ends: ({ run }) => {
      const { scanMs } = JSON.parse(readFileSync(run.outputs['report-file'] ?? '', 'utf8'));
      expect(Math.round(scanMs / 10_000)).toBe(6);
    },
  },
  'a report of a full scan does not miss a base': {
    ...full,
    scans: { runsForMs: 0 },
    ends: ({ run }) => expect(run.summary).not.toContain('confirmed by the service'),
  },
  'a run names the range of another scan': {
    scans: { runsForMs: 60_000 },
    at: { [`${POLLS} 1`]: otherCommit },
  },
  'a run names the range of another scan that shows no base': {
    scans: { runsForMs: 60_000 },
    service: { hideFields: { scanDetail: ['baseCommit'] } },
    at: { [`${POLLS} 1`]: otherCommit },
  },
  'a run names the commit of another full scan': {
    ...full,
    scans: { runsForMs: 60_000 },
    at: { [`${POLLS} 1`]: otherCommit },
  },
});

// The scan ends in the service.
const pace = (ending: 'FAILED' | 'CANCELLED') => ({ pace: { ending } });
testScans('waiting', {
  ...bothWays('scan-failed', ['FAILED'], (ending) => [
    'a change is not scanned if the scan failed in the service',
    { service: pace(ending) },
  ]),
  ...bothWays('scan-cancelled', ['CANCELLED'], (ending) => [
    'a change is not scanned if a user cancelled the scan in the service',
    { service: pace(ending) },
  ]),
});
