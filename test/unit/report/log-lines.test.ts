import { describe, expect, test } from 'vitest';
import type { Scan } from '../../../src/domain/scan.ts';
import { elapsedOf, progressOf } from '../../../src/report/log-lines.ts';
import { aScan } from '../scan/fake-api.ts';

function scan(status: string, progress: Partial<Scan['progress']> = {}): Scan {
  return aScan(status, { progress: { ...aScan(status).progress, ...progress } });
}

describe('progressOf', () => {
  test('progressOf shows the status, the bar, the phases, the percentage and the reserved credits', () => {
    const progress = { phasesCompleted: 3, phasesTotal: 6, weighted: 0.604, reservedCredits: 40 };
    expect(progressOf(scan('RUNNING', progress))).toBe(
      'running ██████░░░░, 3 of 6 phases finished, 60 % complete, 40 credits reserved',
    );
  });

  test('progressOf leaves out values that the service does not show', () => {
    expect(progressOf(scan('QUEUED'))).toBe('queued');
    expect(progressOf(scan('RUNNING', { phasesCompleted: 3 }))).toBe('running');
    expect(progressOf(scan('RUNNING', { phasesTotal: 6, weighted: 0 }))).toBe(
      'running ░░░░░░░░░░, 0 % complete',
    );
  });

  test('progressOf draws the bar by the number of finished phases if the service shows no percentage', () => {
    expect(progressOf(scan('RUNNING', { phasesCompleted: 3, phasesTotal: 6 }))).toBe(
      'running █████░░░░░, 3 of 6 phases finished',
    );
    expect(progressOf(scan('RUNNING', { phasesCompleted: 7, phasesTotal: 6 }))).toContain(
      '██████████, 7 of 6',
    );
    expect(progressOf(scan('RUNNING', { phasesCompleted: 0, phasesTotal: 0 }))).toContain('running, 0 of 0');
    expect(progressOf(scan('RUNNING', { weighted: 0.999 }))).toContain('█████████░, 100 %');
  });

  test.each(['FAILED', 'CANCELLED'])('progressOf draws no bar for a scan that is %s', (status) => {
    // The service counts failed and skipped phases as finished.
    const progress = { phasesCompleted: 6, phasesTotal: 6, weighted: 1, reservedCredits: 40 };
    const line = progressOf(scan(status, progress));
    expect(line).toBe(`${status.toLowerCase()}, 40 credits reserved`);
  });

  test('progressOf draws the bar of a completed scan', () => {
    expect(progressOf(scan('COMPLETED', { weighted: 1 }))).toBe('completed ██████████, 100 % complete');
  });

  test('progressOf shows an unknown status in lower case', () => {
    expect(progressOf(scan('WINDING_DOWN'))).toBe('winding_down');
  });
});

test.each([
  [0, '0 s'],
  [999, '0 s'],
  [59_999, '59 s'],
  [60_000, '1 min 00 s'],
  [65_000, '1 min 05 s'],
  [3_600_000, '60 min 00 s'],
])('elapsedOf writes %i ms as %s', (ms, text) => {
  expect(elapsedOf(ms)).toBe(text);
});
