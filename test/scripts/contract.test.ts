import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { readContract } from '../../sandbox/contract/read-contract.ts';
import { type JsonObject, objectAt } from '../../sandbox/json.ts';
import { USES } from '../../scripts/contract/action-names.ts';
import { compareContracts, type Verdict } from '../../scripts/contract/compare.ts';
import { KNOWN_VALUES } from '../../scripts/contract/remedy.ts';
import { exitCodeOf, table, warningsText } from '../../scripts/contract/table.ts';
import { warningsOf } from '../../scripts/contract/warnings.ts';
import { edited, everywhere, renamed, SCHEMAS, without } from './edit-document.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FINDING = '/projects/{projectId}/findings/{findingId}';

const ours = readContract();
const membersOf = (schema: string) => [...SCHEMAS, schema, 'properties'];
const object = (properties: object) => ({ type: 'object', properties });
const oneOf = (...values: readonly string[]) => ({ type: 'string', enum: values });

/** A file in which members, words and types differ. */
function withOtherNames(): JsonObject {
  const NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    Launch: { commit: 'revision', baseCommit: 'mergeBase', auditAreaKeys: 'areaKeys' },
    Scan: { createdAt: 'queuedAt' },
    Progress: { weightedCompletion: 'completedShare', phasesTotal: 'phaseCount' },
    TokenInformation: { project: 'boundTo' },
    Preset: { modelTier: 'tier' },
    ResolutionChange: { reason: 'because' },
    ResolutionChanged: { resolutionStatus: 'now' },
  };
  const theirs = Object.entries(NAMES).reduce(
    (document, [schema, names]) => renamed(document, membersOf(schema), names),
    ours,
  );
  const CHANGES: readonly (readonly [place: readonly string[], schema: object])[] = [
    [[...SCHEMAS, 'ScanStatus'], oneOf('QUEUED', 'IN_PROGRESS', 'CANCELLED', 'COMPLETED', 'FAILED')],
    [[...membersOf('Progress'), 'reservedCredits'], { type: 'string' }],
    [[...membersOf('Launch'), 'repositoryId'], { type: 'integer' }],
    [[...membersOf('Repository'), 'readiness'], oneOf('isReady', 'analyzing')],
  ];
  const note = [...membersOf('ResolutionChange'), 'note', 'properties'];
  return CHANGES.reduce(
    (document, [place, schema]) => edited(document, place, () => schema),
    renamed(theirs, note, { content: 'text', existingNoteId: 'id' }),
  );
}

/** A file that lacks endpoints, records, members, parameters and lists of words. */
function withoutNames(): JsonObject {
  let theirs = without(ours, ['paths'], '/token', `${FINDING}/notes`, `${FINDING}/resolution`);
  theirs = renamed(theirs, ['paths'], {
    '/projects/{projectId}/scan-presets': '/projects/{projectId}/presets',
  });
  theirs = without(theirs, membersOf('Launch'), 'commit');
  theirs = without(theirs, membersOf('Cancelled'), 'cancelledJobs');
  theirs = without(theirs, [...SCHEMAS, 'Cancelled'], 'required');
  theirs = without(theirs, membersOf('FindingAnswer'), 'finding');
  theirs = without(theirs, [...SCHEMAS, 'FindingAnswer'], 'required');
  theirs = edited(theirs, ['paths', '/projects/{projectId}/findings', 'get'], (get) => ({
    ...get,
    parameters: [{ $ref: '#/components/parameters/page' }, { name: 'size', in: 'query', schema: {} }],
  }));
  return edited(theirs, [...membersOf('Repository'), 'readiness'], () => ({ type: 'string' }));
}

/** A file in OpenAPI 3.0 with a prefix before each path, and other parameters. Members are in other records. */
function inOtherRecords(): JsonObject {
  let theirs = inOpenApi30(ours);
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
  // Splits the launch into two subschemas of `allOf`, and moves its member `commit`.
  theirs = edited(theirs, [...SCHEMAS, 'Launch'], (launch) => {
    const { commit, repositoryId, ...rest } = objectAt(launch, 'properties');
    const selector = object({ repositoryId, commitRef: object({ sha: commit }) });
    return { allOf: [{ ...object(rest), required: launch['required'] }, selector] };
  });
  // Moves the location of a finding into a record `Place`, which can contain a `Place`.
  theirs = edited(theirs, membersOf('Finding'), ({ filePath, startLine, endLine, ...rest }) => ({
    ...rest,
    location: { $ref: '#/components/schemas/Place' },
  }));
  const line = { type: 'integer' };
  const within = { $ref: '#/components/schemas/Place' };
  return edited(theirs, SCHEMAS, (schemas) => ({
    ...schemas,
    Place: object({ path: { type: 'string' }, startLine: line, endLine: line, within }),
  }));
}

