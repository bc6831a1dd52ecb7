import { expect, test } from 'vitest';
import { isTerminal } from '../../../src/domain/scan.ts';

test.each(['COMPLETED', 'FAILED', 'CANCELLED'])('the status %s is terminal', (status) => {
  expect(isTerminal(status)).toBe(true);
});

test.each(['QUEUED', 'RUNNING', 'completed', 'FINISHED', 'COMPLETED ', ''])(
  'the status "%s" counts as running',
  (status) => {
    expect(isTerminal(status)).toBe(false);
  },
);
