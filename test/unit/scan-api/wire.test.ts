import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as wire from '../../../src/scan-api/wire.ts';
import { aScan } from '../scan/fake-api.ts';

const SHA = 'a'.repeat(40);
/** SHA-256 of "abc". */
const ABC_HASH = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

describe('decoders of documented answers', () => {
  const repository = {
    id: 'r1',
    slug: 's',
    owner: 'o',
    name: 'n',
    url: 'u',
    status: 'ACTIVE',
    readiness: 'ready',
    futureField: 1,
  };

  test('the decoders ignore members that the contract does not name', () => {
    expect(wire.decodeRepositories({ repositories: [repository], more: 1 })).toEqual({
      ok: true,
      value: [{ id: 'r1', owner: 'o', name: 'n', url: 'u', status: 'ACTIVE', readiness: 'ready' }],
    });
    const preset = { ref: 'p', name: 'P', minCredits: 0 };
    expect(wire.decodePresets({ presets: [{ ...preset, futureField: 'x' }] })).toEqual({
      ok: true,
      value: [preset],
    });
  });

  test('the decoders read an optional member only if the value has the right type', () => {
    const preset = { ref: 'p', name: 'P', minCredits: 0 };
    expect(
      wire.decodePresets({
        presets: [
          { ...preset, modelTier: 'x', description: 'D' },
          { ...preset, modelTier: 7, description: null },
        ],
      }),
    ).toEqual({
      ok: true,
      value: [
        { ...preset, modelTier: 'x', description: 'D' },
        { ...preset, modelTier: undefined, description: undefined },
      ],
    });
    expect(wire.decodeToken({ repositoryAllowlist: ['r1'] })).toMatchObject({ value: { allowlist: ['r1'] } });
  });

  test.each([
    [
      'decodeRepositories',
      'an object as the list',
      wire.decodeRepositories({ repositories: {} }),
      '`repositories` is not Array',
    ],
    ['decodeRepositories', 'an empty list', wire.decodeRepositories([]), '`repositories` is missing'],
    ['decodePresets', 'null as the list', wire.decodePresets({ presets: null }), '`presets` is not Array'],
    ['decodeGuidance', 'no content', wire.decodeGuidance({ repositoryId: 'r' }), '`content` is missing'],
    [
      'decodeGuidance',
      'a number as the content',
      wire.decodeGuidance({ content: 7 }),
      '`content` is not string',
    ],
    ['decodeGuidance', 'an empty list', wire.decodeGuidance([]), '`content` is missing'],
    [
      'decodeFindingPage',
      'a list as an item',
      wire.decodeFindingPage({ items: [[]], page: 1, limit: 50, total: 1 }),
      '`items.0` is not an object',
    ],
    [
      'decodeFindingPage',
      'null as an item',
      wire.decodeFindingPage({ items: [null], page: 1, limit: 50, total: 1 }),
      '`items.0` is not an object',
    ],
    [
      'decodeFindingPage',
      'the limit 0',
      wire.decodeFindingPage({ items: [], page: 1, limit: 0, total: 0 }),
      '`limit` is not at least 1',
    ],
    [
      'decodeCancelled',
      'another status',
      wire.decodeCancelled({ scanId: 's', status: 'RUNNING' }),
      '`status` is not "CANCELLED"',
    ],
    [
      'decodeScan',
      'a number as the status',
      wire.decodeScan({ scan: { status: 7 } }, 's'),
      '`scan.status` is not a string',
    ],
    [
      'decodeScan',
      'another scan',
      wire.decodeScan({ scan: { id: 'other', status: 'COMPLETED' } }, 's'),
      '`scan` is another scan',
    ],
    ['decodeScan', 'no scan', wire.decodeScan({ status: 'COMPLETED' }, 's'), '`scan` is missing'],
    ['decodeToken', 'an empty list', wire.decodeToken([]), '`body` is not an object'],
  ])('%s rejects an answer (%s)', (_decoder, _what, decoded, error) => {
    expect(decoded).toEqual({ ok: false, error });
  });

  test.each([
    [
      'has an unusable id',
      { ...repository, id: '..' },
      '`repositories.1.id` is not a usable id',
      { owner: 'o', name: 'n' },
    ],
    [
      'has no readiness',
      { ...repository, readiness: null },
      '`repositories.1.readiness` is not string',
      { id: 'r1', owner: 'o', name: 'n' },
    ],
    ['has no owner', { id: 'r2', name: 7 }, '`repositories.1.owner` is missing', { id: 'r2' }],
    ['is empty', {}, '`repositories.1.id` is missing', {}],
    ['is null', null, '`repositories.1` is not Object', {}],
    ['is a list', ['r2'], '`repositories.1.id` is missing', {}],
  ])('decodeRepositories keeps the other entries if one entry %s', (_what, entry, fault, readable) => {
    const decoded = wire.decodeRepositories({ repositories: [repository, entry, repository] });
    expect(decoded.ok && decoded.value).toMatchObject([{ id: 'r1' }, { fault, readable }, { id: 'r1' }]);
    const [, malformed] = decoded.ok ? decoded.value : [];
    expect(malformed).toEqual({ fault, readable });
  });

  test.each([
    [
      'has a negative minimum',
      { ref: 'p', name: 'P', minCredits: -1 },
      '`presets.0.minCredits` is not at least 0',
      { ref: 'p', name: 'P' },
    ],
    [
      'has a fraction as the minimum',
      { ref: 'p', name: 'P', minCredits: 1.5 },
      '`presets.0.minCredits` is not a whole number',
      { ref: 'p', name: 'P' },
    ],
    [
      'has a number as the ref',
      { ref: 7, name: 'P', minCredits: 1 },
      '`presets.0.ref` is not a usable id',
      { name: 'P' },
    ],
    ['is a text', 'p', '`presets.0` is not Object', {}],
  ])('decodePresets keeps the other entries if one entry %s', (_what, entry, fault, readable) => {
    const decoded = wire.decodePresets({ presets: [entry, { ref: 'q', name: 'Q', minCredits: 0 }] });
    expect(decoded).toEqual({
      ok: true,
      value: [
        { fault, readable },
        { ref: 'q', name: 'Q', minCredits: 0 },
      ],
    });
  });
});

