import { readFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
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
import { endedAs, exits, notScanned, outputs, passed, requests, says, scans } from './ends.ts';
import { allowing, BOTH_WAYS } from './expect-result.ts';
import { type End, testRuns } from './run-rows.ts';
import type { Timeline } from './timeline.ts';

const LIST = 'repositories';
const limited = (seconds: number) => ({
  ...refusingAs(429, 'rate_limited'),
  headers: { 'retry-after': String(seconds) },
});
const malformed = showing([/"readiness":"ready"/, '"readiness":7']);
/** The service refuses the first launch. Before it, the run has read the repository list once. */
const row = (at: Timeline, minutes = 60, first = initializing) => ({
  head: 'clean' as const,
  driver: 'in process' as const,
  at: { 'scans.launch 1': first, ...at },
  inputs: { 'timeout-minutes': String(minutes) },
});
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

describe('a run that waits until the service has analyzed the repository', () => {
  testRuns([
    {
      name: 'a run reads the repository list every 10 s until the repository is ready',
      ...row({ [`${LIST} 2`]: analyzing, [`${LIST} 3-6`]: lost, [`${LIST} 7`]: analyzing }),
      ends: [
        passed,
        waits(10, 10, 10, 10),
        requests(LIST, 8),
        says('The service is analyzing this repository for the first time. Checking again every 1'),
      ],
    },
    {
      name: 'a run waits as long as the service advises, even after a failed read',
      ...row({ [`${LIST} 2`]: analyzing, [`${LIST} 3-6`]: lost }, 60, {
        ...initializing,
        headers: { 'retry-after': '45' },
      }),
      ends: [passed, waits(45, 45, 45), says('Checking again every 4')],
    },
    {
      name: 'a run waits as long as a rate limit asks',
      ...row({ [`${LIST} 2-5`]: limited(75), [`${LIST} 6`]: analyzing }),
      ends: [passed, waits(10, 75, 75, 75, 75, 10)],
    },
    {
      name: 'a run does not count a rate limit as a failure',
      ...row({ [`${LIST} 2-73`]: lost, [`${LIST} 74-77`]: limited(150), [`${LIST} 78-81`]: lost }),
      ends: passed,
    },
    {
      name: 'a run asks less often if the service keeps asking for short waits',
      ...row({ [`${LIST} 2-`]: limited(2) }, 30),
      ends: [endedAs('initializing'), (_run, jobs) => expect(jobs.sent(LIST).length).toBeLessThan(300)],
    },
    {
      name: 'a run counts failures from zero after an answer',
      ...row({ [`${LIST} 2-77`]: lost, [`${LIST} 78`]: analyzing, [`${LIST} 79-154`]: lost }),
      ends: passed,
    },
    {
      name: 'a run stops after 20 failed reads in a row',
      ...row({ [`${LIST} 2-`]: lost }),
      ends: [
        notScanned('service-error', { launches: 1, texts: ['the connection was reset'] }),
        requests(LIST, 81),
      ],
    },
    {
      name: 'a run stops if the token may not read the repository list',
      ...row({ [`${LIST} 2-`]: refusingAs(403, 'forbidden') }),
      ends: [endedAs('configuration'), exits(1), requests('scans.launch', 1), requests(LIST, 2)],
    },
    {
      name: 'a run stops if the repository is not listed any more',
      ...row({ [`${LIST} 2-`]: showingInstead(() => ({ repositories: [] })) }),
      ends: notScanned('configuration', { launches: 1, texts: ['does not list'] }),
    },
    {
      name: 'a run stops if the repository is marked for deletion',
      ...row({ [`${LIST} 2-`]: showing([/"ACTIVE"/, '"MARKED_FOR_DELETION"']) }),
      ends: notScanned('configuration', { launches: 1, texts: ['MARKED_FOR_DELETION'] }),
    },
    {
      name: 'a run ignores a malformed entry of another repository',
      ...row({ [`${LIST} 2`]: showing([/"repositories":\[/, '"repositories":[{"id":"other"},']) }),
      ends: passed,
    },
    {
      name: 'a run reads the list again if the entry of its repository is malformed',
      ...row({ [`${LIST} 2`]: malformed }),
      ends: [passed, waits(10, 10)],
    },
    {
      name: 'a run stops after 20 malformed entries of its repository',
      ...row({ [`${LIST} 2-`]: malformed }),
      ends: notScanned('service-error', { launches: 1, texts: ['readiness', 'Re-run this job later.'] }),
    },
    ...[hanging, analyzing].map((answer) => ({
      name: `a run that times out while it ${answer === hanging ? 'reads the list' : 'waits'} names the repository`,
      ...row({ [`${LIST} 2-`]: answer }, 1),
      ends: [
        notScanned('initializing', {
          launches: 1,
          texts: ['before the scanning service had analyzed this repository', 'timeout-minutes'],
        }),
      ],
    })),
    {
      name: 'a run that is cancelled while it waits says so',
      ...row({ [`${LIST} 2`]: [cancelJob, hanging] }),
      ends: [
        endedAs('scan-cancelled'),
        exits(1),
        says('before the scanning service had analyzed this repository'),
      ],
    },
    ...BOTH_WAYS.map(({ way, allowed }) => ({
      name: `a repository that never becomes ready is not scanned (${way})`,
      service: readyAfter(1_000_000),
      inputs: allowing('initializing', allowed),
      ends: [
        notScanned('initializing', {
          allowed,
          launches: 1,
          texts: [
            'before the scanning service had analyzed this repository for the first time',
            'ready in the service',
            'timeout-minutes',
          ],
        }),
        scans(),
      ],
    })),
    {
      name: 'a repository that becomes ready is scanned once, and the report shows the wait',
      head: 'clean',
      service: readyAfter(3),
      inputs: { 'report-file': 'scan.json' },
      ends: [
        passed,
        exits(0),
        outputs({ 'scan-status': 'COMPLETED' }),
        says('analyzing this repository for the first time'),
        reportsWait,
        requests('scans.launch', 2),
        scans({ status: 'COMPLETED' }),
      ],
    },
  ]);
});
