import { describeTable, diagnose } from '../../../src/doctor/diagnose.ts';
import type { GitHubFacts } from '../../../src/doctor/facts.ts';
import { ok } from '../../../src/domain/result.ts';
import type { BranchRule } from '../../../src/github/branch-rules.ts';
import { type GateWorkflow, gate, type Keys, workflowFile } from './gate-workflow.ts';
import { factsOf, type Given, requires, shownRow } from './sample-facts.ts';

export interface Repository {
  /** The workflow of the gate, `scangate.yml`. */
  readonly gate?: GateWorkflow;
  /** More workflow files, or other ones. Undefined if there is no such file. */
  readonly files?: Readonly<Record<string, Keys | string | undefined>>;
  readonly rules?: readonly BranchRule[];
  readonly github?: Partial<GitHubFacts>;
  readonly given?: Given;
}

/** Adds the workflows, the rules and the facts of a repository to the facts of a healthy setup. */
export function givenOf({
  gate: ours,
  files,
  rules = [requires('scangate')],
  github,
  given,
}: Repository): Given {
  const all = Object.entries({ 'scangate.yml': gate(ours), ...files }).flatMap(([name, file]) =>
    file === undefined ? [] : workflowFile(name, file),
  );
  return {
    ...given,
    github: {
      workflows: ok({ files: all, complete: true }),
      rules: ok({ rules, complete: true }),
      ...github,
    },
  };
}

/** Returns what the doctor's table shows for a repository: all rows, and the last line. */
export function look(repository: Repository) {
  return tableOf(givenOf(repository));
}

/** Returns the rows of the doctor's table, and the last line. */
export function tableOf(given: Given) {
  const rows = diagnose(factsOf(given));
  return {
    rows: rows.map((row) => shownRow(row).replace(/^(\w+): /, `$1 ${row.check}: `)),
    last: describeTable(rows),
  };
}

const HEALTHY = tableOf({});
const checkOf = (row: string) => /^\w+ ([^:]+):/.exec(row)?.[1] ?? '';

/** The last line of a table, unless it has a caveat. */
function usualEnd(rows: readonly string[]): string {
  const count = (level: string) => rows.filter((row) => row.startsWith(`${level} `)).length;
  const [errors, warnings] = [count('error'), count('warning')];
  const counted = `${errors} error${errors === 1 ? '' : 's'}, ${warnings} warning${warnings === 1 ? '' : 's'}.`;
  return `${errors === 0 ? 'Ready' : 'Not ready'}: ${counted}`;
}

/**
 * Returns how a table differs from the table of a healthy setup: the other rows, the checks without a row, and the last
 * line if it does more than count errors and warnings.
 */
export function differences({ rows, last }: ReturnType<typeof tableOf>): readonly string[] {
  const checks = new Set(rows.map(checkOf));
  const missing = [...new Set(HEALTHY.rows.map(checkOf))].filter((check) => !checks.has(check));
  return [
    ...rows.filter((row) => !HEALTHY.rows.includes(row)),
    ...(missing.length === 0 ? [] : [`no row: ${missing.join(', ')}`]),
    ...(last === usualEnd(rows) ? [] : [last]),
  ];
}

/** Writes the rows of a golden file: the names of the rows with the same differences, and these below them. */
export function page(rows: readonly (readonly [what: string, differences: readonly string[]])[]): string {
  const grouped = Map.groupBy(rows, ([, found]) =>
    (found.length === 0 ? ['as the healthy setup'] : found).map((difference) => `  ${difference}\n`).join(''),
  );
  return Array.from(grouped, ([found, all]) => `${all.map(([what]) => `${what}:\n`).join('')}${found}`).join(
    '',
  );
}

/** Writes how the table of each repository differs from the table of a healthy setup. */
export function pageOf(repositories: Readonly<Record<string, Repository>>): string {
  return page(
    Object.entries(repositories).map(([what, repository]) => [what, differences(look(repository))]),
  );
}