describe('decodeLaunched', () => {
  test.each([
    [{ id: 'd', scan: { id: 'c', scanId: 'b' }, scanId: 'a' }, 'a'],
    [{ id: 'd', scan: { id: 'c', scanId: 'b' } }, 'b'],
    [{ id: 'launch_4711', scan: { id: 'scan_1' } }, 'scan_1'],
    [{ id: 'd' }, 'd'],
    [{ scanId: 7, id: '..', scan: { id: 'c' } }, 'c'],
  ])('decodeLaunched reads %j as the scan id %j', (json, scanId) => {
    expect(wire.decodeLaunched(json)).toEqual({ ok: true, value: { scanId } });
  });

  test.each([[null], [[]], ['x'], [{}], [{ scanId: '' }], [{ scan: null }], [{ scan: 'id' }]])(
    'decodeLaunched finds no id in %j',
    (json) => {
      expect(wire.decodeLaunched(json).ok).toBe(false);
    },
  );
});

describe('decodeScan', () => {
  test('decodeScan reads a scan that shows only its status', () => {
    const value = aScan('WHATEVER');
    expect(wire.decodeScan({ scan: { status: 'WHATEVER' } }, 's')).toEqual({ ok: true, value });
  });

  test.each([
    [{ baseCommit: null, diffBase: SHA }, { baseSha: SHA }],
    [{ baseCommit: null }, { baseSha: null }],
    [{ baseCommit: 'main' }, {}],
    [{ baseSha: SHA.toUpperCase() }, { baseSha: SHA }],
    [{ commit: 'refs/heads/main', headSha: SHA }, { headSha: SHA }],
    [{ commit: { sha: SHA } }, {}],
    [{ repository: { id: 'r' } }, { repositoryId: 'r' }],
    [{ preset: 'p' }, { presetRef: 'p' }],
    [{ preset: { ref: 'p' } }, { presetRef: 'p' }],
    [{ startedAt: 'then' }, { createdAt: 'then' }],
    [{ creditBudget: 20 }, { creditBudget: 20 }],
    [{ creditBudget: '20', budget: 0 }, { creditBudget: 0 }],
    [{ creditBudget: 2.5 }, {}],
    [{ auditAreaKeys: [] }, { areas: [] }],
    [{ auditAreaKeys: ['login', 'pay'] }, { areas: ['login', 'pay'] }],
    [{ auditAreas: [{ key: 'login', name: 'Login' }] }, { areas: ['login'] }],
    [{ auditAreaKeys: null, areas: ['login'] }, { areas: ['login'] }],
    // An area without a readable key still narrows the scan.
    [{ auditAreaKeys: ['login', ''] }, { areas: ['login', ''] }],
    [{ auditAreas: [{ key: 'login' }, { name: 'Pay' }] }, { areas: ['login', ''] }],
    [{ auditAreaKeys: 'login' }, {}],
    [{ guidanceApplied: 'repository' }, { guidance: { from: 'repository' } }],
    [{ guidanceApplied: 'scan' }, { guidance: { from: 'launch' } }],
    [{ guidanceApplied: null }, { guidance: { from: 'nowhere' } }],
    [{ guidance: '' }, { guidance: { from: 'nowhere' } }],
    [{ guidance: 'abc' }, { guidance: { from: 'unknown', hash: ABC_HASH } }],
    // If the scan shows a guidance text, the text counts, even if `guidanceApplied` means that there is none.
    [{ guidanceApplied: null, guidance: 'abc' }, { guidance: { from: 'unknown', hash: ABC_HASH } }],
    [{ guidanceApplied: '', guidance: 'abc' }, { guidance: { from: 'unknown', hash: ABC_HASH } }],
    [{ guidance: 7 }, {}],
    [{ guidance: ['abc'] }, {}],
  ])('decodeScan and readListedScan read the members %j as %j', (members, shown) => {
    const scan = { scanId: 's', status: 'QUEUED', ...members };
    const { progress, ...listed } = { ...aScan('QUEUED'), ...shown };
    expect(wire.decodeScan({ scan }, 's')).toStrictEqual({ ok: true, value: { ...listed, progress } });
    expect(wire.readListedScan(scan)).toStrictEqual(listed);
  });

  test.each([
    [{ phasesCompleted: 2, phasesTotal: 5, weightedCompletion: 0.4, reservedCredits: 100 }, [2, 5, 0.4, 100]],
    [{ percent: 40, budget: 7 }, [undefined, undefined, 0.4, 7]],
    [
      { phasesCompleted: -1, phasesTotal: '5', completion: 400, reserved: 1.5 },
      [undefined, undefined, undefined, undefined],
    ],
    [{ weighted: Number.NaN }, [undefined, undefined, undefined, undefined]],
  ])(
    'decodeScan reads the progress %j',
    (progress, [phasesCompleted, phasesTotal, weighted, reservedCredits]) => {
      const decoded = wire.decodeScan({ scan: { status: 'X', progress } }, 's');
      expect(decoded).toMatchObject({
        value: { progress: { phasesCompleted, phasesTotal, weighted, reservedCredits } },
      });
    },
  );

  test('decodeScan does not change the case of a status', () => {
    expect(wire.decodeScan({ scan: { status: 'completed' } }, 's')).toMatchObject({
      value: { status: 'completed' },
    });
  });
});

