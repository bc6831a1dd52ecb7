import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { readContract } from '../../sandbox/contract/read-contract.ts';
import { isObject, type JsonObject } from '../../sandbox/json.ts';
import { compareContracts } from '../../scripts/contract/compare.ts';
import { deviations, exitCodeOf } from '../../scripts/contract/table.ts';
import { edited, everywhere, renamed, without } from './edit-document.ts';

const ours = readContract();
const SCHEMAS = ['components', 'schemas'];
const SCAN = '/projects/{projectId}/scans/{scanId}';

/** The names of our contract that `theirs` does not confirm, one per line. */
function differences(theirs: JsonObject): string[] {
  return compareContracts(ours, theirs)
    .filter(({ state }) => state !== 'confirmed')
    .map(({ state, endpoint, place, name, assumed, note }) =>
      [assumed ? state : `${state} (documented)`, endpoint, place, name, note].filter(Boolean).join(' | '),
    );
}

async function isValid(document: JsonObject): Promise<boolean> {
  return (await new Validator().validate(structuredClone(document))).valid;
}

describe('our own contract', () => {
  test('our contract confirms each of its own names', () => {
    const verdicts = compareContracts(ours, ours);
    expect(verdicts.filter(({ state }) => state !== 'confirmed')).toEqual([]);
    expect(verdicts.filter(({ assumed }) => assumed).length).toBeGreaterThan(80);
    expect(exitCodeOf(verdicts)).toBe(0);
  });

  test('a copy of our contract without `x-assumed` confirms every name', () => {
    const bare = everywhere(ours, (record) =>
      Object.fromEntries(Object.entries(record).filter(([name]) => !name.startsWith('x-assumed'))),
    );
    expect(differences(isObject(bare) ? bare : {})).toEqual([]);
  });
});

test('a renamed member is reported as "not found", with the new name', async () => {
  let theirs = renamed(ours, [...SCHEMAS, 'Launch', 'properties'], { commit: 'revision' });
  theirs = renamed(theirs, [...SCHEMAS, 'Progress', 'properties'], { weightedCompletion: 'completedShare' });
  theirs = renamed(theirs, [...SCHEMAS, 'TokenInformation', 'properties'], { project: 'boundTo' });
  theirs = edited(theirs, [...SCHEMAS, 'ScanStatus'], () => ({
    type: 'string',
    enum: ['QUEUED', 'IN_PROGRESS', 'CANCELLED', 'COMPLETED', 'FAILED'],
  }));
  theirs = edited(theirs, [...SCHEMAS, 'Progress', 'properties', 'reservedCredits'], () => ({
    type: 'string',
  }));
  expect(await isValid(theirs)).toBe(true);
  expect(differences(theirs)).toEqual([
    'not found | GET /token | answer 200 | project | no such member; the file has boundTo',
    // The file lacks the whole record `project`. The differences include its assumed members, but not its documented
    // members, such as project.id.
    'not found | GET /token | answer 200 | project.name | nothing is said of this record',
    'not found | GET /projects/{projectId}/scans | answer 200 | items[].status=RUNNING | no such word; the file has IN_PROGRESS',
    'not found | POST /projects/{projectId}/scans | request | commit | no such member; the file has revision',
    'not found | POST /projects/{projectId}/scans | answer 202 | status=RUNNING | no such word; the file has IN_PROGRESS',
    `not found | GET ${SCAN} | answer 200 | scan.status=RUNNING | no such word; the file has IN_PROGRESS`,
    `not found | GET ${SCAN} | answer 200 | scan.progress.weightedCompletion | no such member; the file has completedShare`,
    `wrong | GET ${SCAN} | answer 200 | scan.progress.reservedCredits | of type string, not integer`,
  ]);
  const verdicts = compareContracts(ours, theirs);
  expect(exitCodeOf(verdicts)).toBe(1);
  expect(deviations(verdicts, 'theirs.yaml')).toMatch(
    /of \d+ assumptions \d+ are confirmed, 0 read anyway, 1 wrong, 7 not found\./,
  );
});

