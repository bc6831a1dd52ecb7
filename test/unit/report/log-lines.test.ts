import { expect, test } from 'vitest';
import type { Scan } from '../../../src/domain/scan.ts';
import { elapsedOf, progressOf } from '../../../src/report/log-lines.ts';
import { aScan } from '../scan/fake-api.ts';

const ALL = { phasesCompleted: 3, phasesTotal: 6, weighted: 0.604, reservedCredits: 40 };
/** The service counts failed and skipped phases as finished. */
const ENDED = { phasesCompleted: 6, phasesTotal: 6, weighted: 1, reservedCredits: 40 };
const POLLS: readonly (readonly [status: string, progress?: Partial<Scan['progress']>])[] = [
  ['QUEUED'],
  ['RUNNING', ALL],
  ['RUNNING', { phasesCompleted: 3 }],
  ['RUNNING', { phasesTotal: 6, weighted: 0 }],
  ['RUNNING', { phasesCompleted: 3, phasesTotal: 6 }],
  ['RUNNING', { phasesCompleted: 7, phasesTotal: 6 }],
  ['RUNNING', { phasesCompleted: 0, phasesTotal: 0 }],
  ['RUNNING', { weighted: 0.999 }],
  ['FAILED', ENDED],
  ['CANCELLED', ENDED],
  ['COMPLETED', { weighted: 1 }],
  ['WINDING_DOWN'],
];

test('a poll is one line with what the service shows: status, bar, phases, percentage and credits', async () => {
  const shown = POLLS.map(([status, progress = {}]) => {
    const scan = aScan(status);
    const line = progressOf({ ...scan, progress: { ...scan.progress, ...progress } });
    return `${status} ${JSON.stringify(progress)}: ${line}`;
  });
  await expect(`${shown.join('\n')}\n`).toMatchFileSnapshot('golden/progress.txt');
});

test('elapsedOf writes whole seconds, and minutes from one minute on', () => {
  expect([0, 999, 59_999, 60_000, 65_000, 3_600_000].map(elapsedOf)).toEqual([
    '0 s',
    '0 s',
    '59 s',
    '1 min 00 s',
    '1 min 05 s',
    '60 min 00 s',
  ]);
});
