import type { Selection } from './graphql-document.ts';

/** One of the errors beside the data. Without a type it is an error in the query. */
export interface Fault {
  readonly type?: string;
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export type Path = Fault['path'];
export type Fields = Readonly<Record<string, (field: Selection, path: Path) => unknown>>;

/** The selected fields of an object of the named type. An unknown field is an error. */
export function resolve(
  selections: readonly Selection[],
  type: string,
  path: Path,
  faults: Fault[],
  fields: Fields,
): unknown {
  const values = selections.map((field): [string, unknown] => {
    const here = [...path, field.key];
    if (field.name === '__typename') return [field.key, type];
    const known = Object.hasOwn(fields, field.name) ? fields[field.name] : undefined;
    if (known !== undefined) return [field.key, known(field, here)];
    faults.push({ path: here, message: `Field '${field.name}' doesn't exist on type '${type}'` });
    return [field.key, null];
  });
  return Object.fromEntries(values);
}
