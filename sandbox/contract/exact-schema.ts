import { isObject, type JsonObject } from '../json.ts';
import { plainSchema } from './plain-schema.ts';

/** How a schema is stricter than the contract. */
export interface Exactness {
  /** If true, members that the contract does not name are refused. */
  readonly closed: boolean;
  /** If true, the optional members of the contract are required too. */
  readonly complete: boolean;
}

/** Removes the references from a schema of the contract, and makes it as strict as `exactness` says. */
export function exactSchema(document: JsonObject, schema: unknown, exactness: Exactness): unknown {
  if (!isObject(schema)) return schema;
  const plain = plainSchema(document, schema);
  const part = (inner: unknown) => exactSchema(document, inner, exactness);
  const exact: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(plain)) {
    if (keyword.startsWith('x-')) continue;
    const isList = Array.isArray(value) && (keyword === 'anyOf' || keyword === 'oneOf');
    if (isList) exact[keyword] = value.map(part);
    else if (keyword === 'items') exact[keyword] = part(value);
    else exact[keyword] = value;
  }
  const { properties } = plain;
  if (!isObject(properties)) return exact;
  const names = Object.keys(properties);
  exact['properties'] = Object.fromEntries(names.map((name) => [name, part(properties[name])]));
  if (exactness.complete) exact['required'] = names;
  if (exactness.closed) exact['additionalProperties'] ??= false;
  return exact;
}