describe('readListedScan', () => {
  test('readListedScan reads members under alternative names', () => {
    const sha = SHA.toUpperCase();
    expect(
      wire.readListedScan({
        scanId: 's',
        status: 'RUNNING',
        repository: { id: 'r' },
        preset: { ref: 'diff' },
        diffBase: sha,
        headSha: SHA.slice(0, 7),
        queuedAt: '2026-01-01T00:00:00Z',
      }),
    ).toEqual({
      id: 's',
      status: 'RUNNING',
      repositoryId: 'r',
      presetRef: 'diff',
      baseSha: SHA,
      headSha: SHA.slice(0, 7),
      createdAt: '2026-01-01T00:00:00Z',
    });
  });

  test('readListedScan accepts a scan without valid members', () => {
    const nothing = {
      id: undefined,
      status: undefined,
      repositoryId: undefined,
      presetRef: undefined,
      baseSha: undefined,
      headSha: undefined,
      createdAt: undefined,
    };
    expect(wire.readListedScan({})).toEqual(nothing);
    expect(wire.readListedScan({ id: '..', status: 7, commit: 'main', baseCommit: 'main' })).toEqual(nothing);
  });
});

describe('readFinding', () => {
  test('readFinding reads an empty object as a finding of unknown severity', () => {
    expect(wire.readFinding({})).toMatchObject({
      id: undefined,
      severity: { level: 'unknown', word: '' },
      resolution: undefined,
      title: 'Untitled finding',
      location: undefined,
    });
  });

  test('readFinding derives the label from the last eight characters of the id', () => {
    expect(wire.readFinding({ id: 'finding-0123456789' }).label).toBe('ZK-23456789');
    expect(wire.readFinding({ id: 'abc' }).label).toBe('ZK-abc');
  });

  test.each([
    [{ findingId: 'finding-0123456789' }, 'finding-0123456789'],
    [{ id: '..', findingId: 'f' }, 'f'],
    [{ id: 'row', findingId: 'f' }, 'row'],
    [{ findingId: 7 }, undefined],
  ])('readFinding reads the id of %j', (item, id) => {
    expect(wire.readFinding(item).id).toBe(id);
    expect(wire.decodeFinding({ finding: item })).toMatchObject({ ok: true, value: { id } });
  });

  test.each([
    [{ cwe: 'CWE-78' }, 78],
    [{ cwe: 'cwe-79: Cross-site scripting' }, 79],
    [{ cweId: 89 }, 89],
    [{ cweId: '611' }, 611],
    [{ cwe: null, cwes: ['CWE-22', 'CWE-23'] }, 22],
    [{ cwes: [{ id: 'CWE-94' }] }, 94],
    [{}, undefined],
    [{ cwe: '' }, undefined],
    [{ cwe: 0 }, undefined],
    [{ cwe: -78 }, undefined],
    [{ cwe: 7.8 }, undefined],
    [{ cwe: 1e21 }, undefined],
    [{ cwe: 'CWE-1234567' }, undefined],
    [{ cwe: 'injection' }, undefined],
  ])('readFinding reads the CWE number of %j', (item, cwe) => {
    expect(wire.readFinding(item).cwe).toBe(cwe);
  });

  test('readFinding distinguishes null evidence from missing evidence', () => {
    expect(wire.readFinding({ confirmationEvidence: null }).evidence).toBeNull();
    expect(wire.readFinding({}).evidence).toBeUndefined();
    expect(wire.readFinding({ confirmationEvidence: 'poc', triageStatus: 'confirmed' })).toMatchObject({
      evidence: 'POC',
      triage: { word: 'CONFIRMED', confirms: true },
    });
  });

  test.each([
    ['CONFIRMED', true],
    ['pending', false],
    ['NOT_CONFIRMED', false],
    ['REJECTED', false],
    ['DISMISSED', false],
    ['FALSE_POSITIVE', false],
    ['LIKELY', undefined],
    ['CONFIRMED_MAYBE', undefined],
    ['__proto__', undefined],
  ])('readFinding decides whether the triage status `%s` confirms the finding', (triageStatus, confirms) => {
    expect(wire.readFinding({ triageStatus }).triage).toEqual({
      word: triageStatus.toUpperCase(),
      confirms,
    });
  });

  test.each([undefined, null, '', 7])('readFinding ignores the invalid triage status %j', (triageStatus) => {
    expect(wire.readFinding({ triageStatus }).triage).toBeUndefined();
  });

  test.each([
    [
      { filePath: 'a', startLine: 3, endLine: 5 },
      { path: 'a', startLine: 3, endLine: 5 },
    ],
    [
      { path: 'a', line: 3 },
      { path: 'a', startLine: 3, endLine: undefined },
    ],
    [
      { file: 'a', lineStart: 9, lineEnd: 5 },
      { path: 'a', startLine: 9, endLine: undefined },
    ],
    [
      { file: 'a', startLine: 0, lineNumber: 4 },
      { path: 'a', startLine: 4, endLine: undefined },
    ],
    [
      { file: 'a', startLine: '4' },
      { path: 'a', startLine: undefined, endLine: undefined },
    ],
    [{ location: { file: 'a', line: 2, endLine: 2 } }, { path: 'a', startLine: 2, endLine: 2 }],
    [
      { locations: [{ filePath: 'a', line: 2 }, { path: 'b' }] },
      { path: 'a', startLine: 2, endLine: undefined },
    ],
    [
      { path: 'a', location: { startLine: 7 } },
      { path: 'a', startLine: 7, endLine: undefined },
    ],
    [
      { path: 'a', location: { path: 'b', startLine: 7 } },
      { path: 'a', startLine: undefined, endLine: undefined },
    ],
    [{ path: '', startLine: 7 }, undefined],
    [{ location: 'a:7' }, undefined],
  ])('readFinding reads the location of %j', (item, location) => {
    expect(wire.readFinding(item).location).toEqual(location);
  });

  test.each([
    [{ path: 'a' }, undefined],
    [{}, undefined],
    [{ path: 'a', file: 'a', location: { path: 'a' }, locations: [{ path: 'a' }] }, undefined],
    [{ path: 'a', filePath: 'b' }, ['a']],
    [{ path: 'a', location: { path: 'b', file: 'c' } }, ['b', 'c']],
    [{ path: 'a', location: { line: 3 } }, undefined],
    [{ locations: [{ path: 'a' }, { file: 'b' }, { filePath: 'a' }] }, ['b']],
    [{ path: 'a', locations: [{ path: 'b' }] }, ['b']],
    [{ locations: [{ path: 'a', file: 'b' }] }, ['b']],
    // A location that shows no file may be in a further file. The empty path stands for that file.
    [{ path: 'a', locations: [{ line: 3 }] }, ['']],
    [{ locations: [{ path: 'a' }, { path: '' }] }, ['']],
    [{ locations: [{ path: 'a' }, 'b:3', null, 4] }, ['']],
    [{ path: 'a', locations: [] }, undefined],
    [{ path: 'a', locations: null }, undefined],
    [{ path: 'a', file: null, location: '' }, undefined],
    // A value that cannot be read may name a further file.
    [{ path: 'a', locations: 'b' }, ['']],
    [{ path: 'a', locations: { path: 'b' } }, ['']],
    [{ path: 'a', location: 'b:3' }, ['']],
    [{ path: 'a', location: [{ path: 'b' }] }, ['']],
    [{ path: 'a', file: ['b'] }, ['']],
    [{ path: 'a', location: { path: { name: 'b' } } }, ['']],
    [{ locations: [{ path: 'a', file: ['b'] }] }, ['']],
    [{ filePath: ['a', 'b'] }, ['']],
  ])('readFinding reads the other files of %j', (item, otherPaths) => {
    expect(wire.readFinding(item).otherPaths).toEqual(otherPaths);
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
});

describe('decodeToken', () => {
  test.each([
    [
      { project: { id: 'p' }, scopes: ['read'] },
      { projectId: 'p', scopes: ['read'] },
    ],
    [
      { projectId: 'p', scopes: [{ id: 'read' }, 'publish', 7] },
      { projectId: 'p', scopes: ['read', 'publish'] },
    ],
    [{ project: { id: '..' } }, { projectId: undefined, scopes: undefined }],
    [{ scopes: 'read' }, { scopes: undefined }],
  ])('decodeToken reads %j as %j', (json, value) => {
    expect(wire.decodeToken(json)).toMatchObject({ ok: true, value });
  });
});

test.each([
  [' SQL injection\n', 'SQL injection'],
  ['SQL\r\n  injection\u2028here', 'SQL injection here'],
  ['two  spaces', 'two  spaces'],
  ['   ', 'Untitled finding'],
  ['\u200b\u00ad\n\u3164', 'Untitled finding'],
])('the title %j becomes one line', (title, shown) => {
  expect(wire.readFinding({ title }).title).toBe(shown);
});

test('a blank title gives way to the next name of the title', () => {
  expect(wire.readFinding({ title: ' ', name: 'Named' }).title).toBe('Named');
});
