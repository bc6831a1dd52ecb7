import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as wire from '../../../src/scan-api/wire.ts';
import type { Changes } from '../../support/changed.ts';
import { oneOf, outcomes } from '../../support/outcomes.ts';
import { changes, shown } from '../../support/shown.ts';

const SHA = 'a'.repeat(40);
const REPOSITORY = {
  id: 'r1',
  slug: 's',
  owner: 'o',
  name: 'n',
  url: 'u',
  status: 'ACTIVE',
  readiness: 'ready',
};
const PRESET = { ref: 'p', name: 'P', minCredits: 0 };

/** A reading function, a valid answer that it reads, and other answers: the members that differ. */
type Table = readonly [
  reader: string,
  read: (item: unknown) => unknown,
  answer: unknown,
  others?: readonly Changes[],
];

const record = (item: unknown): Record<string, unknown> => ({ ...Object(item) });
const scanOf = (item: unknown) => ({ scanId: 's', status: 'QUEUED', ...record(item) });

const TABLES: readonly Table[] = [
  [
    'decodeRepositories',
    wire.decodeRepositories,
    // The decoders ignore members that the contract does not name. A malformed entry does not hide the others.
    { repositories: [{ ...REPOSITORY, futureField: 1 }, REPOSITORY], more: 1 },
    [{ 'repositories.0.id': '..' }],
  ],
  [
    'decodePresets',
    wire.decodePresets,
    { presets: [{ ...PRESET, modelTier: 'x', description: 'D' }, PRESET] },
    oneOf('presets.0.minCredits', -1, 1.5),
  ],
  ['decodeGuidance', wire.decodeGuidance, { content: 'Mind the till.' }],
  ['decodeFindingPage', wire.decodeFindingPage, { items: [{ id: 'f' }], page: 1, limit: 50, total: 1 }],
  ['decodeCancelled', wire.decodeCancelled, { scanId: 's', status: 'CANCELLED', cancelledJobs: 2 }],
  [
    'decodeLaunched',
    wire.decodeLaunched,
    { id: 'd', scan: { id: 'c', scanId: 'b' }, scanId: 'a' },
    [
      { scanId: undefined },
      { scanId: undefined, 'scan.scanId': undefined },
      { scanId: undefined, scan: undefined },
      { scanId: 7, id: '..', 'scan.scanId': undefined },
      ...oneOf('', {}, 'x', { scanId: '' }, { scan: null }, { scan: 'id' }),
    ],
  ],
  [
    'decodeToken',
    wire.decodeToken,
    { project: { id: 'p' }, scopes: [{ id: 'read' }, 'publish', 7], repositoryAllowlist: ['r1'] },
    [{ projectId: 'q' }, { 'project.id': '..' }],
  ],
  [
    'decodeScan',
    (item) => wire.decodeScan(item, 's'),
    // A scan that shows only its status.
    { scan: { status: 'WHATEVER' } },
    [{ 'scan.status': 'completed' }, { 'scan.id': 'other' }, { '': { status: 'COMPLETED' } }],
  ],
  [
    'decodeScan: members',
    (item) => wire.decodeScan({ scan: scanOf(item) }, 's'),
    {},
    [
      { baseCommit: null, diffBase: SHA },
      { baseCommit: null },
      { baseCommit: 'main' },
      { baseSha: SHA.toUpperCase() },
      { commit: 'refs/heads/main', headSha: SHA },
      { commit: { sha: SHA } },
      { repository: { id: 'r' } },
      { preset: 'p' },
      { preset: { ref: 'p' } },
      { startedAt: 'then' },
      { creditBudget: 20 },
      { creditBudget: '20', budget: 0 },
      { creditBudget: 2.5 },
      { auditAreaKeys: [] },
      { auditAreaKeys: ['login', 'pay'] },
      { auditAreas: [{ key: 'login', name: 'Login' }] },
      { auditAreaKeys: null, areas: ['login'] },
      // An area without a readable key still narrows the scan.
      { auditAreaKeys: ['login', ''] },
      { auditAreas: [{ key: 'login' }, { name: 'Pay' }] },
      { auditAreaKeys: 'login' },
      { guidanceApplied: 'repository' },
      { guidanceApplied: 'scan' },
      { guidanceApplied: null },
      { guidance: '' },
      { guidance: 'abc' },
      // If the scan shows a guidance text, the text counts, even if `guidanceApplied` means that there is none.
      { guidanceApplied: null, guidance: 'abc' },
      { guidanceApplied: '', guidance: 'abc' },
      { guidance: 7 },
      { guidance: ['abc'] },
      { progress: { phasesCompleted: 2, phasesTotal: 5, weightedCompletion: 0.4, reservedCredits: 100 } },
      { progress: { percent: 40, budget: 7 } },
      { progress: { phasesCompleted: -1, phasesTotal: '5', completion: 400, reserved: 1.5 } },
      { progress: { weighted: Number.NaN } },
    ],
  ],
  [
    'readListedScan',
    (item) => wire.readListedScan(record(item)),
    {
      scanId: 's',
      status: 'RUNNING',
      repository: { id: 'r' },
      preset: { ref: 'diff' },
      diffBase: SHA.toUpperCase(),
      headSha: SHA.slice(0, 7),
      queuedAt: '2026-01-01T00:00:00Z',
    },
    [{ id: '..', status: 7, commit: 'main', baseCommit: 'main' }],
  ],
  ['decodeFinding', wire.decodeFinding, { finding: { id: 'f' } }, oneOf('', { id: 'f' })],
  [
    'readFinding: members',
    (item) => wire.readFinding(record(item)),
    {
      findingId: 'finding-0123456789',
      severity: 'HIGH',
      title: 'SQL injection',
      description: 'D',
      cwe: 'CWE-89',
      confirmationEvidence: 'poc',
      triageStatus: 'confirmed',
      filePath: 'a',
      startLine: 3,
      endLine: 5,
    },
    [
      { endLine: 2 },
      { id: '..' },
      { id: 'row' },
      { confirmationEvidence: undefined, triageStatus: undefined },
    ],
  ],
  [
    'readFinding',
    (item) => wire.readFinding(record(item)),
    {},
    [
      { id: 'abc' },
      ...['CWE-78', 'cwe-79: Cross-site scripting', '', 0, -78, 7.8, 1e21, 'CWE-1234567', 'injection'].map(
        (cwe) => ({ cwe }),
      ),
      { cweId: '611' },
      { cwe: null, cwes: ['CWE-22', 'CWE-23'] },
      { cwes: [{ id: 'CWE-94' }] },
      // Evidence of null is other than no evidence.
      { confirmationEvidence: null },
      ...['CONFIRMED', 'pending', 'NOT_CONFIRMED', 'REJECTED', 'DISMISSED', 'FALSE_POSITIVE'].map(
        (triageStatus) => ({ triageStatus }),
      ),
      ...['LIKELY', 'CONFIRMED_MAYBE', '__proto__', null, '', 7].map((triageStatus) => ({ triageStatus })),
      { path: 'a', line: 3 },
      { file: 'a', lineStart: 9, lineEnd: 5 },
      { file: 'a', startLine: 0, lineNumber: 4 },
      { location: { file: 'a', line: 2, endLine: 2 } },
      { locations: [{ filePath: 'a', line: 2 }, { path: 'b' }] },
      { path: 'a', location: { startLine: 7 } },
      { path: 'a', location: { path: 'b', startLine: 7 } },
      { path: '', startLine: 7 },
      { location: 'a:7' },
      // The other files of a finding.
      { path: 'a' },
      { path: 'a', file: 'a', location: { path: 'a' }, locations: [{ path: 'a' }] },
      { path: 'a', filePath: 'b' },
      { path: 'a', location: { path: 'b', file: 'c' } },
      { locations: [{ path: 'a' }, { file: 'b' }, { filePath: 'a' }] },
      { path: 'a', locations: [{ path: 'b' }] },
      { locations: [{ path: 'a', file: 'b' }] },
      // A location that shows no file may be in a further file. The empty path stands for that file.
      { path: 'a', locations: [{ line: 3 }] },
      { locations: [{ path: 'a' }, { path: '' }] },
      { locations: [{ path: 'a' }, 'b:3', null, 4] },
      { path: 'a', locations: [] },
      { path: 'a', file: null, location: '' },
      // A value that cannot be read may name a further file.
      { path: 'a', locations: 'b' },
      { path: 'a', locations: { path: 'b' } },
      { path: 'a', location: 'b:3' },
      { path: 'a', location: [{ path: 'b' }] },
      { path: 'a', file: ['b'] },
      { path: 'a', location: { path: { name: 'b' } } },
      { locations: [{ path: 'a', file: ['b'] }] },
      { filePath: ['a', 'b'] },
      // A title is one line, and a blank title gives way to the next name.
      ...[
        ' SQL injection\n',
        'SQL\r\n  injection\u2028here',
        'two  spaces',
        '   ',
        '\u200b\u00ad\n\u3164',
      ].map((title) => ({ title })),
      { title: ' ', name: 'Named' },
    ],
  ],
];

