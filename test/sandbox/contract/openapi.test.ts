import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { assumedRules } from '../../../sandbox/contract/assumed-rules.ts';
import { namesOf } from '../../../sandbox/contract/names.ts';
import { type ContractOperation, operationsOf } from '../../../sandbox/contract/operations.ts';
import { plainSchema } from '../../../sandbox/contract/plain-schema.ts';
import { CONTRACT_FILE, readContract } from '../../../sandbox/contract/read-contract.ts';
import { isObject, objectAt } from '../../../sandbox/json.ts';
import { targetOf } from '../../../sandbox/scan-service/process-request.ts';
import { ROUTES } from '../../../sandbox/scan-service/routes.ts';
import { SEVERITY_LEVELS } from '../../../src/domain/finding.ts';
import { ASSUMED } from '../../../src/scan-api/wire.ts';
import { launchBody } from '../../../src/scan-api/wire-writes.ts';
import { at } from '../play.ts';

const contract = readContract();
const operations = operationsOf(contract);
const names = namesOf(contract);

test('the written contract is a valid OpenAPI 3.1 document', async () => {
  const validator = new Validator();
  expect(await validator.validate(CONTRACT_FILE)).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
});

/** One line: the endpoint, its scope, its parameters, and the codes of its answers. */
function lineOf({ method, path, scopes, parameters, answers }: ContractOperation): string {
  const query = parameters.filter(({ place }) => place === 'query').map(({ name }) => name);
  const codes = [...answers].map(([status, { schema, headers }]) => {
    const { enum: listed, const: only } = plainSchema(contract, codeOf(schema));
    return [status, ...(Array.isArray(listed) ? listed : [only]), ...headers.keys()]
      .filter(Boolean)
      .join(' ');
  });
  return `${method} ${path}${query.map((name) => ` ?${name}`).join('')} [${scopes}]\n  ${codes.join(', ')}`;
}

function codeOf(schema: unknown): unknown {
  const error = plainSchema(
    contract,
    objectAt(objectAt(plainSchema(contract, schema), 'properties'), 'error'),
  );
  return objectAt(objectAt(error, 'properties'), 'code');
}

test('the written contract has the endpoints of the documentation, and the fake service has their routes', async () => {
  await expect(`${operations.map(lineOf).join('\n')}\n`).toMatchFileSnapshot('endpoints.golden.txt');
  const routes = ROUTES.map(({ method, path, scope }) => `${method} ${path} ${scope ?? ''}`);
  const written = operations.map(({ method, path, scopes }) => `${method} ${path} ${scopes}`);
  expect(routes.toSorted(), 'the routes of sandbox/contract/openapi.yaml').toEqual(written.toSorted());
  for (const { path, parameters } of operations) {
    const inPath = parameters.filter(({ place }) => place === 'path').map(({ name }) => `{${name}}`);
    expect(inPath).toEqual(path.match(/\{\w+\}/g) ?? []);
  }
  const { scan, finding } = objectAt(contract, 'x-public-pages');
  const points = [scan, finding].map((path) => {
    const url = new URL(String(path).replace('{publicId}', 'p-1'), 'http://service');
    return targetOf({ method: 'GET', url, headers: {}, text: '' }).point;
  });
  expect(points).toEqual(['public.scan', 'public.finding']);
});

/** All objects in the contract. */
function objectsIn(node: unknown): object[] {
  if (typeof node !== 'object' || node === null) return [];
  return [node, ...Object.values(node).flatMap(objectsIn)];
}

