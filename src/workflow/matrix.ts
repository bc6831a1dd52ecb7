import type { Yaml } from './yaml.ts';

/** As many as GitHub allows. */
const MOST_JOBS = 256;
const EXPRESSION = /\$\{\{\s*matrix\.([\w-]+)\s*\}\}/g;

/**
 * The names that GitHub gives to the checks of a job: its name or its id, and with a matrix one for each combination.
 * @returns undefined where the file does not say them: an expression, or a matrix that is more than lists of texts
 */
export function matrixNames(
  id: string,
  name: string | undefined,
  matrix: Yaml | undefined,
): readonly string[] | undefined {
  const combinations = matrix === undefined ? [new Map<string, string>()] : combinationsOf(matrix);
  if (combinations === undefined) return undefined;
  const names = combinations.map((values) =>
    name === undefined
      ? defaultName(id, values)
      : name.replace(EXPRESSION, (all, key) => values.get(key) ?? all),
  );
  return names.some((one) => one.includes('${{')) ? undefined : names;
}

function defaultName(id: string, values: ReadonlyMap<string, string>): string {
  return values.size === 0 ? id : `${id} (${[...values.values()].join(', ')})`;
}

function combinationsOf(matrix: Yaml): readonly ReadonlyMap<string, string>[] | undefined {
  if (!(matrix instanceof Map) || matrix.size === 0 || matrix.has('include') || matrix.has('exclude')) {
    return undefined;
  }
  let all: readonly ReadonlyMap<string, string>[] = [new Map()];
  for (const [key, values] of matrix) {
    if (!Array.isArray(values) || values.some((value) => typeof value !== 'string')) return undefined;
    all = all.flatMap((one) => values.map((value: string) => new Map([...one, [key, value]])));
    if (all.length === 0 || all.length > MOST_JOBS) return undefined;
  }
  return all;
}
