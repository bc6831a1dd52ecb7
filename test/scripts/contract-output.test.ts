import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readContract } from '../../sandbox/contract/read-contract.ts';
import { type JsonObject, objectAt } from '../../sandbox/json.ts';
import { CALLED } from '../../scripts/contract/action-names.ts';
import { compareContracts } from '../../scripts/contract/compare.ts';
import { KNOWN_VALUES } from '../../scripts/contract/remedy.ts';
import { deviations, exitCodeOf, fullTable, warningsText } from '../../scripts/contract/table.ts';
import { warningsOf } from '../../scripts/contract/warnings.ts';
import { edited, everywhere, renamed, without } from './edit-document.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

const ours = readContract();
const SCHEMAS = ['components', 'schemas'];
const SCAN = '/projects/{projectId}/scans/{scanId}';

describe('the output about a file', () => {
  const LAUNCH = [...SCHEMAS, 'Launch', 'properties'];
  const shown = (theirs: JsonObject) =>
    deviations(compareContracts(ours, theirs), 'f')
      // A row has one line for its name, and further lines for its note and its remedy.
      .replaceAll(/\n {6}/g, ' ')
      .replaceAll(/\n {4}(?:-> )?/g, '  ')
      .split('\n')
      .map((line) => line.trim().replaceAll(/ {2,}/g, ' | '));

  test('the contract output lists only deviations, with one line for each missing endpoint', () => {
    let theirs = renamed(ours, LAUNCH, { commit: 'headSha' });
    theirs = renamed(theirs, [...SCHEMAS, 'Scan', 'properties'], { createdAt: 'queuedAt' });
    theirs = renamed(theirs, [...SCHEMAS, 'Progress', 'properties'], {
      weightedCompletion: 'completedShare',
      phasesTotal: 'phaseCount',
    });
    theirs = renamed(theirs, [...SCHEMAS, 'Preset', 'properties'], { modelTier: 'tier' });
    theirs = without(theirs, ['paths'], '/token', '/projects/{projectId}/findings/{findingId}/notes');
    expect(shown(theirs)).toEqual([
      'To do: 5 for the action, 1 for the fake service only',
      '',
      'Assumed, and not so in the file:',
      '',
      'GET /projects/{projectId}/scans | (always)',
      'read anyway | answer 200 | items[].createdAt | as items[].queuedAt',
      '',
      'POST /projects/{projectId}/scans | (always)',
      'not found | request | commit | no such member; the file has headSha | the action sends it: find its name, then launch-parameters {"commit":null,"NAME":"…"}',
      '',
      `GET ${SCAN} | (always)`,
      'read anyway | answer 200 | scan.createdAt | as scan.queuedAt',
      'not found | answer 200 | scan.progress.weightedCompletion | no such member; the file has phaseCount, completedShare | the action does not find it: one row in src/scan-api/wire.ts',
      '',
      'Documented, and not so in the file:',
      '',
      'GET /token | (always)',
      'not found | endpoint | no such endpoint | the action calls it: src/scan-api/client.ts',
      '',
      'GET /projects/{projectId}/scan-presets | (always)',
      'not found | answer 200 | presets[].modelTier | no such member; the file has tier | the action does not find it: one row in src/scan-api/wire.ts',
      '',
      `GET ${SCAN} | (always)`,
      'not found | answer 200 | scan.progress.phasesTotal | no such member; the file has phaseCount, completedShare | the action does not find it: one row in src/scan-api/wire.ts',
      '',
      'POST /projects/{projectId}/findings/{findingId}/notes | (fake service only)',
      'not found | endpoint | no such endpoint',
      '',
      'f:',
      expect.stringMatching(/^of 96 assumptions \d+ are confirmed, 2 read anyway, 0 wrong, \d+ not found\.$/),
      expect.stringMatching(/^Of the documented names/),
      expect.stringMatching(/^\d+ of these have no row, /),
    ]);
    const [, hidden = ''] = /(\d+) of these have no row/.exec(shown(theirs).join('\n')) ?? [];
    const rows = shown(theirs).filter((line) => /^(?:not found|read anyway|wrong) \|/.test(line));
    const all = compareContracts(ours, theirs).filter(({ state }) => state !== 'confirmed');
    expect(rows.length + Number(hidden)).toBe(all.length);
  });

  test('with `--all`, the contract output says once what to do about a missing endpoint', () => {
    const verdicts = compareContracts(ours, without(ours, ['paths'], '/token'));
    const table = fullTable(verdicts, 'f');
    expect(table.match(/no such endpoint/g)?.length).toBeGreaterThan(5);
    expect(table.match(/no such endpoint\n +-> .*/g)).toEqual([
      'no such endpoint\n    -> the action calls it: src/scan-api/client.ts',
    ]);
  });

  test('the contract output has only one line for a missing record', () => {
    const theirs = without(
      without(ours, [...SCHEMAS, 'FindingAnswer', 'properties'], 'finding'),
      [...SCHEMAS, 'FindingAnswer'],
      'required',
    );
    const lines = shown(theirs);
    expect(lines[0]).toBe('To do: 1 for the action, 0 for the fake service only');
    expect(lines.filter((line) => line.includes('answer 200'))).toEqual([
      'not found | answer 200 | finding | nothing is said of this record | the action does not find it: one row in src/scan-api/wire.ts',
    ]);
  });

  test.each<[what: string, theirs: () => JsonObject, row: string]>([
    [
      'a launch member that moved into another record',
      () => {
        const nested = { type: 'object', properties: { sha: { type: 'string' } } };
        return edited(ours, LAUNCH, ({ commit: _, ...rest }) => ({ ...rest, commitRef: nested }));
      },
      'not found | request | commit | no such member; the file has commitRef.sha | the action sends it: find its name, then launch-parameters {"commit":null,"NAME":"…"}',
    ],
    [
      'a missing launch member',
      () => without(ours, LAUNCH, 'commit'),
      'not found | request | commit | no such member | the action sends it: find its name, then launch-parameters {"commit":null,"NAME":"…"}',
    ],
    [
      'a launch member of another type',
      () => edited(ours, [...LAUNCH, 'repositoryId'], () => ({ type: 'integer' })),
      'wrong | request | repositoryId | of type integer, not string | the action sends it in another form: launch-parameters {"repositoryId":"…"}',
    ],
    [
      'a launch member that is computed for each change',
      () => renamed(ours, LAUNCH, { baseCommit: 'mergeBase' }),
      'not found | request | baseCommit | no such member; the file has mergeBase | the action sends it: src/scan-api/wire-writes.ts',
    ],
    [
      'a launch member that the action never sends',
      () => renamed(ours, LAUNCH, { auditAreaKeys: 'areaKeys' }),
      'not found | request | auditAreaKeys | no such member; the file has areaKeys | fake service only',
    ],
    [
      'a missing word that the action knows',
      () =>
        edited(ours, [...SCHEMAS, 'Repository', 'properties', 'readiness'], () => ({
          type: 'string',
          enum: ['isReady', 'analyzing'],
        })),
      'not found | answer 200 | repositories[].readiness=ready | no such word; the file has isReady | the action knows this word: src/scan/launch.ts',
    ],
  ])('the contract output explains %s', (_what, theirs, row) => {
    expect(shown(theirs())).toContain(row);
  });
});