async function described([reader, read, answer, others = []]: Table): Promise<string> {
  const base = read(answer);
  const lines = await outcomes(answer, others, (other) => {
    const value = read(other);
    const error: unknown = Reflect.get(Object(value), 'error');
    return typeof error === 'string' ? error : changes(base, value).join('; ') || 'the same';
  });
  return [`${reader}: ${shown(answer)}: ${shown(base)}`, ...lines].join('\n  ');
}

test('the decoders read documented members, and assumed members under each of their names', async () => {
  const tables = await Promise.all(TABLES.map(described));
  const text = tables.join('\n').replaceAll(SHA, 'SHA').replaceAll(SHA.toUpperCase(), 'SHA IN CAPITALS');
  await expect(`${text}\n`).toMatchFileSnapshot('golden/wire.txt');
});

test('a listed scan is read as the scan is, without its progress', () => {
  for (const [, , , items = []] of TABLES.filter(([reader]) => reader === 'decodeScan: members')) {
    for (const item of items) {
      const decoded = wire.decodeScan({ scan: scanOf(item) }, 's');
      const { progress: _, ...scan }: Record<string, unknown> = { ...(decoded.ok ? decoded.value : {}) };
      expect(wire.readListedScan(scanOf(item)), shown(item)).toStrictEqual(scan);
    }
  }
});

test('readFinding never throws, whatever a finding contains', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('id', 'severity', 'location', 'locations', 'title'), fc.jsonValue()),
      (item) => {
        expect(wire.readFinding(item).label).toMatch(/^ZK-/);
      },
    ),
  );
});
