import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import * as v from 'valibot';
import { describe, expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { assumedRules } from '../../sandbox/contract/assumed-rules.ts';
import { CONTRACT_FILE, readContract } from '../../sandbox/contract/read-contract.ts';
import { isObject, type JsonObject } from '../../sandbox/json.ts';
import { compareContracts } from '../../scripts/contract/compare.ts';
import { deviations, exitCodeOf } from '../../scripts/contract/table.ts';
import { edited, everywhere, renamed, without } from './edit-document.ts';

const execute = promisify(execFile);
const SCRIPT = path.resolve(import.meta.dirname, '../../scripts/contract.ts');
const Failure = v.object({ code: v.union([v.number(), v.string()]), stdout: v.string(), stderr: v.string() });

const ours = readContract();
const SCHEMAS = ['components', 'schemas'];
const SCAN = '/projects/{projectId}/scans/{scanId}';

/** What is not confirmed, one line each. */
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
  test('confirms every assumption, and every documented name', () => {
    const verdicts = compareContracts(ours, ours);
    expect(verdicts.filter(({ state }) => state !== 'confirmed')).toEqual([]);
    expect(verdicts.filter(({ assumed }) => assumed).length).toBeGreaterThan(80);
    expect(exitCodeOf(verdicts)).toBe(0);
  });

  test('confirms nothing by its marks: without them it is the same', () => {
    const bare = everywhere(ours, (record) =>
      Object.fromEntries(Object.entries(record).filter(([name]) => !name.startsWith('x-assumed'))),
    );
    expect(differences(isObject(bare) ? bare : {})).toEqual([]);
  });
});

