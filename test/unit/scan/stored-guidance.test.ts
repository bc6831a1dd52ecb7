import { expect, test } from 'vitest';
import { ok, type Result } from '../../../src/domain/result.ts';
import type { Scan } from '../../../src/domain/scan.ts';
import type { ScanSubject } from '../../../src/domain/scan-subject.ts';
import { readStoredHash, withStoredGuidance } from '../../../src/scan/stored-guidance.ts';
import type { ApiError } from '../../../src/scan-api/api-error.ts';
import { hashOfText } from '../../../src/scan-api/wire-writes.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { answers, aScan, refused } from './fake-api.ts';
import { subject } from './sample-subject.ts';

const STORED_HASH = hashOfText('Mind.');
const guided = (guidance: Scan['guidance']) => aScan('QUEUED', { guidance });
/** A scan that shows its guidance. It does not show whether the guidance comes from the launch or the repository. */
const shows = (text: string) => guided({ from: 'unknown', hash: hashOfText(text) });

test.each<[string, Scan[], ScanSubject | undefined, Result<string | null, ApiError>[], string | undefined]>([
  [
    'reads the stored guidance if a scan shows guidance of unknown origin',
    [shows('Mind.')],
    subject,
    [ok('Mind.')],
    STORED_HASH,
  ],
  [
    'reads the stored guidance if one of several scans shows guidance of unknown origin',
    [guided(undefined), shows('Other.')],
    subject,
    [ok('Mind.')],
    STORED_HASH,
  ],
  ['returns no hash if the repository has no guidance', [shows('Mind.')], subject, [ok(null)], undefined],
  [
    'returns no hash if the guidance cannot be read',
    [shows('Mind.')],
    subject,
    [refused(403, 'forbidden')],
    undefined,
  ],
  [
    'does not read the stored guidance if the launch sent guidance',
    [shows('Mind.')],
    { ...subject, guidance: hashOfText('Mine.') },
    [],
    undefined,
  ],
  [
    'does not read the stored guidance if the subject of the launch is not known',
    [shows('Mind.')],
    undefined,
    [],
    undefined,
  ],
  [
    'does not read the stored guidance if no scan shows guidance of unknown origin',
    [guided(undefined), guided({ from: 'launch' })],
    subject,
    [],
    undefined,
  ],
])('readStoredHash %s', async (_title, scans, launched, reads, hash) => {
  const guidance = answers<string | null>(...reads);
  const launch = { projectId: 'p', subject: launched };
  expect(await readStoredHash({ guidance }, launch, scans, NEVER_ABORTED)).toBe(hash);
  expect(guidance.calls).toEqual(reads.map(() => ['p', 'r', { signal: NEVER_ABORTED }]));
});

test.each<[string, Scan, string | undefined, Scan['guidance']]>([
  [
    'names the repository as the origin of guidance that equals the stored guidance',
    shows('Mind.'),
    STORED_HASH,
    { from: 'repository' },
  ],
  [
    'keeps guidance that differs from the stored guidance',
    shows('Other.'),
    STORED_HASH,
    shows('Other.').guidance,
  ],
  [
    'keeps guidance of unknown origin if the stored guidance is not known',
    shows('Mind.'),
    undefined,
    shows('Mind.').guidance,
  ],
  ['keeps the guidance of a launch', guided({ from: 'launch' }), STORED_HASH, { from: 'launch' }],
])('withStoredGuidance %s', (_what, scan, storedHash, guidance) => {
  expect(withStoredGuidance(scan, storedHash)).toEqual({ ...scan, guidance });
});
