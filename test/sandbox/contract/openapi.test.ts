import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { assumedRules } from '../../../sandbox/contract/assumed-rules.ts';
import { type Name, namesOf } from '../../../sandbox/contract/names.ts';
import { operationsOf } from '../../../sandbox/contract/operations.ts';
import { plainSchema } from '../../../sandbox/contract/plain-schema.ts';
import { CONTRACT_FILE, readContract } from '../../../sandbox/contract/read-contract.ts';
import { isObject, objectAt } from '../../../sandbox/json.ts';
import { targetOf } from '../../../sandbox/scan-service/process-request.ts';
import { ROUTES } from '../../../sandbox/scan-service/routes.ts';
import { SEVERITY_LEVELS } from '../../../src/domain/finding.ts';
import { ASSUMED } from '../../../src/scan-api/wire.ts';
import { launchBody } from '../../../src/scan-api/wire-writes.ts';
import { DOCUMENTED_ENDPOINTS, type DocumentedEndpoint, EVERYWHERE } from './documented-endpoints.ts';

const contract = readContract();
const operations = operationsOf(contract);
const names = namesOf(contract);

describe('the written contract', () => {
  test('the written contract is a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator();
    expect(await validator.validate(CONTRACT_FILE)).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test.each(DOCUMENTED_ENDPOINTS.map((documented) => [documented.endpoint, documented] as const))(
    'the written contract describes %s as the documentation does',
    (_endpoint, documented) => {
      const operation = operations.find(({ method, path }) => `${method} ${path}` === documented.endpoint);
      expect(operation?.scopes).toEqual(documented.scope === undefined ? [] : [documented.scope]);
      const query = operation?.parameters.filter(({ place }) => place === 'query').map(({ name }) => name);
      expect(query).toEqual(documented.query);
      const path = operation?.parameters
        .filter(({ place }) => place === 'path')
        .map(({ name }) => `{${name}}`);
      expect(path).toEqual(documented.endpoint.match(/\{\w+\}/g) ?? []);
      const answers = [...(operation?.answers ?? [])];
      const succeeded = answers.filter(([status]) => status.startsWith('2')).map(([status]) => status);
      expect(succeeded).toEqual([String(documented.success)]);
      const codes = answers
        .filter(([status]) => !status.startsWith('2'))
        .map(([status, { schema }]) => [status, codesOf(schema)]);
      expect(Object.fromEntries(codes), 'the refusals of openapi.yaml').toEqual(refusalsOf(documented));
      expect([...(operation?.answers.get('429')?.headers.keys() ?? [])]).toEqual(['retry-after']);
    },
  );

  test('the written contract has every route of the fake service, with its scope', () => {
    const written = new Map(operations.map(({ method, path, scopes }) => [`${method} ${path}`, scopes]));
    for (const { method, path, scope } of ROUTES) {
      const scopes = scope === undefined ? [] : [scope];
      const what = `${method} ${path} is in sandbox/contract/openapi.yaml, with its scope in security`;
      expect(written.get(`${method} ${path}`), what).toEqual(scopes);
    }
  });

  test('the paths of published pages in the written contract are those of the fake service', () => {
    const { scan, finding } = objectAt(contract, 'x-public-pages');
    const points = [scan, finding].map((path) => {
      const url = new URL(String(path).replace('{publicId}', 'p-1'), 'http://service');
      return targetOf({ method: 'GET', url, headers: {}, text: '' }).point;
    });
    expect(points).toEqual(['public.scan', 'public.finding']);
  });

  test('the written contract marks each assumption, and gives its reason in one sentence', () => {
    let assumptions = 0;
    const visit = (value: unknown, trail: string): void => {
      if (typeof value !== 'object' || value === null) return;
      if (Object.hasOwn(value, 'x-assumed') || Object.hasOwn(value, 'x-assumed-reason')) {
        assumptions += 1;
        expect(value, trail).toMatchObject({
          'x-assumed': true,
          'x-assumed-reason': expect.stringMatching(/^[A-Z][^.]{15,}\.$/),
        });
      }
      for (const [key, inner] of Object.entries(value)) visit(inner, `${trail}.${key}`);
    };
    visit(contract, '');
    expect(assumptions).toBeGreaterThan(40);
  });

  test('each assumed rule of the written contract is one sentence, and occurs only once', () => {
    const groups = assumedRules(contract);
    const endpoints = [undefined, ...operations.map(({ method, path }) => `${method} ${path}`)];
    expect(groups.filter(({ endpoint }) => !endpoints.includes(endpoint))).toEqual([]);
    const rules = groups.flatMap((group) => group.rules);
    expect(rules.filter((rule) => !/^[A-Z].{15,}[^.]\.$/.test(rule) || rule.includes('. '))).toEqual([]);
    expect([...new Set(rules)]).toEqual(rules);
    // `assumedRules` reads all rules of the contract.
    expect(JSON.stringify(contract).split('"x-assumed-rules"')).toHaveLength(groups.length + 1);
    expect(rules.length).toBeGreaterThan(50);
  });

  test('in a response, the written contract requires only documented members', () => {
    const required = names
      .filter(({ side, word, assumed }) => side !== 'request' && word === undefined && assumed !== undefined)
      .filter(({ endpoint, side, at }) =>
        requiredAt(endpoint, side, at.slice(0, -1)).includes(at.at(-1) ?? ''),
      );
    expect(required).toEqual([]);
  });
});

describe('the names of the action and of the contract', () => {
  test('every name in a launch request is in the contract', () => {
    const sent = launchBody(
      { repositoryId: 'r', presetRef: 'p', creditBudget: 1, baseSha: 'b', headSha: 'c' },
      {},
    );
    const named = at('POST /projects/{projectId}/scans', 'request');
    expect(Object.keys(sent).filter((name) => !named.has(name))).toEqual([]);
    expect(
      Object.keys(sent)
        .filter((name) => named.get(name)?.assumed !== undefined)
        .sort(),
    ).toEqual(['commit', 'repositoryId']);
  });

  test('the contract names every member that the action assumes', () => {
    const { launchedScan, scan, finding, token } = ASSUMED;
    // No answer of the contract shows the address of a finding.
    const { location, url: _, description, recommendedFix, proofOfConcept, ...ofFinding } = finding;
    const { places, startLine, endLine } = location;
    const listed = at('GET /projects/{projectId}/scans', 'answer 200', 'items', '[]');
    const detail = at('GET /projects/{projectId}/scans/{scanId}', 'answer 200', 'scan');
    const progress = at('GET /projects/{projectId}/scans/{scanId}', 'answer 200', 'scan', 'progress');
    const found = at('GET /projects/{projectId}/findings', 'answer 200', 'items', '[]');
    const { weighted, reserved, creditBudget, areas, guidance, ...ofScan } = scan;
    // Only the detail of a scan shows the parameters of its launch.
    const scope = { creditBudget, areas, guidance };
    const expectations: [string, readonly string[], Map<string, Name>][] = [
      ['launched', launchedScan, at('POST /projects/{projectId}/scans', 'answer 202')],
      ...Object.entries(ofScan).map(row('listed scan', listed)),
      ...Object.entries({ ...ofScan, ...scope }).map(row('scan', detail)),
      ...Object.entries({ weighted, reserved }).map(row('progress', progress)),
      ...Object.entries({ ...ofFinding, startLine, endLine }).map(row('finding', found)),
      ['file', places.flatMap(([prefix, files]) => files.map((file) => prefix + file)), found],
      ...Object.entries(token).map(row('token', at('GET /token', 'answer 200'))),
    ];
    const shown = at('GET /projects/{projectId}/findings/{findingId}', 'answer 200', 'finding');
    expectations.push(
      ...Object.entries({ description, recommendedFix, proofOfConcept }).map(row('shown', shown)),
    );
    const missing = expectations
      .filter(([, candidates, named]) => !candidates.some((name) => named.get(name)?.assumed !== undefined))
      .map(([thing]) => thing);
    expect(missing).toEqual([]);
  });

  test('the contract has exactly the severities that the action ranks', () => {
    const values = names.filter(({ at, word }) => at.at(-1) === 'severity' && word !== undefined);
    expect([...new Set(values.map(({ word }) => word))]).toEqual(
      SEVERITY_LEVELS.map((level) => level.toUpperCase()),
    );
    expect(new Set(values.filter(({ assumed }) => assumed === undefined).map(({ word }) => word))).toEqual(
      new Set(['CRITICAL']),
    );
  });
});

test('the action knows the triage and evidence values of the contract', () => {
  const valuesOf = (member: string) => [
    ...new Set(names.filter(({ at }) => at.at(-1) === member).flatMap(({ word }) => word ?? [])),
  ];
  const { confirmed, notConfirmed } = ASSUMED.triage;
  expect(valuesOf('triageStatus').sort()).toEqual(['CONFIRMED', 'PENDING']);
  expect([...confirmed, ...notConfirmed]).toEqual(expect.arrayContaining(valuesOf('triageStatus')));
  expect(valuesOf('confirmationEvidence').sort()).toEqual(['ANALYSIS', 'POC']);
});

function row(kind: string, named: Map<string, Name>) {
  return ([thing, candidates]: [string, readonly string[]]): [
    string,
    readonly string[],
    Map<string, Name>,
  ] => [`${kind} ${thing}`, candidates, named];
}

/** The members of a record, keyed by their dotted name. The members of an assumed record are assumed too. */
function at(endpoint: string, side: string, ...place: readonly string[]): Map<string, Name> {
  const inside = names.filter(
    (name) =>
      name.endpoint === endpoint &&
      name.side === side &&
      name.word === undefined &&
      place.every((member, index) => name.at[index] === member),
  );
  const assumedBy = (name: Name) =>
    inside.find((outer) => outer.assumed !== undefined && outer.at.every((m, i) => name.at[i] === m))
      ?.assumed;
  return new Map(
    inside.map((name) => [name.at.slice(place.length).join('.'), { ...name, assumed: assumedBy(name) }]),
  );
}

function codesOf(schema: unknown): unknown {
  const { properties } = plainSchema(contract, schema);
  const error = plainSchema(contract, isObject(properties) ? properties['error'] : {});
  const { code } = isObject(error['properties']) ? error['properties'] : {};
  const { const: only, enum: listed } = plainSchema(contract, code);
  return listed ?? [only];
}

function refusalsOf({ endpoint, scope, refusals }: DocumentedEndpoint): object {
  return {
    ...EVERYWHERE,
    ...(scope === undefined ? {} : { 403: ['forbidden'] }),
    ...(endpoint.includes('{projectId}') ? { 404: ['not_found'] } : {}),
    ...refusals,
  };
}

/** The required members of the record at a position of a body. */
function requiredAt(endpoint: string, side: string, place: readonly string[]): unknown[] {
  const operation = operations.find(({ method, path }) => `${method} ${path}` === endpoint);
  let schema = plainSchema(contract, operation?.answers.get(side.replace('answer ', ''))?.schema);
  for (const member of place) {
    const inner = member === '[]' ? schema['items'] : Object(schema['properties'])[member];
    schema = plainSchema(contract, inner);
  }
  return Array.isArray(schema['required']) ? schema['required'] : [];
}