test('what is called otherwise is not found, and the names that the file has there are listed', async () => {
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
    // Of its documented members, such as project.id, nothing is said.
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

test('another structure is the same contract: OpenAPI 3.0, a prefix, other parameters, allOf, references, a nested place', async () => {
  let theirs = inOpenApi30(ours);
  // A version in each path, and parameters that are called otherwise.
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
  // The launch in two halves, one of them elsewhere.
  theirs = edited(theirs, [...SCHEMAS, 'Launch'], ({ properties, required }) => {
    const { commit, repositoryId, ...rest } = isObject(properties) ? properties : {};
    const selector = { type: 'object', properties: { repositoryId, headSha: commit } };
    return { allOf: [{ type: 'object', required, properties: rest }, selector] };
  });
  // The place of a finding in a record of its own, which a comment refers to, in a circle.
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

test('what is missing is not found, whether it is assumed or documented', async () => {
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
  // Each of the two missing endpoints and of the missing record, and nothing else.
  const elsewhere = assumed.filter(
    (line) => !/GET \/token|\{findingId\} \||\/notes \||readiness=/.test(line),
  );
  expect(elsewhere).toEqual([]);
});

test('records that contain themselves, in subschemas or in members, are read once', () => {
  const self = { $ref: '#/components/schemas/Commit' };
  const theirs = edited(ours, [...SCHEMAS, 'Scan', 'properties', 'commit'], () => self);
  const half = { properties: { parent: self, sha: { type: 'string' } } };
  const Commit = { allOf: [self, half, { ...half, anyOf: [self, half] }, self], items: self };
  expect(differences(edited(theirs, SCHEMAS, (schemas) => ({ ...schemas, Commit })))).toContain(
    `wrong | GET ${SCAN} | answer 200 | scan.commit | of type object, not string`,
  );
});

test('records within records without end cost no more than those that are compared', () => {
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

describe('npm run contract', () => {
  test('exits 0 and prints a table where the file confirms everything, in YAML and in JSON', async () => {
    const json = await fileOf('contract.json', JSON.stringify(ours));
    for (const file of [CONTRACT_FILE, json]) {
      const { code, out } = await run(file, '--all');
      expect(out).toMatch(/^POST \/projects\/\{projectId\}\/scans\n(?: {2}confirmed {2}\S.*\n)+/m);
      expect(out).toMatch(/of (\d+) assumptions \1 are confirmed, 0 read anyway, 0 wrong, 0 not found\./);
      const [, asked = ''] = out.split('\n\nTo be asked of the service: ');
      const rules = assumedRules(ours).flatMap((group) => group.rules);
      expect(asked).toMatch(new RegExp(`^${rules.length} rules .*\\n\\nEvery endpoint\\n`));
      expect(asked.split('\n').filter((line) => line.startsWith('  '))).toEqual(
        rules.map((rule) => `  ${rule}`),
      );
      expect(code).toBe(0);
    }
  });

  test('mentions without --all that there is more, and nothing of what is confirmed', async () => {
    const { code, out } = await run(CONTRACT_FILE);
    expect(out).toMatch(/^To do: 0\n\n.* 0 not found\. .*\nWith --all: every name, and \d+ rules .*\n$/);
    expect(code).toBe(0);
  });

  test('exits 1 where it does not, and shows nothing of the file that moves the cursor', async () => {
    const theirs = renamed(ours, [...SCHEMAS, 'Launch', 'properties'], { commit: 'commit\u001b[2J' });
    const { code, out } = await run(await fileOf('theirs.yaml', stringify(theirs)));
    expect(out).toMatch(
      /^ {2}not found +request +commit +no such member; the file has commit\?\[2J +the action sends it: .*"NAME": "…"\}$/m,
    );
    expect(code).toBe(1);
  });

  test.each<[what: string, text: string, says: RegExp]>([
    ['no YAML', '{"openapi": [', /is neither JSON nor YAML/],
    ['a list', '- 1', /holds no object: give an OpenAPI file/],
    ['Swagger 2', 'swagger: "2.0"', /is of Swagger 2\.0: convert it/],
    ['something else', 'name: x', /is no OpenAPI 3\.0 or 3\.1 file/],
    ['a part of it', 'openapi: 3.1.0', /has no paths/],
    [
      'a reference to another file',
      'openapi: 3.1.0\npaths: { /x: { get: { parameters: [{ $ref: "common.yaml#/page" }] } } }',
      /refers to another file, common\.yaml#\/page: put all in one first/,
    ],
    ['a record that contains itself', 'openapi: 3.1.0\npaths: &a { /x: *a }', /is neither JSON nor YAML/],
  ])('exits 2 with one sentence for a file that holds %s', async (_what, text, says) => {
    const { code, out, errors } = await run(await fileOf('file', text));
    expect(errors.trim().split('\n')).toEqual([expect.stringMatching(says)]);
    expect(out).toBe('');
    expect(code).toBe(2);
  });

  test('exits 2 with one sentence for a schema whose subschemas share their subschemas at every level, and reads a few of these', async () => {
    const diamond = (levels: number) => {
      const subschemas = Array.from({ length: levels }, (_, level) => {
        const next = { $ref: `#/components/schemas/Level${level + 1}` };
        return [`Level${level}`, { allOf: [next, next] }] as const;
      });
      const last = [`Level${levels}`, { properties: { scanId: { type: 'string' } } }] as const;
      const theirs = edited(ours, SCHEMAS, (all) => ({
        ...all,
        ...Object.fromEntries([...subschemas, last]),
      }));
      return edited(theirs, [...SCHEMAS, 'Launched'], (launched) => ({
        allOf: [launched, { $ref: '#/components/schemas/Level0' }],
      }));
    };
    expect(differences(diamond(8))).toEqual([]);
    const { code, out, errors } = await run(await fileOf('diamond.json', JSON.stringify(diamond(30))));
    expect(errors).toBe(
      'A schema is put together of more than 10000 others: let its allOf name each of them only once.\n',
    );
    expect({ code, out }).toEqual({ code: 2, out: '' });
  });

  test('says how it is used where that is asked, and where it is called otherwise', async () => {
    const usage = /^Usage: npm run contract -- FILE \[--all\]\n/m;
    for (const option of ['--help', '-h']) {
      expect(await run(option)).toMatchObject({ code: 0, out: expect.stringMatching(usage), errors: '' });
    }
    for (const args of [[], ['a', 'b'], ['--bogus']]) {
      expect(await run(...args)).toMatchObject({ code: 2, out: '', errors: expect.stringMatching(usage) });
    }
  });

  test.each([
    ['/nowhere/x.yaml', '/nowhere/x.yaml is not there: give the path of an OpenAPI file.\n'],
    ['/', '/ is a folder: give the path of an OpenAPI file.\n'],
  ])('exits 2 for %s, which is no file, in plain words', async (file, errors) => {
    expect(await run(file)).toEqual({ code: 2, out: '', errors });
  });
});

async function fileOf(name: string, text: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'scangate-contract-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
}

async function run(...args: string[]): Promise<{ code: number | string; out: string; errors: string }> {
  try {
    const { stdout, stderr } = await execute(process.execPath, [SCRIPT, ...args]);
    return { code: 0, out: stdout, errors: stderr };
  } catch (error) {
    const { code, stdout, stderr } = v.parse(Failure, error);
    return { code, out: stdout, errors: stderr };
  }
}

/** The document as OpenAPI 3.0 would say it: no lists of types, no constants, nothing beside a reference. */
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
