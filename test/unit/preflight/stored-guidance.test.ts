import { expect, test } from 'vitest';
import { refuseTwoGuidances } from '../../../src/preflight/stored-guidance.ts';
import { readLaunchParameters } from '../../../src/scan-api/wire-writes.ts';

test.each([
  ['accepts two empty inputs', undefined, {}, true],
  ['accepts guidance without a file', undefined, { guidance: 'x' }, true],
  ['accepts a file without guidance', 'a.md', {}, true],
  ['accepts a file and another launch parameter', 'a.md', { instructions: 'x' }, true],
  ['refuses a file and guidance', 'a.md', { guidance: 'x' }, false],
  ['refuses a file and empty guidance', 'a.md', { guidance: '' }, false],
  ['refuses a file and `null` as guidance', 'a.md', { guidance: null }, false],
  ['refuses a file and a number as guidance', 'a.md', { guidance: 7 }, false],
])('refuseTwoGuidances %s', (_what, file, parameters, accepted) => {
  const refusal = refuseTwoGuidances(file, readLaunchParameters(parameters));
  if (accepted) expect(refusal).toBeUndefined();
  else
    expect(refusal).toMatchObject({
      reason: 'configuration',
      cause: '`guidance-file` is set, and `launch-parameters` has `guidance` too.',
      nextStep: expect.stringContaining('Keep one of them'),
    });
});
