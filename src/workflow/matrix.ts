import type { Yaml } from './yaml.ts';

/** Matches what YAML reads as a number, a boolean or null. GitHub rewrites such a value: `3.10` becomes `3.1`. */
const TYPED =
  /^(?:|~|null|true|false|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?|0[ox][\da-f]+|[-+]?\.(?:inf|nan))$/i;
const SAME_SPELLING = /^(?:0|-?[1-9]\d{0,14}|true|false)$/;
/** GitHub cuts longer generated names. */
const LONGEST_NAME = 100;
/** GitHub's limit for the jobs of a matrix. */
const MOST_JOBS = 256;
const EXPRESSION = /\$\{\{\s*matrix\.([\w-]+)\s*\}\}/g;

/**
 * Computes the names of a job's checks.
 * - Without a matrix, the only name is the name or the id of the job.
 * - With a matrix, there is one name for each combination of values. GitHub appends the values to the name of the job,
 *   unless that name contains an expression.
 * @returns undefined if the file alone does not determine the names
 */
export function matrixNames(
  id: string,
  name: string | undefined,
  matrix: Yaml | undefined,
): readonly string[] | undefined {
  const combinations = matrix === undefined ? [new Map<string, string>()] : combinationsOf(matrix);
  if (combinations === undefined) return undefined;
  const names = combinations.map((values) =>
    name === undefined || !name.includes('${{')
      ? defaultName(name ?? id, values)
      : name.replace(EXPRESSION, (all, key) => values.get(key) ?? all),
  );
  const isKnown = names.every(
    (one) => !one.includes('${{') && (matrix === undefined || one.length <= LONGEST_NAME),
  );
  return isKnown ? names : undefined;
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
    if (
      !Array.isArray(values) ||
      values.some((value) => typeof value !== 'string' || (TYPED.test(value) && !SAME_SPELLING.test(value)))
    )
      return undefined;
    all = all.flatMap((one) => values.map((value: string) => new Map([...one, [key, value]])));
    if (all.length === 0 || all.length > MOST_JOBS) return undefined;
  }
  return all;
}