test('the written contract marks each assumption, and gives its reason or its rule in one sentence', () => {
  const assumptions = objectsIn(contract).filter(
    (node) => Object.hasOwn(node, 'x-assumed') || Object.hasOwn(node, 'x-assumed-reason'),
  );
  for (const assumption of assumptions) {
    const reason = expect.stringMatching(/^[A-Z][^.]{15,}\.$/);
    expect(assumption).toMatchObject({ 'x-assumed': true, 'x-assumed-reason': reason });
  }
  expect(assumptions.length).toBeGreaterThan(40);
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

test('the written contract requires an assumed member only in the body of a launch', () => {
  const required = objectsIn(contract).flatMap((node) => {
    const [wanted, properties] = [at(node, 'required'), at(node, 'properties')];
    if (!Array.isArray(wanted) || !isObject(properties)) return [];
    return wanted.filter((name) => plainSchema(contract, properties[name])['x-assumed'] === true);
  });
  expect(required).toEqual(['repositoryId']);
});

/** The names of a record, keyed by their dotted path. True if the contract assumes the name, or a record around it. */
function namesAt(endpoint: string, side: string, ...place: readonly string[]): Map<string, boolean> {
  const inside = names.filter(
    (name) =>
      name.endpoint === endpoint &&
      name.side === side &&
      name.word === undefined &&
      place.every((member, index) => name.at[index] === member),
  );
  const isAssumed = (path: readonly string[]) =>
    inside.some((outer) => outer.assumed !== undefined && outer.at.every((member, i) => path[i] === member));
  return new Map(inside.map((name) => [name.at.slice(place.length).join('.'), isAssumed(name.at)]));
}

test('every name in a launch request is in the contract', () => {
  const ids = { repositoryId: 'r', presetRef: 'p', baseSha: 'b', headSha: 'c' };
  const sent = Object.keys(launchBody({ ...ids, creditBudget: 1 }, {}));
  const named = namesAt('POST /projects/{projectId}/scans', 'request');
  expect(sent.filter((name) => !named.has(name))).toEqual([]);
  expect(sent.filter((name) => named.get(name) === true).sort()).toEqual(['commit', 'repositoryId']);
});

test('the contract names every member that the action assumes', () => {
  const project = 'GET /projects/{projectId}';
  const { launchedScan, scan, finding, token } = ASSUMED;
  // No answer of the contract shows the address of a finding.
  const { location, url: _, description, recommendedFix, proofOfConcept, ...ofFinding } = finding;
  const { places, startLine, endLine } = location;
  const { weighted, reserved, creditBudget, areas, guidance, ...ofScan } = scan;
  const filePath = places.flatMap(([prefix, files]) => files.map((file) => prefix + file));
  const records: [members: Record<string, readonly string[]>, named: Map<string, boolean>][] = [
    [{ launchedScan }, namesAt('POST /projects/{projectId}/scans', 'answer 202')],
    [ofScan, namesAt(`${project}/scans`, 'answer 200', 'items', '[]')],
    // Only the detail of a scan shows the parameters of its launch.
    [
      { ...ofScan, creditBudget, areas, guidance },
      namesAt(`${project}/scans/{scanId}`, 'answer 200', 'scan'),
    ],
    [{ weighted, reserved }, namesAt(`${project}/scans/{scanId}`, 'answer 200', 'scan', 'progress')],
    [
      { ...ofFinding, startLine, endLine, filePath },
      namesAt(`${project}/findings`, 'answer 200', 'items', '[]'),
    ],
    [
      { description, recommendedFix, proofOfConcept },
      namesAt(`${project}/findings/{findingId}`, 'answer 200', 'finding'),
    ],
    [{ ...token }, namesAt('GET /token', 'answer 200')],
  ];
  const missing = records.flatMap(([members, named]) =>
    Object.entries(members).filter(([, candidates]) => !candidates.some((name) => named.get(name) === true)),
  );
  expect(missing).toEqual([]);
});

test('the action knows the severities, the triage and the evidence of the contract', () => {
  const valuesOf = (member: string) =>
    names.filter(({ at, word }) => at.at(-1) === member && word !== undefined);
  const distinct = (member: string) => [...new Set(valuesOf(member).map(({ word }) => word))];
  expect(distinct('severity')).toEqual(SEVERITY_LEVELS.map((level) => level.toUpperCase()));
  const documented = valuesOf('severity').filter(({ assumed }) => assumed === undefined);
  expect(new Set(documented.map(({ word }) => word))).toEqual(new Set(['CRITICAL']));
  const { confirmed, notConfirmed } = ASSUMED.triage;
  expect(distinct('triageStatus').sort()).toEqual(['CONFIRMED', 'PENDING']);
  expect([...confirmed, ...notConfirmed]).toEqual(expect.arrayContaining(distinct('triageStatus')));
  expect(distinct('confirmationEvidence').sort()).toEqual(['ANALYSIS', 'POC']);
});
