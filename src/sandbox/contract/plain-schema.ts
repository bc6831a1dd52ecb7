import { isObject, type JsonObject } from '../json.ts';

/** Longer chains of references lead in a circle. */
const LONGEST_CHAIN = 50;

/**
 * Follows the local references (`#/…`) of a part of an OpenAPI document. Members beside `$ref` are laid over what it
 * names. A reference that leads nowhere, or out of the document, gives an empty object.
 */
export function resolve(document: JsonObject, part: unknown): JsonObject {
  let value = part;
  let over: JsonObject = {};
  for (let steps = 0; isObject(value) && typeof value['$ref'] === 'string'; steps += 1) {
    const { $ref, ...beside } = value;
    over = { ...beside, ...over };
    value = steps < LONGEST_CHAIN ? at(document, String($ref)) : undefined;
  }
  return isObject(value) ? { ...value, ...over } : over;
}

/** What a local reference points at; `~1` and `~0` stand for `/` and `~`, `%xx` for itself. */
function at(document: JsonObject, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined;
  let value: unknown = document;
  for (const segment of reference.slice(2).split('/')) {
    const name = decoded(segment).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * A schema without `$ref` and `allOf` at its top: what both say is merged into it. Its parts are as they were. A schema
 * that is a part of itself is merged once.
 */
export function plainSchema(document: JsonObject, schema: unknown): JsonObject {
  return merged(document, schema, new Set());
}

/** @param outer the lists of parts that this schema is within */
function merged(document: JsonObject, schema: unknown, outer: ReadonlySet<unknown>): JsonObject {
  const { allOf, ...own } = resolve(document, schema);
  if (!Array.isArray(allOf) || outer.has(allOf)) return own;
  const within = new Set([...outer, allOf]);
  return allOf.reduceRight<JsonObject>(
    (rest, part: unknown) => merge(document, merged(document, part, within), rest, within),
    own,
  );
}

/** Two schemas that both hold, as one. Where both say the same thing otherwise, the second is heard. */
function merge(
  document: JsonObject,
  one: JsonObject,
  two: JsonObject,
  within: ReadonlySet<unknown>,
): JsonObject {
  const both: Record<string, unknown> = { ...one, ...two };
  if (Array.isArray(one['required']) && Array.isArray(two['required'])) {
    both['required'] = [...new Set([...one['required'], ...two['required']])];
  }
  const [mine, other] = [one['properties'], two['properties']];
  if (isObject(mine) && isObject(other)) {
    const plain = (member: unknown) => merged(document, member, within);
    const shared = Object.keys(mine).filter((name) => Object.hasOwn(other, name));
    const together = shared.map((name) => [
      name,
      merge(document, plain(mine[name]), plain(other[name]), within),
    ]);
    both['properties'] = { ...mine, ...other, ...Object.fromEntries(together) };
  }
  return both;
}
