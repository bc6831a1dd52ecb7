import { expect, test } from 'vitest';
import { ok } from '../../../src/domain/result.ts';
import {
  EXPIRY_NOTICE_MS,
  expiryNotices,
  publishFault,
  readStoredGuidance,
  refuseTwoGuidances,
} from '../../../src/preflight/token-check.ts';
import { readLaunchParameters } from '../../../src/scan-api/wire-writes.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { serviceStep } from '../../support/service-step.ts';
import { sampleFullScan, samplePush, sampleTarget } from '../report/sample-report.ts';
import { answers, refused, stopped } from '../scan/fake-api.ts';

const TOKEN = { projectId: undefined, scopes: undefined, spendLimit: undefined };

test.each([
  ['a token that has just expired', 0, '`api-token` expired on 2026-01-15.'],
  ['a token that is about to expire', 1, '`api-token` expires on 2026-01-15.'],
  ['a token that expires in a week', EXPIRY_NOTICE_MS, '`api-token` expires on 2026-01-22.'],
  ['a token that expires later', EXPIRY_NOTICE_MS + 1, undefined],
  ['a token without a time', undefined, undefined],
])('expiryNotices describes %s', (_what, left, notice) => {
  const now = new Date('2026-01-15T12:00:00Z');
  const expiresAt = left === undefined ? undefined : new Date(now.getTime() + left).toISOString();
  const [said] = expiryNotices({ ...TOKEN, expiresAt }, now);
  expect(said?.slice(0, notice?.length)).toBe(notice);
});

test.each([
  ['returns the text', ok('x'), ok('x')],
  ['returns null if there is no text', ok(null), ok(null)],
  [
    'says what a failed read means',
    refused(403, 'forbidden'),
    { error: { cause: expect.stringMatching(/\. Scangate composes .* nothing was launched\.$/) } },
  ],
  [
    'says only that a signal ended the read',
    stopped('signal'),
    { error: { cause: 'The job was cancelled before it could launch the scan.' } },
  ],
])('readStoredGuidance %s', async (_what, guidance, result) => {
  const read = answers<string | null>(guidance);
  const { api } = serviceStep({ guidance: read });
  expect(await readStoredGuidance(api, 'p', 'r', NEVER_ABORTED)).toMatchObject(result);
  expect(read.calls).toEqual([['p', 'r', { signal: NEVER_ABORTED }]]);
});

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