/** A file in which a record contains itself. */
function withRecursion(): JsonObject {
  const self = { $ref: '#/components/schemas/Commit' };
  const theirs = edited(ours, [...membersOf('Scan'), 'commit'], () => self);
  const half = { properties: { parent: self, sha: { type: 'string' } } };
  const Commit = { allOf: [self, half, { ...half, anyOf: [self, half] }, self], items: self };
  return edited(theirs, SCHEMAS, (schemas) => ({ ...schemas, Commit }));
}

/** A file with nested records that our contract lacks. */
function withDeepRecords(depth: number): JsonObject {
  const next = { $ref: `#/components/schemas/Depth${depth}` };
  const properties = Object.fromEntries(Array.from('abcdefghij', (name) => [name, next]));
  const theirs = depth === 0 ? ours : withDeepRecords(depth - 1);
  const place = depth === 0 ? 'ScanDetail' : `Depth${depth - 1}`;
  return edited(theirs, SCHEMAS, (all) => ({
    ...all,
    [place]: { ...objectAt(all, place), properties },
    [`Depth${depth}`]: { type: 'object' },
  }));
}

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
  return Object(older);
}

const server = (url: string) => ({ ...ours, servers: [{ url }] });
const scanAnswer = (properties: object) => edited(ours, [...SCHEMAS, 'ScanAnswer'], () => object(properties));
const schemes = (document: JsonObject, securitySchemes: object) =>
  edited(document, ['components'], (all) => ({ ...all, securitySchemes }));
const key = (name: string) => ({ key: { type: 'apiKey', in: 'header', name } });
const cwe = (members: object) =>
  edited(ours, membersOf('Finding'), ({ cwe: _, ...rest }) => ({ ...rest, ...members }));

/** The files with differences of names. */
const FILES: Readonly<Record<string, JsonObject>> = {
  'our own contract': ours,
  'our own contract without `x-assumed`': Object(
    everywhere(ours, (record) =>
      Object.fromEntries(Object.entries(record).filter(([name]) => !name.startsWith('x-assumed'))),
    ),
  ),
  'other names': withOtherNames(),
  'missing names': withoutNames(),
  'names in other records': inOtherRecords(),
  'a record that contains itself': withRecursion(),
  'nested records that our contract lacks': withDeepRecords(12),
  'another name for the note of a triage': renamed(ours, membersOf('ResolutionChange'), { note: 'comment' }),
  'another name for a finding, with a `cweId`': renamed(cwe({ cweId: {} }), membersOf('FindingAnswer'), {
    finding: 'result',
  }),
  'words in lower case': edited(ours, membersOf('Finding'), (finding) => ({
    ...finding,
    severity: oneOf('critical', 'high'),
    resolutionStatus: oneOf('mitigated'),
  })),
  'a string `cwe`': cwe({ cwe: { type: 'string' } }),
  'an integer `cwe`': cwe({ cwe: { type: 'integer' } }),
  'an integer `cweId`': cwe({ cweId: { type: 'integer' } }),
  'a record `cwe` with an `id`': cwe({ cwe: object({ id: { type: 'string' } }) }),
  'a list `cwes` of strings': cwe({ cwes: { type: 'array', items: { type: 'string' } } }),
  'a list `cwes` of records': cwe({ cwes: { type: 'array', items: object({ id: { type: 'string' } }) } }),
  'a boolean `cwe`': cwe({ cwe: { type: 'boolean' } }),
  'a string `cweName`': cwe({ cweName: { type: 'string' } }),
};

