import { expect, test } from 'vitest';
import { refuseTwoGuidances } from '../../../src/preflight/stored-guidance.ts';
import { readLaunchParameters } from '../../../src/scan-api/wire-writes.ts';

test.each([
  [undefined, {}, true],
  [undefined, { guidance: 'x' }, true],
  ['a.md', {}, true],
  ['a.md', { instructions: 'x' }, true],
  ['a.md', { guidance: 'x' }, false],
  ['a.md', { guidance: '' }, false],
  ['a.md', { guidance: null }, false],
  ['a.md', { guidance: 7 }, false],
])(
  'only one input may set guidance (file: %j, launch parameters: %j, accepted: %s)',
  (file, parameters, accepted) => {
    const refusal = refuseTwoGuidances(file, readLaunchParameters(parameters));
    if (accepted) expect(refusal).toBeUndefined();
    else
      expect(refusal).toMatchObject({
        reason: 'configuration',
        cause: '`guidance-file` is set, and `launch-parameters` has `guidance` too.',
        nextStep: expect.stringContaining('Keep one of them'),
      });
  },
);
