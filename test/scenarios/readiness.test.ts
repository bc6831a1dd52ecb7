import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import type { SharedRepository } from '../support/shared-repository.ts';
import {
  analyzing,
  cancelJob,
  hanging,
  initializing,
  lost,
  refusingAs,
  showing,
  showingInstead,
} from './effects.ts';
import { requests } from './ends.ts';
import type { End } from './run-rows.ts';
import { bothWays, rowsFor, testScans } from './scan-rows.ts';
import type { Effect, Timeline } from './timeline.ts';

const LIST = 'repositories';
const limited = (seconds: number) => ({
  ...refusingAs(429, 'rate_limited'),
  headers: { 'retry-after': String(seconds) },
});
const malformed = showing([/"readiness":"ready"/, '"readiness":7']);
/** A failed read is sent four times, at most this many seconds after each other. */
const LONGEST_RETRY = 9;
/**
 * The seconds between the first launch and the reads of the repository list after it. A failed read counts until its
 * last attempt.
 */
const waits =
  (...seconds: readonly number[]): End =>
  ({ run }, jobs) => {
    const [launch] = jobs.sent('scans.launch');
    const reads = jobs.sent(LIST).filter(({ ms }) => ms > (launch?.ms ?? 0));
    const times = [launch, ...reads].map((sent) => (sent?.ms ?? 0) / 1000);
    const between = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    const waited = between.filter((wait) => wait > LONGEST_RETRY);
    expect(waited, run.log).toHaveLength(seconds.length);
    for (const [index, wait] of seconds.entries()) {
      expect(waited[index], run.log).toBeGreaterThanOrEqual(wait);
      expect(waited[index], run.log).toBeLessThan(wait * 1.1 + 0.5);
    }
  };

const readyAfter =
  (readyAfterListings: number) =>
  ({ dir }: SharedRepository) => ({
    repositories: [{ owner: 'octo-org', name: 'octo-repo', gitDir: dir, readyAfterListings }],
  });
const reportsWait: End = async ({ run }) => {
  const report = JSON.parse(await readFile(run.outputs['report-file'] ?? '', 'utf8'));
  expect(report.waitedForReadinessMs).toBeGreaterThan(1_000);
  expect(report.totalMs).toBeGreaterThan(report.waitedForReadinessMs);
};

/** The service refuses the first launch. Before it, the run has read the repository list once. */
const refusedFirst = (at: Timeline, first: Effect = initializing) => ({
  at: { 'scans.launch 1': first, ...at },
});
const LONG = { head: 'clean', driver: 'in process', inputs: { 'timeout-minutes': '60' } } as const;

testScans('readiness', LONG, {
  'a run reads the repository list every 10 s until the repository is ready': {
    ...refusedFirst({ [`${LIST} 2`]: analyzing, [`${LIST} 3-6`]: lost, [`${LIST} 7`]: analyzing }),
    ends: [waits(10, 10, 10, 10), requests(LIST, 8)],
  },
  'a run waits as long as the service advises, even after a failed read': {
    ...refusedFirst(
      { [`${LIST} 2`]: analyzing, [`${LIST} 3-6`]: lost },
      { ...initializing, headers: { 'retry-after': '45' } },
    ),
    ends: waits(45, 45, 45),
  },
  'a run waits as long as a rate limit asks': {
    ...refusedFirst({ [`${LIST} 2-5`]: limited(75), [`${LIST} 6`]: analyzing }),
    ends: waits(10, 75, 75, 75, 75, 10),
  },
  'a run does not count a rate limit as a failure': refusedFirst({
    [`${LIST} 2-73`]: lost,
    [`${LIST} 74-77`]: limited(150),
    [`${LIST} 78-81`]: lost,
  }),
  'a run asks less often if the service keeps asking for short waits': {
    ...refusedFirst({ [`${LIST} 2-`]: limited(2) }),
    inputs: { 'timeout-minutes': '30' },
    ends: (_run, jobs) => expect(jobs.sent(LIST).length).toBeLessThan(300),
  },
  'a run counts failures from zero after an answer': refusedFirst({
    [`${LIST} 2-77`]: lost,
    [`${LIST} 78`]: analyzing,
    [`${LIST} 79-154`]: lost,
  }),
  'a run stops after 20 failed reads in a row': {
    ...refusedFirst({ [`${LIST} 2-`]: lost }),
    ends: requests(LIST, 81),
  },
  'a run stops if the token may not read the repository list': {
    ...refusedFirst({ [`${LIST} 2-`]: refusingAs(403, 'forbidden') }),
    ends: requests(LIST, 2),
  },
  'a run stops if the repository is not listed any more': refusedFirst({
    [`${LIST} 2-`]: showingInstead(() => ({ repositories: [] })),
  }),
  'a run stops if the repository is marked for deletion': refusedFirst({
    [`${LIST} 2-`]: showing([/"ACTIVE"/, '"MARKED_FOR_DELETION"']),
  }),
  'a run ignores a malformed entry of another repository': refusedFirst({
    [`${LIST} 2`]: showing([/"repositories":\[/, '"repositories":[{"id":"other"},']),
  }),
  'a run reads the list again if the entry of its repository is malformed': {
    ...refusedFirst({ [`${LIST} 2`]: malformed }),
    ends: waits(10, 10),
  },
  'a run stops after 20 malformed entries of its repository': refusedFirst({ [`${LIST} 2-`]: malformed }),
  ...rowsFor(
    [
      ['reads the list', hanging],
      ['waits', analyzing],
    ],
    ([what, answer]) => [
      `a run that times out while it ${what} names the repository`,
      { ...refusedFirst({ [`${LIST} 2-`]: answer }), inputs: { 'timeout-minutes': '1' } },
    ],
  ),
  'a run that is cancelled while it waits says so': refusedFirst({ [`${LIST} 2`]: [cancelJob, hanging] }),
});

testScans('readiness', {
  ...bothWays('initializing', [1_000_000], (readings) => [
    'a repository that never becomes ready is not scanned',
    { service: readyAfter(readings) },
  ]),
  'a repository that becomes ready is scanned once, and the report shows the wait': {
    head: 'clean',
    service: readyAfter(3),
    inputs: { 'report-file': 'scan.json' },
    ends: reportsWait,
  },
});