/** The files that the command warns of. */
const WARNED: Readonly<Record<string, JsonObject>> = {
  'another base path': server('https://scan.example/v2/'),
  'no base path': server('https://scan.example'),
  'a base path of which a half is in the paths': edited(
    server('https://scan.example/api'),
    ['paths'],
    (paths) => Object.fromEntries(Object.entries(paths).map(([name, item]) => [`/v1${name}`, item])),
  ),
  'no authentication': schemes(ours, {}),
  'another authentication': schemes(ours, key('X-Key')),
  'the token in any header of the right name': schemes(ours, key('Authorization')),
  'errors without a code': Object(everywhere(ours, ({ code: _, ...rest }) => rest)),
  'another status of a launch': edited(ours, ['paths', '/projects/{projectId}/scans', 'post'], (launch) => {
    const { '202': accepted, ...errors } = objectAt(launch, 'responses');
    return { ...launch, responses: { '201': accepted, ...errors } };
  }),
  'a scan that is not wrapped and is DONE': scanAnswer({ status: oneOf('QUEUED', 'DONE') }),
  'a scan that is DONE, beside another status that is COMPLETED': scanAnswer({
    scan: object({ status: oneOf('DONE') }),
    export: object({ status: oneOf('COMPLETED') }),
  }),
};

const VERDICTS = Object.entries(FILES).map(([what, theirs]) => {
  return { what, theirs, verdicts: compareContracts(ours, theirs) };
});

/** The output without empty lines. A row has one line, whatever its length. */
function shown(verdicts: readonly Verdict[]): string {
  return table(verdicts, 'f', false)
    .replaceAll(/\n {6}/g, ' ')
    .replaceAll(/\n {4}/g, '  ')
    .replaceAll(/\n+(?:f:\n)?/g, '\n');
}

test('the contract output says what a file has in place of each name, and what to do', async () => {
  const outputs = VERDICTS.map(
    ({ what, verdicts }) => `=== ${what}: exit code ${exitCodeOf(verdicts)}\n${shown(verdicts)}\n`,
  );
  await expect(outputs.join('')).toMatchFileSnapshot('golden/contract-names.txt');
});

test('the contract command warns of what is not a name', async () => {
  const warnings = Object.entries(WARNED).map(
    ([what, theirs]) => `${what}: ${warningsOf(ours, theirs).join(' ') || 'no warning'}\n`,
  );
  await expect(warnings.join('')).toMatchFileSnapshot('golden/contract-warnings.txt');
  expect(warningsOf(ours, ours)).toEqual([]);
});

test.each(['other names', 'missing names', 'names in other records'])(
  'the file with %s is valid',
  async (what) => {
    expect((await new Validator().validate(structuredClone({ ...FILES[what] }))).valid).toBe(true);
  },
);

describe('the output about a file', () => {
  const more = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`member${index}`, {}]));
  const WIDE = edited(withoutNames(), membersOf('Launch'), (launch) => ({ ...launch, ...more }));

  test('the contract output fits a terminal of 100 columns', () => {
    const warned = [...Object.values(FILES), ...Object.values(WARNED)].map((theirs) =>
      warningsOf(ours, theirs),
    );
    const compared = [...VERDICTS.map(({ verdicts }) => verdicts), compareContracts(ours, WIDE)];
    const outputs = [
      ...warned.map(warningsText),
      ...[true, false].flatMap((isWhole) => compared.map((verdicts) => table(verdicts, 'f', isWhole))),
    ];
    expect(
      outputs
        .join('\n')
        .split('\n')
        .filter((line) => line.length > 100),
    ).toEqual([]);
  });

  test('with `--all`, the contract output says once what to do about a missing endpoint', () => {
    const output = table(compareContracts(ours, without(ours, ['paths'], '/token')), 'f', true);
    expect(output.match(/no such endpoint/g)?.length).toBeGreaterThan(5);
    expect(output.match(/no such endpoint\n +-> .*/g)).toEqual([
      'no such endpoint\n    -> the action calls it: src/scan-api/client.ts',
    ]);
  });
});

test.each(Object.entries(KNOWN_VALUES))(
  'each value that `KNOWN_VALUES` lists for the source file %s is in that file',
  (file, values) => {
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    expect(values.filter((word) => !text.includes(`'${word}'`))).toEqual([]);
  },
);

test('the contract has every endpoint and every member that the action uses, except for members that services may add', () => {
  const names = new Set(compareContracts(ours, ours).map(({ endpoint, name }) => `${endpoint} ${name}`));
  const missing = Object.entries(USES).flatMap(([endpoint, { reads, sends = [] }]) => {
    const members = [[''], ...reads, ...sends.map((name) => [name])];
    return members.filter((group) => !group.some((name) => names.has(`${endpoint} ${name}`)));
  });
  expect(missing.map(([name]) => name)).toEqual([
    ...['items[].creditBudget', 'items[].auditAreaKeys', 'items[].guidanceApplied', 'items[].url'],
    ...['items[].description', 'items[].recommendedFix', 'items[].proofOfConcept', 'finding.url'],
  ]);
});