describe('what the triage action uses', () => {
  const RESOLUTION = '/projects/{projectId}/findings/{findingId}/resolution';
  const todo = (theirs: JsonObject) => deviations(compareContracts(ours, theirs), 'f').split('\n');

  test('the contract output counts the endpoint that changes a finding as one of the action', () => {
    const lines = todo(without(ours, ['paths'], RESOLUTION));
    expect(lines[0]).toBe('To do: 1 for the action, 0 for the fake service only');
    expect(lines).toContain(`PATCH ${RESOLUTION}  (for triage by comment)`);
  });

  test.each<[member: string, path: readonly string[], action: number]>([
    ['note', [...SCHEMAS, 'ResolutionChange', 'properties'], 1],
    ['content', [...SCHEMAS, 'ResolutionChange', 'properties', 'note', 'properties'], 1],
    ['existingNoteId', [...SCHEMAS, 'ResolutionChange', 'properties', 'note', 'properties'], 0],
    ['reason', [...SCHEMAS, 'ResolutionChange', 'properties'], 0],
    ['resolutionStatus', [...SCHEMAS, 'ResolutionChanged', 'properties'], 1],
  ])('the contract output says whether the triage action needs `%s`', (member, place, action) => {
    const theirs = renamed(ours, [...place], { [member]: 'other' });
    expect(todo(theirs)[0]).toBe(`To do: ${action} for the action, ${1 - action} for the fake service only`);
  });
});

