import { expect, test } from 'vitest';
import { isTerminal, sameCommit } from '../../src/domain/scan.ts';

const FULL = '0123456789abcdef0123456789abcdef01234567';

test.each(['COMPLETED', 'FAILED', 'CANCELLED'])('%s is terminal', (status) => {
  expect(isTerminal(status)).toBe(true);
});

test.each(['QUEUED', 'RUNNING', 'completed', 'FINISHED', 'COMPLETED ', ''])(
  '"%s" is still running',
  (status) => {
    expect(isTerminal(status)).toBe(false);
  },
);

test.each([
  [FULL, FULL, true],
  [FULL.toUpperCase(), FULL, true],
  [FULL.slice(0, 7), FULL, true],
  [FULL, FULL.slice(0, 12), true],
  [FULL.slice(0, 6), FULL, false],
  ['', FULL, false],
  [FULL, FULL.replace('0', '1'), false],
  [undefined, FULL, undefined],
  [FULL, undefined, undefined],
])('%s and %s: %s', (a, b, same) => {
  expect(sameCommit(a, b)).toBe(same);
});
