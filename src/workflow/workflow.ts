import { readYaml, type Yaml } from './yaml.ts';

/** Matches what YAML reads as a number, a boolean or null. GitHub rewrites such a value: `3.10` becomes `3.1`. */
const TYPED =
  /^(?:|~|null|true|false|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?|0[ox][\da-f]+|[-+]?\.(?:inf|nan))$/i;
const SAME_SPELLING = /^(?:0|-?[1-9]\d{0,14}|true|false)$/;
/** GitHub cuts longer generated names, and puts three dots at their end. */
const LONGEST_NAME = 100;
const ELLIPSIS = 3;
/** GitHub's limit for the jobs of a matrix. */
const MOST_JOBS = 256;
/** Matches an expression that reads results, such as `needs.*.result`. */
const RESULTS = /\bneeds\b[^}]*\bresult\b|\btoJSON\(\s*needs\s*\)/i;
const EXPRESSION = /\$\{\{\s*matrix\.([\w-]+)\s*\}\}/g;

/**
 * Computes the names of a job's checks.
 * - Without a matrix, the only name is the name or the id of the job.
 * - With a matrix, there is one name for each combination of values. GitHub appends the values to the name of the job,
 *   unless that name contains an expression.
 * @returns undefined if the file alone does not determine the names
 */
function matrixNames(
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

/** The members of a workflow file that the doctor reads. */
export interface Workflow {
  /** The path in the repository, for example `.github/workflows/ci.yml`. */
  readonly path: string;
  /** The events that start the workflow, each with its filters, for example `branches`. */
  readonly events: ReadonlyMap<string, Yaml>;
  readonly permissions: Yaml | undefined;
  readonly concurrency: Yaml | undefined;
  readonly jobs: readonly Job[];
}

export interface Job {
  readonly id: string;
  /**
   * The names of the job's checks. A job with a matrix has several. Undefined if the file alone does not determine
   * the names.
   */
  readonly names: readonly string[] | undefined;
  /** The text with which the name of each check begins, as far as the file shows it. */
  readonly beginning: string;
  readonly condition: string | undefined;
  readonly needs: readonly string[];
  /** True if the job reads the results of the jobs that it needs. */
  readonly readsResults: boolean;
  readonly continueOnError: string | undefined;
  /** The name of the job's environment, as the file writes it. */
  readonly environment: string | undefined;
  readonly permissions: Yaml | undefined;
  readonly concurrency: Yaml | undefined;
  /** The workflow that the job calls, as the file writes it. */
  readonly calls: string | undefined;
  readonly steps: readonly Step[];
}

export interface Step {
  readonly uses: string | undefined;
  readonly condition: string | undefined;
  readonly continueOnError: string | undefined;
  /** The values under `with`, by their names in lower case: GitHub ignores the case of an input's name. */
  readonly inputs: ReadonlyMap<string, Yaml>;
}

const NO_MEMBERS: ReadonlyMap<string, Yaml> = new Map();

/** Parses a workflow. Undefined if the file cannot be parsed, or is not a workflow. */
export function readWorkflow({
  path,
  text,
}: {
  readonly path: string;
  readonly text: string;
}): Workflow | undefined {
  const members = membersOf(readYaml(text) ?? '');
  const jobs = members.get('jobs');
  if (!(jobs instanceof Map)) return undefined;
  return {
    path,
    events: eventsOf(members.get('on')),
    permissions: members.get('permissions'),
    concurrency: members.get('concurrency'),
    jobs: [...jobs].map(([id, job]: [string, Yaml]) => jobOf(id, membersOf(job))),
  };
}

function eventsOf(on: Yaml = ''): ReadonlyMap<string, Yaml> {
  if (typeof on === 'string') return new Map(on === '' ? [] : [[on, '']]);
  return isList(on) ? new Map(textsOf(on).map((event) => [event, ''])) : on;
}

function jobOf(id: string, members: ReadonlyMap<string, Yaml>): Job {
  const environment = members.get('environment');
  const given = members.get('steps') ?? [];
  const steps = isList(given) ? given.map(membersOf) : [];
  const name = textOf(members.get('name'));
  return {
    id,
    names: matrixNames(id, name, membersOf(members.get('strategy') ?? '').get('matrix')),
    beginning: (name ?? id).replace(/\$\{\{[\s\S]*/, '').slice(0, LONGEST_NAME - ELLIPSIS),
    condition: textOf(members.get('if')),
    needs: textsOf(members.get('needs')),
    readsResults: [members, ...steps].flatMap(textsBelow).some((text) => RESULTS.test(text)),
    continueOnError: textOf(members.get('continue-on-error')),
    environment: textOf(environment) ?? textOf(membersOf(environment ?? '').get('name')),
    permissions: members.get('permissions'),
    concurrency: members.get('concurrency'),
    calls: textOf(members.get('uses')),
    steps: steps.map(stepOf),
  };
}

function stepOf(members: ReadonlyMap<string, Yaml>): Step {
  return {
    uses: textOf(members.get('uses')),
    condition: textOf(members.get('if')),
    continueOnError: textOf(members.get('continue-on-error')),
    inputs: new Map(
      [...membersOf(members.get('with') ?? '')].map(([name, value]) => [name.toLowerCase(), value]),
    ),
  };
}

/** Returns the texts of a job or a step, for example `if`, and the texts one level below, for example under `env`. */
function textsBelow(members: ReadonlyMap<string, Yaml>): readonly string[] {
  return [...members.values()].flatMap((value) => [
    ...textsOf(value),
    ...[...membersOf(value).values()].flatMap(textsOf),
  ]);
}

/** Returns the members of a mapping. Empty for a text or a list. */
export function membersOf(value: Yaml): ReadonlyMap<string, Yaml> {
  return typeof value === 'string' || isList(value) ? NO_MEMBERS : value;
}

/** Returns the texts in a value that is a text or a list. Empty for a mapping. */
export function textsOf(value: Yaml = ''): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return isList(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** Returns the text. Undefined if it is empty, or if the value is not a text. */
export function textOf(value: Yaml | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isList(value: Yaml): value is readonly Yaml[] {
  return Array.isArray(value);
}