describe('the warnings', () => {
  const server = (url: string) => ({ ...ours, servers: [{ url }] });
  const schemes = (securitySchemes: object) =>
    edited(ours, ['components'], (all) => ({ ...all, securitySchemes }));

  test('our contract causes no warning', () => expect(warningsOf(ours, ours)).toEqual([]));

  test.each<[what: string, theirs: JsonObject, warning: RegExp]>([
    ['another base path', server('https://scan.example/v2/'), /^The file has the base path \/v2\. /],
    ['no base path', server('https://scan.example'), /^The file has no base path\. .* end in \/api\/v1\.$/],
    ['no authentication', schemes({}), /^The file has no authentication\. .*Bearer/],
    [
      'another authentication',
      schemes({ key: { type: 'apiKey', in: 'header', name: 'X-Key' } }),
      /^The file has other authentication \(apiKey\)\./,
    ],
    [
      'errors without a code',
      Object(everywhere(ours, ({ code: _, ...rest }) => rest)),
      /^The file has error answers without `error\.code`\./,
    ],
    [
      'another status of a launch',
      edited(ours, ['paths', '/projects/{projectId}/scans', 'post'], (launch) => {
        const { '202': accepted, ...errors } = objectAt(launch, 'responses');
        return { ...launch, responses: { '201': accepted, ...errors } };
      }),
      /^The file answers a launch with 201\. The action accepts only 202\.$/,
    ],
    [
      'a scan that is not wrapped and is DONE',
      edited(ours, [...SCHEMAS, 'ScanAnswer'], () => ({
        type: 'object',
        properties: { status: { type: 'string', enum: ['QUEUED', 'DONE'] } },
      })),
      /^The status of a scan has the words QUEUED, DONE\. .* until it is COMPLETED, FAILED or CANCELLED\.$/,
    ],
    [
      'a scan that is DONE, beside another status that is COMPLETED',
      edited(ours, [...SCHEMAS, 'ScanAnswer'], () => {
        const status = (value: string) => ({
          type: 'object',
          properties: { status: { type: 'string', enum: [value] } },
        });
        return { type: 'object', properties: { scan: status('DONE'), export: status('COMPLETED') } };
      }),
      /^The status of a scan has the words DONE\./,
    ],
  ])('the contract command warns of a file with %s', (_what, theirs, warning) => {
    expect(warningsOf(ours, theirs)).toEqual([expect.stringMatching(warning)]);
  });

  test('the base path can be in the paths, and the token in any header of that name', () => {
    const theirs = edited(server('https://scan.example/api'), ['paths'], (paths) =>
      Object.fromEntries(Object.entries(paths).map(([name, item]) => [`/v1${name}`, item])),
    );
    const key = { type: 'apiKey', in: 'header', name: 'Authorization' };
    expect(
      warningsOf(
        ours,
        edited(theirs, ['components', 'securitySchemes'], () => ({ key })),
      ),
    ).toEqual([]);
  });
});

