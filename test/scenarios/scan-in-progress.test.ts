import { describe, expect } from 'vitest';
import { scheduleEvent } from '../../sandbox/events.ts';
import { fullScan } from './branch-events.ts';
import type { OtherJobs } from './other-jobs.ts';
import { type Situation, testSituations } from './situations.ts';

const OWN = { scan: 'own-1', launches: 1 } as const;

const onSchedule = ({ scenario }: OtherJobs) => fullScan(scenario, 'schedule');
const inPublic = (jobs: OtherJobs) => {
  const { repository, github } = jobs.scenario.environment;
  const payload = scheduleEvent({ repository, visibility: 'public', serverUrl: github.serverUrl });
  return { ...onSchedule(jobs), event: { name: 'schedule', payload } };
};

describe('while a scan runs, the check run says what is scanned', () => {
  testSituations(
    (
      [
        [
          'the change of a pull request',
          undefined,
          'Scanning this change',
          'The scan is running. The findings appear here when it completes.',
        ],
        [
          'all files of a private repository',
          onSchedule,
          'Scanning all files of this commit',
          'The scan is running. The findings appear here when it completes.',
        ],
        [
          'all files of a public repository',
          inPublic,
          'Scanning all files of this commit',
          'The scan is running. The result appears here when it completes.',
        ],
      ] as const
    ).map(
      ([what, run, title, summary]): Situation => ({
        name: `while a scan runs, the check run says what is scanned (${what})`,
        ...(run && { run }),
        ends: {
          ...OWN,
          more: ({ scenario }) => {
            const [created] = scenario.environment.github.checkRuns[0]?.history ?? [];
            // One hidden line is above the summary. The action recognizes its check run by this line.
            const below = expect.stringMatching(`^<!-- \\S+ -->\n${summary}$`);
            expect(created?.['status']).toBe('in_progress');
            expect(created?.['output']).toEqual({ title, summary: below });
          },
        },
      }),
    ),
  );
});

describe('the log while a scan runs', () => {
  testSituations([
    {
      name: 'the log has one line for each change of the progress',
      ends: {
        ...OWN,
        more: (jobs, { run }) => {
          expect(jobs.count('scans.read')).toBeGreaterThan(3);
          expect(run.log).not.toContain('too long for a mark');
          const lines = run.log.split('\n').filter((line) => /^Scan \w+ .* after /.test(line));
          expect(lines).toEqual([
            expect.stringContaining('Scan queued'),
            expect.stringMatching(/^Scan completed .*, after 1 min 00 s\.$/),
          ]);
        },
      },
    },
  ]);
});
