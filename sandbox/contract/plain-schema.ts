import { decodeSegment } from '../decode-segment.ts';
import { isObject, type JsonObject } from '../json.ts';

/** Our choice. A longer chain of references counts as circular. */
const LONGEST_CHAIN = 50;

/**
 * Follows the local references (`#/…`) of a schema in an OpenAPI document. Members beside `$ref` override members of
 * the target. A reference to nothing, or to another document, counts as an empty object.
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

/** Returns the target of a local reference. `~1` and `~0` stand for `/` and `~`; `%xx` is decoded. */
function at(document: JsonObject, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined;
  let value: unknown = document;
  for (const segment of reference.slice(2).split('/')) {
    const name = (decodeSegment(segment) ?? segment).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

/**
 * The most schemas that are visited to merge one schema. Our choice. Without a limit, the time can grow exponentially:
 * each schema can name the next schema twice.
 */
const MOST_SUBSCHEMAS = 10_000;

/** A schema has too many subschemas to merge. The message states the problem and the fix. */
export class TooManySubschemas extends Error {}

/**
 * Resolves `$ref` and `allOf` at the top level of a schema. The schemas of the properties keep their `$ref` and
 * `allOf`. But if two merged schemas have the same property, the two schemas of this property are merged too.
 *
 * A schema that contains itself is merged only once. Throws `TooManySubschemas` if the schema has too many subschemas.
 */
export function plainSchema(document: JsonObject, schema: unknown): JsonObject {
  let subschemas = 0;
  const count = () => {
    subschemas += 1;
    if (subschemas <= MOST_SUBSCHEMAS) return;
    throw new TooManySubschemas(
      `A schema combines more than ${MOST_SUBSCHEMAS} other schemas. Name each of them only once in its allOf.`,
    );
  };
  return merged({ document, count, outer: new Set() }, schema);
}

/** The state while the subschemas of a schema are visited. */
interface Walk {
  readonly document: JsonObject;
  /** Called for every schema that is visited. */
  readonly count: () => void;
  /** The `allOf` lists around this schema. The merge skips them, so that it ends even if a schema contains itself. */
  readonly outer: ReadonlySet<unknown>;
}

function merged(walk: Walk, schema: unknown): JsonObject {
  walk.count();
  const { allOf, ...own } = resolve(walk.document, schema);
  if (!Array.isArray(allOf) || walk.outer.has(allOf)) return own;
  const within = { ...walk, outer: new Set([...walk.outer, allOf]) };
  return allOf.reduceRight<JsonObject>(
    (rest, part: unknown) => merge(within, merged(within, part), rest),
    own,
  );
}

/** Merges two schemas that both apply. If they contradict each other, the second schema wins. */
function merge(walk: Walk, one: JsonObject, two: JsonObject): JsonObject {
  const both: Record<string, unknown> = { ...one, ...two };
  if (Array.isArray(one['required']) && Array.isArray(two['required'])) {
    both['required'] = [...new Set([...one['required'], ...two['required']])];
  }
  const [mine, other] = [one['properties'], two['properties']];
  if (isObject(mine) && isObject(other)) {
    const shared = Object.keys(mine).filter((name) => Object.hasOwn(other, name));
    const together = shared.map((name) => [
      name,
      merge(walk, merged(walk, mine[name]), merged(walk, other[name])),
    ]);
    both['properties'] = { ...mine, ...other, ...Object.fromEntries(together) };
  }
  return both;
}
