import fc, { type Arbitrary } from 'fast-check';
import { type ContractOperation, operationsOf } from '../../../sandbox/contract/operations.ts';
import { plainSchema } from '../../../sandbox/contract/plain-schema.ts';
import { createTrafficCheck } from '../../../sandbox/contract/traffic.ts';
import { isObject, type JsonObject } from '../../../sandbox/json.ts';
import { CODE_POINT } from '../../support/code-point.ts';

/** A request that the contract allows. */
export interface ValidRequest {
  /** Method and path, such as `GET /projects/{projectId}/scans`. */
  readonly endpoint: string;
  readonly method: string;
  /** The path below the version prefix, with the query. */
  readonly path: string;
  readonly body: unknown;
}

/** Values that exist in the service. Each key is the name of the parameter or member that takes the values. */
export type Known = Readonly<Record<string, readonly string[]>>;

/** The length of the longest generated text if the contract has no limit. Longer texts would only cost more time. */
const MOST_CHARACTERS = 500;
const HEADERS = { 'content-type': 'application/json' };

/** Valid requests for every endpoint. Most of them use values that exist in the service. */
export function validRequests(contract: JsonObject, known: Known): Arbitrary<ValidRequest> {
  const check = createTrafficCheck(contract);
  const isValid = ({ method, path, body }: ValidRequest) =>
    check.request({ method, path, headers: HEADERS, body }, false).length === 0;
  return fc.oneof(...operationsOf(contract).map((one) => requestOf(contract, one, known).filter(isValid)));
}

function requestOf(
  contract: JsonObject,
  operation: ContractOperation,
  known: Known,
): Arbitrary<ValidRequest> {
  const values = (name: string, schema: unknown) => valueFor(contract, schema, name, known);
  const parameters = (place: string) =>
    Object.fromEntries(
      operation.parameters
        .filter((one) => one.place === place)
        .map(({ name, schema }) => [name, values(name, schema).map(String).filter(fitsAddress)]),
    );
  const { method, body } = operation;
  const endpoint = `${method} ${operation.path}`;
  const sent = body === undefined ? fc.constant(undefined) : values('', body.schema);
  return fc
    .record({
      segments: fc.record(parameters('path')),
      query: fc.record(parameters('query'), { requiredKeys: [] }),
      body: body?.required === false ? fc.option(sent, { nil: undefined }) : sent,
    })
    .map(({ segments, query, body: given }) => {
      const path = operation.path.replace(/\{(\w+)\}/g, (_, name) =>
        encodeURIComponent(segments[name] ?? ''),
      );
      const asked = new URLSearchParams();
      for (const [name, value] of Object.entries(query)) if (value !== undefined) asked.set(name, value);
      return { endpoint, method, path: asked.size === 0 ? path : `${path}?${asked}`, body: given };
    });
}

/** Whether a client can send the value as a segment of an address. */
function fitsAddress(value: string): boolean {
  return value.isWellFormed() && value !== '.' && value !== '..';
}

/**
 * Generates values for a schema. This function ignores `then`, `oneOf` and `pattern`, so some values are invalid.
 * `validRequests` drops these values.
 */
function valueFor(contract: JsonObject, schema: unknown, name: string, known: Known): Arbitrary<unknown> {
  const plain = plainSchema(contract, schema);
  if ('const' in plain) return fc.constant(plain['const']);
  if (Array.isArray(plain['enum'])) return fc.constantFrom(...plain['enum']);
  const types = Array.isArray(plain['type']) ? plain['type'] : [plain['type']];
  return fc.oneof(...types.map((type) => valueOfType(contract, plain, type, name, known)));
}

function valueOfType(
  contract: JsonObject,
  schema: JsonObject,
  type: unknown,
  name: string,
  known: Known,
): Arbitrary<unknown> {
  const { properties, required, items } = schema;
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return wholeNumber(schema);
    case 'string':
      return oneOfKnown(text(schema), known[name]);
    case 'array':
      return fc.array(valueFor(contract, items, name, known), { maxLength: 3 });
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(isObject(properties) ? properties : {}).map(([member, inner]) => [
            member,
            valueFor(contract, inner, member, known),
          ]),
        ),
        { requiredKeys: Array.isArray(required) ? required : [] },
      );
    default:
      return oneOfKnown(fc.jsonValue({ maxDepth: 1 }), known[name]);
  }
}

function oneOfKnown(any: Arbitrary<unknown>, values: readonly string[] = []): Arbitrary<unknown> {
  return values.length === 0
    ? any
    : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: any });
}

/** Generates small numbers, and the limits of the schema. */
function wholeNumber({ minimum, maximum }: JsonObject): Arbitrary<number> {
  const [least, most] = [Number(minimum ?? 0), Number(maximum ?? Number.MAX_SAFE_INTEGER)];
  return fc.oneof(fc.integer({ min: least, max: Math.min(most, 200) }), fc.constantFrom(least, most));
}

/** Generates short texts of any characters, even unpaired surrogates, and texts of the maximum length. */
function text({ minLength, maxLength }: JsonObject): Arbitrary<string> {
  const least = Number(minLength ?? 0);
  const most = Number(maxLength ?? MOST_CHARACTERS);
  const unit = fc.oneof(
    fc.string({ unit: CODE_POINT, minLength: 1, maxLength: 1 }),
    fc.constantFrom('\ud800', ' ', '/'),
  );
  return fc.oneof(
    fc.string({ unit, minLength: least, maxLength: Math.min(most, 20) }),
    fc.constantFrom('x', '😀').map((character) => character.repeat(most)),
  );
}
