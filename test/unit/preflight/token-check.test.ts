import { expect, test } from 'vitest';
import { publishFault, refuseTwoGuidances } from '../../../src/preflight/token-check.ts';
import { readLaunchParameters } from '../../../src/scan-api/wire-writes.ts';
import { sampleFullScan, samplePush, sampleTarget } from '../report/sample-report.ts';

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

const OPEN = { when: 'always', gated: false } as const;

test.each([
  ['a push to a public branch', samplePush({}, true), '`push`'],
  ['a full scan of a public repository', sampleFullScan(true), '`schedule`'],
])('publishFault requires a password for %s', (_what, target, event) => {
  const fault = publishFault(OPEN, target);
  expect(fault).toContain(`On ${event}, \`publish\` needs \`publish-password: true\``);
  expect(publishFault({ ...OPEN, when: 'on-findings' }, target)).toBe(fault);
  expect(publishFault({ ...OPEN, gated: true }, target)).toBeUndefined();
  expect(publishFault({ ...OPEN, when: 'never' }, target)).toBeUndefined();
});

test.each([
  ['a pull request of a public repository', sampleTarget({ isPublic: true })],
  ['a push to a private branch', samplePush()],
  ['a full scan of a private repository', sampleFullScan()],
])('publishFault requires no password for %s', (_what, target) => {
  expect(publishFault(OPEN, target)).toBeUndefined();
});
