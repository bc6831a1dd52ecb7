import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { fullScan } from './branch-events.ts';
import { cancelJob, limited, lost, refusing, refusingAs, showing, unavailable } from './effects.ts';
import { endedAs, exits, notScanned, omits, outputs, passed, requests, says, scans } from './ends.ts';
import { MERGE_BASE } from './repository.ts';
import { type End, type RunRow, testRuns } from './run-rows.ts';
import type { Timeline } from './timeline.ts';

const POLLS = 'scans.read';
/** The seconds between polls that the service advises in each answer. After a failed poll, a run waits 10 s. */
const ADVISED = 7;
const notFound = refusingAs(404, 'not_found');
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
const CANCELLED = scans({ status: 'CANCELLED' });

describe('a run polls its scan again after a failed poll', () => {
  testRuns([
    {
      name: 'a run waits longer than a minute only for a rate limit',
      ...running({ [`${POLLS} 2`]: lost, [`${POLLS} 3`]: limited(1_800), [`${POLLS} 4`]: failed(600) }, 33),
      ends: [endedAs('timeout'), says('raise the input'), waits(ADVISED, 10, 1_800, 60)],
    },
    {
      name: 'after an answer, a run counts failed polls from zero',
      ...running({ [`${POLLS} 2-20`]: lost, [`${POLLS} 22-40`]: lost }, 9),
      ends: [endedAs('timeout'), omits('could not be reached')],
    },
    {
      name: 'a run ends after 20 failed polls in a row, and cancels its scan',
      ...running({ [`${POLLS} 2-21`]: lost }, 60),
      ends: [endedAs('service-error'), exits(1), requests(POLLS, 21), CANCELLED],
    },
    {
      name: 'a run tolerates single refusals of its scan',
      ...running(
        {
          [`${POLLS} 2`]: forbidden,
          [`${POLLS} 4`]: notFound,
          [`${POLLS} 6`]: refusingAs(401, 'unauthorized'),
        },
        2,
      ),
      ends: [endedAs('timeout'), waits(ADVISED, 10, ADVISED, 2, ADVISED, 10)],
    },
    {
      name: 'a run tolerates answers that the service did not send',
      ...running(
        {
          [`${POLLS} 2`]: { status: 403, body: '<html>Blocked</html>' },
          [`${POLLS} 3`]: { status: 302, headers: { location: 'https://proxy.test/' } },
          [`${POLLS} 4`]: { status: 200, body: 'x'.repeat(11 * 1024 * 1024) },
          [`${POLLS} 5`]: { status: 407, body: '' },
        },
        2,
      ),
      ends: [endedAs('timeout'), omits('Blocked')],
    },
    {
      name: 'a run ends after two minutes without a scan that the service has shown',
      ...running({ [`${POLLS} 2-`]: notFound }, 60),
      ends: [endedAs('service-error'), says('no longer finds'), requests(POLLS, 16)],
    },
    {
      name: 'a run ends after two minutes of refusals, and cancels its scan',
      ...running({ [`${POLLS} 2-`]: forbidden }, 60),
      ends: [endedAs('configuration'), requests(POLLS, 14), CANCELLED],
    },
  ]);
});

describe('the first poll of a scan', () => {
  testRuns([
    {
      name: 'a run waits a minute for a scan that the service does not show yet',
      ...polling({ [`${POLLS} 1-8`]: notFound }),
      ends: [passed, waits(2, 4, 8, 10, 10, 10, 10, 10), requests(POLLS, 9)],
    },
    {
      name: 'a run tolerates a refusal of the first poll',
      ...polling({ [`${POLLS} 1`]: forbidden, [`${POLLS} 2`]: lost }),
      ends: passed,
    },
    {
      name: 'a run ends after two minutes of refusals of the first poll',
      ...polling({ [POLLS]: refusingAs(401, 'unauthorized') }),
      ends: [endedAs('configuration'), requests(POLLS, 13)],
    },
  ]);
});

