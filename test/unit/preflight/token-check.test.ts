import { expect, test } from 'vitest';
import { publishFault, refuseTwoGuidances } from '../../../src/preflight/token-check.ts';
import { readLaunchParameters } from '../../../src/scan-api/wire-writes.ts';
import { sampleFullScan, samplePush, sampleTarget } from '../report/sample-report.ts';

test('refuseTwoGuidances refuses a guidance file beside any guidance in `launch-parameters`', () => {
  const isRefused = (file: string | undefined, parameters: object) =>
    refuseTwoGuidances(file, readLaunchParameters({ ...parameters })) !== undefined;
  expect(['x', '', null, 7].filter((guidance) => !isRefused('a.md', { guidance }))).toEqual([]);
  expect([isRefused(undefined, { guidance: 'x' }), isRefused('a.md', { instructions: 'x' })]).toEqual([
    false,
    false,
  ]);
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