test.each([
  ['differences', deviations],
  ['everything', fullTable],
])('the contract output about %s fits a terminal of 100 columns', (_what, render) => {
  let theirs = without(ours, ['paths'], '/token', '/projects/{projectId}/findings');
  const more = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`member${index}`, {}]));
  theirs = edited(theirs, [...SCHEMAS, 'Launch', 'properties'], ({ commit: _, ...rest }) => ({
    ...rest,
    ...more,
  }));
  const lines = `${warningsText(warningsOf(ours, theirs))}${render(compareContracts(ours, theirs), 'f')}`;
  expect(lines.split('\n').filter((line) => line.length > 100)).toEqual([]);
});

test.each(Object.entries(KNOWN_VALUES))(
  'each value that `KNOWN_VALUES` lists for the source file %s is in that file',
  (file, values) => {
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    expect(values.filter((word) => !text.includes(`'${word}'`))).toEqual([]);
  },
);

describe('a name that the action reads in another form', () => {
  const states = (theirs: JsonObject, name: string) =>
    compareContracts(ours, theirs)
      .filter((verdict) => verdict.name === name && verdict.endpoint === `GET ${FINDING}`)
      .map(({ state }) => state);
  const FINDING = '/projects/{projectId}/findings/{findingId}';
  const finding = (cwe: object) =>
    edited(ours, [...SCHEMAS, 'Finding', 'properties'], ({ cwe: _, ...rest }) => ({ ...rest, ...cwe }));

  test.each<[state: string, what: string, cwe: object]>([
    ['confirmed', 'a string `cwe`', { cwe: { type: 'string' } }],
    ['read anyway', 'an integer `cwe`', { cwe: { type: 'integer' } }],
    ['read anyway', 'an integer `cweId`', { cweId: { type: 'integer' } }],
    [
      'read anyway',
      'a record `cwe` with an `id`',
      { cwe: { type: 'object', properties: { id: { type: 'string' } } } },
    ],
    ['read anyway', 'a list `cwes` of strings', { cwes: { type: 'array', items: { type: 'string' } } }],
    [
      'read anyway',
      'a list `cwes` of records',
      { cwes: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } } },
    ],
    ['wrong', 'a boolean `cwe`', { cwe: { type: 'boolean' } }],
    ['not found', 'a string `cweName`', { cweName: { type: 'string' } }],
  ])('the name `cwe` is reported as "%s" if the file has %s', (state, _what, cwe) => {
    expect(states(finding(cwe), 'finding.cwe')).toEqual([state]);
  });

  test('a severity in lower case is read anyway, and a status of triage in lower case is not', () => {
    const lower = { type: 'string', enum: ['critical', 'high', 'medium', 'low', 'info'] };
    const theirs = edited(ours, SCHEMAS, ({ ResolutionStatus: _, ...all }) => ({
      ...all,
      Severity: lower,
      ResolutionStatus: { type: 'string', enum: ['mitigated'] },
    }));
    expect(states(theirs, 'finding.severity=HIGH')).toEqual(['read anyway']);
    expect(states(theirs, 'finding.resolutionStatus=MITIGATED')).toEqual(['not found']);
  });

  test('a name that the action can read in another form is not an error', () => {
    const theirs = finding({ cweId: { type: 'string' } });
    expect(exitCodeOf(compareContracts(ours, theirs))).toBe(0);
    const elsewhere = renamed(theirs, [...SCHEMAS, 'FindingAnswer', 'properties'], { finding: 'result' });
    expect(states(elsewhere, 'finding.cwe')).toEqual(['not found']);
  });

  test('the exit code is 1 if the file has another name for a launch member', () => {
    const theirs = renamed(ours, [...SCHEMAS, 'Launch', 'properties'], { commit: 'headCommit' });
    expect(exitCodeOf(compareContracts(ours, theirs))).toBe(1);
  });

  test('the contract has every endpoint and every documented name that the action uses', () => {
    const names = new Set(
      compareContracts(ours, ours).map(({ endpoint, name }) => `${endpoint} ${name}`.trim()),
    );
    for (const [endpoint, documented] of Object.entries(CALLED)) {
      expect(names, endpoint).toContain(endpoint);
      for (const name of documented) expect(names).toContain(`${endpoint} ${name}`);
    }
  });
});
