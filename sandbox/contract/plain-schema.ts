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

/** Ours: schemas that one is put together of; a list of parts whose parts share theirs doubles them at every level. */
const MOST_PARTS = 10_000;

/** A schema has too many parts to be put together; the message is a sentence that says so, and what to do. */
export class TooManyParts extends Error {}

/**
 * A schema without `$ref` and `allOf` at its top: what both say is merged into it. Its parts are as they were. A schema
 * that is a part of itself is merged once. Throws `TooManyParts`.
 */
export function plainSchema(document: JsonObject, schema: unknown): JsonObject {
  let parts = 0;
  const count = () => {
    parts += 1;
    if (parts <= MOST_PARTS) return;
    throw new TooManyParts(
      `A schema is put together of more than ${MOST_PARTS} others: let its allOf name each of them only once.`,
    );
  };
  return merged({ document, count, outer: new Set() }, schema);
}

/** On the way through the parts of a schema. */
interface Walk {
  readonly document: JsonObject;
  /** Called at every part. */
  readonly count: () => void;
  /** The lists of parts that this schema is within. */
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

/** Two schemas that both hold, as one. Where both say the same thing otherwise, the second is heard. */
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