describe('a run that must end before its scan says why it knows no newer status', () => {
  testRuns([
    {
      name: 'at the timeout, a run names the rate limit that it waits for',
      ...running({ [`${POLLS} 2`]: limited(1_800) }, 5),
      ends: notScanned('timeout', {
        launches: 1,
        texts: [
          'before the scan finished. Could not read the scan: the API token reached its rate limit',
          'Re-run this job later.',
        ],
      }),
    },
    {
      name: 'at the timeout, a run names the failure of its last poll, and advises a longer timeout',
      ...running({ [`${POLLS} 2-`]: unavailable }, 1),
      ends: notScanned('timeout', {
        launches: 1,
        texts: ['before the scan finished. Could not read the scan', 'raise the input'],
      }),
    },
    {
      name: 'at the timeout, a run says that the service no longer finds the scan',
      ...running({ [`${POLLS} 2-`]: notFound }, 1),
      ends: [endedAs('timeout'), says('The service no longer finds the scan that it showed before')],
    },
    {
      name: 'at the timeout, a run does not name a failure before the last answer',
      ...running({ [`${POLLS} 2`]: failed(1) }, 1),
      ends: [endedAs('timeout'), omits('Could not read the scan')],
    },
    {
      name: 'a run that is cancelled does not name the failure of its last poll',
      ...running({ [`${POLLS} 2`]: failed(1), [`${POLLS} 3`]: [cancelJob, refusing(500)] }, 10),
      ends: [
        endedAs('scan-cancelled'),
        exits(1),
        says('The job was cancelled before the scan finished.'),
        omits('Could not read the scan'),
      ],
    },
  ]);
});

describe('what a run says about its scan', () => {
  const OTHER = 'c'.repeat(40);
  const full: Pick<RunRow, 'event' | 'inputs'> = {
    event: ({ scenario }) => fullScan(scenario, 'workflow_dispatch'),
    inputs: { preset: 'full-audit' },
  };
  const otherCommit = showing([/"commit":"\w+"/, `"commit":"${OTHER}"`]);
  /** The run names the range that it expects and the range that the scan shows. */
  const ranges =
    (base: string | undefined, shownBase: string | undefined): End =>
    ({ run, repository, headSha }) => {
      const [wanted, got] = [base, shownBase].map((name) => name && repository.id(name).slice(0, 12));
      const texts = `expected \`${wanted ?? '(no base)'}..${headSha.slice(0, 12)}\`, got \`${got ?? '(not shown)'}..${OTHER.slice(0, 12)}\``;
      expect(run.log).toContain(texts);
    };
  testRuns([
    {
      name: 'a run shows how long it has polled its scan, without its wait before the launch',
      scans: { runsForMs: 60_000 },
      at: { 'scans.launch 1': limited(300) },
      inputs: { 'report-file': 'report.json' },
      ends: [
        says('20 credits reserved, after 0 s.', ', after 1 min 0'),
        ({ run }) => {
          const { scanMs } = JSON.parse(readFileSync(run.outputs['report-file'] ?? '', 'utf8'));
          expect(Math.round(scanMs / 10_000)).toBe(6);
        },
      ],
    },
    {
      name: 'a report of a full scan does not miss a base',
      ...full,
      scans: { runsForMs: 0 },
      ends: [
        outputs({ 'scan-status': 'COMPLETED' }),
        ({ run }) => expect(run.summary).not.toContain('confirmed by the service'),
      ],
    },
    {
      name: 'a run names the range of another scan',
      scans: { runsForMs: 60_000 },
      at: { [`${POLLS} 1`]: otherCommit },
      ends: [endedAs('configuration'), CANCELLED, ranges(MERGE_BASE, MERGE_BASE)],
    },
    {
      name: 'a run names the range of another scan that shows no base',
      scans: { runsForMs: 60_000 },
      service: { hideFields: { scanDetail: ['baseCommit'] } },
      at: { [`${POLLS} 1`]: otherCommit },
      ends: ranges(MERGE_BASE, undefined),
    },
    {
      name: 'a run names the commit of another full scan',
      ...full,
      scans: { runsForMs: 60_000 },
      at: { [`${POLLS} 1`]: otherCommit },
      ends: ranges(undefined, undefined),
    },
  ]);
});