test('the comparison understands OpenAPI 3.0, path prefixes and renamed parameters', async () => {
  let theirs = inOpenApi30(ours);
  // Adds a version to each path, and renames parameters.
  theirs = edited(theirs, ['paths'], (paths) =>
    Object.fromEntries(
      Object.entries(paths).map(([name, item]) => [
        `/security/v1${name.replaceAll('{projectId}', '{project}').replaceAll('{scanId}', '{scan_key}')}/`,
        item,
      ]),
    ),
  );
  theirs = edited(theirs, ['components', 'parameters', 'projectId'], (one) => ({ ...one, name: 'project' }));
  theirs = edited(theirs, ['components', 'parameters', 'scanId'], (one) => ({ ...one, name: 'scan_key' }));
  // Splits the launch into two subschemas of `allOf`, and renames its member `commit`.
  theirs = edited(theirs, [...SCHEMAS, 'Launch'], ({ properties, required }) => {
    const { commit, repositoryId, ...rest } = isObject(properties) ? properties : {};
    const selector = { type: 'object', properties: { repositoryId, headSha: commit } };
    return { allOf: [{ type: 'object', required, properties: rest }, selector] };
  });
  // Moves the location of a finding into a record `Place`, which can contain a `Place`.
  theirs = edited(theirs, [...SCHEMAS, 'Finding', 'properties'], (all) => {
    const { filePath, startLine, endLine, ...rest } = all;
    return { ...rest, location: { $ref: '#/components/schemas/Place' } };
  });
  theirs = edited(theirs, SCHEMAS, (schemas) => ({
    ...schemas,
    Place: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        startLine: { type: 'integer' },
        endLine: { type: 'integer' },
        within: { $ref: '#/components/schemas/Place' },
      },
    },
  }));
  expect(await isValid(theirs)).toBe(true);
  expect(differences(theirs)).toEqual([
    'not found | POST /projects/{projectId}/scans | request | commit | no such member; the file has headSha',
    ...[
      ['GET /projects/{projectId}/findings', 'items[]'],
      ['GET /projects/{projectId}/findings/{findingId}', 'finding'],
    ].flatMap(([endpoint, record]) => [
      `read anyway | ${endpoint} | answer 200 | ${record}.filePath | as ${record}.location.path`,
      `read anyway | ${endpoint} | answer 200 | ${record}.startLine | as ${record}.location.startLine`,
      `read anyway | ${endpoint} | answer 200 | ${record}.endLine | as ${record}.location.endLine`,
    ]),
  ]);
});

