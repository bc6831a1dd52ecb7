import { expect } from 'vitest';
import { scheduleEvent } from '../../sandbox/events.ts';
import { fullScan } from './branch-events.ts';
import type { OtherJobs } from './other-jobs.ts';
import type { End, RunRow } from './run-rows.ts';
import { rowsFor, testScans } from './scan-rows.ts';

const onSchedule = ({ scenario }: OtherJobs) => fullScan(scenario, 'schedule');
const inPublic = (jobs: OtherJobs) => {
  const { repository, github } = jobs.scenario.environment;
  const payload = scheduleEvent({ repository, visibility: 'public', serverUrl: github.serverUrl });
  return { ...onSchedule(jobs), event: { name: 'schedule', payload } };
};
const FINDINGS = 'The scan is running. The findings appear here when it completes.';
const RESULT = 'The scan is running. The result appears here when it completes.';
/** What the check run says while the scan runs. */
const SAID: readonly (readonly [what: string, event: RunRow['event'], title: string, summary: string])[] = [
  ['the change of a pull request', {}, 'Scanning this change', FINDINGS],
  ['all files of a private repository', onSchedule, 'Scanning all files of this commit', FINDINGS],
  ['all files of a public repository', inPublic, 'Scanning all files of this commit', RESULT],
];
const said =
  (title: string, summary: string): End =>
  ({ environment: { github } }) => {
    const [created] = github.checkRuns[0]?.history ?? [];
    expect(created?.['status']).toBe('in_progress');
    // One hidden line is above the summary. The action recognizes its check run by this line.
    const below = expect.stringMatching(`^<!-- \\S+ -->\n${summary}$`);
    expect(created?.['output']).toEqual({ title, summary: below });
  };
/** The log has one line for each change of the progress, however often the run reads the scan. */
const logsProgress: End = ({ run }, jobs) => {
  expect(jobs.count('scans.read')).toBeGreaterThan(3);
  const lines = run.log.split('\n').filter((line) => /^Scan \w+ .* after /.test(line));
  expect(lines).toEqual([
    expect.stringContaining('Scan queued'),
    expect.stringMatching(/^Scan completed .*, after 1 min 00 s\.$/),
  ]);
};

const SCANS = { scans: {} };
testScans('scan-in-progress', SCANS, {
  ...rowsFor(SAID, ([what, event = {}, title, summary]) => [
    `while a scan runs, the check run says what is scanned (${what})`,
    { event, ends: [said(title, summary), logsProgress] },
  ]),
});
