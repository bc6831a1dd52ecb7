import { expect, test } from 'vitest';
import { pollInterval } from '../../../src/scan/poll-interval.ts';

test.each([
  [undefined, 0, 10_000],
  [7_000, 0, 7_000],
  [7_000, 1, 7_700],
  [1_000, 0.5, 1_050],
  [600_000, 0, 600_000],
])(
  'pollInterval uses the advised wait or a default (advised: %s ms, random: %d, interval: %d ms)',
  (advised, draw, interval) => {
    expect(pollInterval(advised, () => draw)).toBeCloseTo(interval);
  },
);
