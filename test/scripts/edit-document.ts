import { isObject, type JsonObject } from '../../sandbox/json.ts';

/** The place of the schemas in an OpenAPI document. */
export const SCHEMAS = ['components', 'schemas'];

/**
 * Replaces one section of a document. Throws if the section does not exist, because an edit without effect proves
 * nothing.
 */
export function edited(
  document: JsonObject,
  [member = '', ...rest]: readonly string[],
  change: (part: JsonObject) => unknown,
): JsonObject {
  const part = document[member];
  if (!isObject(part)) throw new Error(`there is no record ${member} to edit`);
  const value = rest.length === 0 ? change(part) : edited(part, rest, change);
  return { ...document, [member]: value };
}

/** Renames members of one record, and keeps their order. */
export function renamed(
  document: JsonObject,
  place: readonly string[],
  names: Readonly<Record<string, string>>,
): JsonObject {
  return edited(document, place, (record) => {
    for (const name of Object.keys(names))
      if (!Object.hasOwn(record, name)) throw new Error(`no member ${name} to rename`);
    return Object.fromEntries(Object.entries(record).map(([name, value]) => [names[name] ?? name, value]));
  });
}

export function without(document: JsonObject, place: readonly string[], ...names: string[]): JsonObject {
  return edited(document, place, (record) => {
    for (const name of names)
      if (!Object.hasOwn(record, name)) throw new Error(`no member ${name} to leave out`);
    return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
  });
}

/** Edits every object of the document, the innermost first. */
export function everywhere(value: unknown, change: (record: JsonObject) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => everywhere(item, change));
  if (!isObject(value)) return value;
  return change(
    Object.fromEntries(Object.entries(value).map(([name, part]) => [name, everywhere(part, change)])),
  );
}