test('a missing name is reported as "not found"', async () => {
  const NOTES = '/projects/{projectId}/findings/{findingId}/notes';
  let theirs = without(ours, ['paths'], '/token', NOTES);
  theirs = renamed(theirs, ['paths'], {
    '/projects/{projectId}/scan-presets': '/projects/{projectId}/presets',
  });
  theirs = without(theirs, [...SCHEMAS, 'Cancelled', 'properties'], 'cancelledJobs');
  theirs = without(theirs, [...SCHEMAS, 'Cancelled'], 'required');
  theirs = without(theirs, [...SCHEMAS, 'FindingAnswer', 'properties'], 'finding');
  theirs = without(theirs, [...SCHEMAS, 'FindingAnswer'], 'required');
  theirs = edited(theirs, ['paths', '/projects/{projectId}/findings', 'get'], (get) => ({
    ...get,
    parameters: [{ $ref: '#/components/parameters/page' }, { name: 'size', in: 'query', schema: {} }],
  }));
  theirs = edited(theirs, [...SCHEMAS, 'Repository', 'properties', 'readiness'], () => ({ type: 'string' }));
  expect(await isValid(theirs)).toBe(true);
  const found = differences(theirs);
  const FINDING = '/projects/{projectId}/findings/{findingId}';
  const shown = (start: string) => found.filter((line) => line.startsWith(start));
  expect(shown('not found (documented)')).toEqual([
    'not found (documented) | GET /token | endpoint | no such endpoint',
    'not found (documented) | GET /projects/{projectId}/scan-presets | endpoint | no such endpoint; the file has GET /projects/{projectId}/presets',
    `not found (documented) | POST ${SCAN}/cancel | answer 200 | cancelledJobs | no such member`,
    'not found (documented) | GET /projects/{projectId}/findings | query | limit | no such parameter; the file has size',
    'not found (documented) | GET /projects/{projectId}/findings | query | scanId | no such parameter; the file has size',
    `not found (documented) | GET ${FINDING} | answer 200 | finding | nothing is said of this record`,
    `not found (documented) | POST ${NOTES} | endpoint | no such endpoint`,
  ]);
  expect(shown('wrong')).toEqual([]);
  const assumed = shown('not found | ');
  expect(assumed).toContain('not found | GET /token | answer 200 | scopes | no such endpoint');
  expect(assumed).toContain(
    `not found | GET ${FINDING} | answer 200 | finding.title | nothing is said of this record`,
  );
  expect(assumed).toContain(
    'not found | GET /projects/{projectId}/repositories | answer 200 | repositories[].readiness=analyzing | no words are listed',
  );
  // All assumed names that are missing belong to `/token`, to the notes, to the missing record or to `readiness`.
  const elsewhere = assumed.filter(
    (line) => !/GET \/token|\{findingId\} \||\/notes \||readiness=/.test(line),
  );
  expect(elsewhere).toEqual([]);
});

test('the comparison ends if a record contains itself', () => {
  const self = { $ref: '#/components/schemas/Commit' };
  const theirs = edited(ours, [...SCHEMAS, 'Scan', 'properties', 'commit'], () => self);
  const half = { properties: { parent: self, sha: { type: 'string' } } };
  const Commit = { allOf: [self, half, { ...half, anyOf: [self, half] }, self], items: self };
  expect(differences(edited(theirs, SCHEMAS, (schemas) => ({ ...schemas, Commit })))).toContain(
    `wrong | GET ${SCAN} | answer 200 | scan.commit | of type object, not string`,
  );
});

test('the comparison ignores nested records that our contract lacks', () => {
  const deeper = (depth: number): object =>
    Object.fromEntries(
      Array.from('abcdefghij', (name) => [name, { $ref: `#/components/schemas/Depth${depth}` }]),
    );
  const depths = Array.from({ length: 12 }, (_, depth) => [
    `Depth${depth}`,
    { properties: deeper(depth + 1) },
  ]);
  const theirs = edited(ours, SCHEMAS, (schemas) => ({ ...schemas, ...Object.fromEntries(depths) }));
  const wide = edited(theirs, [...SCHEMAS, 'ScanDetail'], (detail) => ({ ...detail, properties: deeper(0) }));
  expect(differences(wide)).toEqual([]);
});

/**
 * Rewrites the document in OpenAPI 3.0. This version has no lists of types and no `const`. It allows no member beside a
 * `$ref`.
 */
function inOpenApi30(document: JsonObject): JsonObject {
  const older = everywhere({ ...document, openapi: '3.0.3' }, (record) => {
    const { type, const: only, $ref, if: _if, then: _then, identifier: _identifier, ...rest } = record;
    if (typeof $ref === 'string' && Object.keys(rest).length > 0) return { allOf: [{ $ref }], ...rest };
    if (typeof $ref === 'string') return { $ref };
    if (Array.isArray(type)) return { ...rest, type: type[0], nullable: true };
    if (only !== undefined) return { ...rest, enum: [only] };
    return type === undefined ? rest : { ...rest, type };
  });
  return isObject(older) ? older : {};
}
