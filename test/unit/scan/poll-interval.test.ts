import { expect, test } from 'vitest';
import { pollInterval } from '../../../src/scan/poll-interval.ts';

test.each([
  ['ten seconds without advice to wait', undefined, 0, 10_000],
  ['the advised wait if the random number is 0', 7_000, 0, 7_000],
  ['the advised wait plus 10 % if the random number is 1', 7_000, 1, 7_700],
  ['the advised wait plus 5 % if the random number is 0.5', 1_000, 0.5, 1_050],
  ['ten minutes if the service advises ten minutes', 600_000, 0, 600_000],
])('pollInterval returns %s', (_what, advised, draw, interval) => {
  expect(pollInterval(advised, () => draw)).toBeCloseTo(interval);
});
