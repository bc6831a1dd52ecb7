import type { Selection } from './graphql-document.ts';

/** One of the errors that stand beside the data; without a type it is the query's own fault. */
export interface Fault {
  readonly type?: string;
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export type Path = Fault['path'];
export type Fields = Readonly<Record<string, (field: Selection, path: Path) => unknown>>;

/** An object of the named type, as far as the selections ask for its fields; a field that it lacks is a fault. */
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
