import type { OtherJobs } from './other-jobs.ts';
import { recordOf, stable } from './record.ts';
import { inBothWays, type RunRow, testRuns } from './run-rows.ts';
import type { ScenarioResult } from './scenario.ts';

type Row = Omit<RunRow, 'name'>;
type Inputs = Readonly<Record<string, string>>;
/** Rows by their names. */
export type Rows = Readonly<Record<string, Row>>;

/**
 * Declares a test for each row of the golden text `golden/NAME.txt`. A row replaces members of `shared`. Besides the
 * usual record of a run, the text has the scans that the run asked to cancel, and the lines of the log from the start of
 * the run to its verdict.
 */
export function testScans(golden: string, ...given: [rows: Rows] | [shared: Row, rows: Rows]): void {
  const [shared, rows] = given.length === 1 ? [{}, given[0]] : given;
  const all = Object.entries(rows).map(([name, row]) => ({ ...shared, ...row, name }));
  testRuns(all, golden, (result, jobs) =>
    [recordOf(result, jobs), cancelsOf(result, jobs), marksOf(jobs), ...linesOf(result)]
      .filter(Boolean)
      .join('\n'),
  );
}

/** Makes a row of each value. */
export function rowsFor<const T>(
  values: readonly T[],
  make: (value: T) => readonly [name: string, row: Row],
): Rows {
  return byName(values.map(make));
}

/** Makes two rows of each value: the job fails, and the job passes because the workflow allows the reason. */
export function bothWays<const T>(
  reason: string,
  values: readonly T[],
  make: (value: T) => readonly [name: string, row: Omit<Row, 'inputs'> & { readonly inputs?: Inputs }],
): Rows {
  const rows = values.map(make).flatMap(([name, row]) => inBothWays(reason, { ...row, name }));
  return byName(rows.map(({ name, ...row }) => [name, row]));
}

/** Throws if two rows have one name: the second one would replace the first. */
function byName(rows: readonly (readonly [name: string, row: Row])[]): Rows {
  const all = new Map(rows);
  if (all.size !== rows.length) throw new Error(`Two rows have one name: ${[...all.keys()].join(', ')}`);
  return Object.fromEntries(all);
}

function cancelsOf({ environment: { service } }: ScenarioResult, jobs: OtherJobs): string {
  const order = service.scans().toReversed();
  const names = jobs.cancelled().map((scanId) => {
    const requests = service.requests.filter(({ path }) => path.endsWith(`/${scanId}/cancel`)).length;
    // Without virtual time, the number of requests depends on the machine.
    if (scanId.startsWith('scan_')) return `scan ${order.findIndex(({ id }) => id === scanId) + 1}`;
    return requests === 1 ? scanId : `${scanId} (${requests} times)`;
  });
  return names.length === 0 ? '' : `asks to cancel ${names.toSorted().join(', ')}`;
}

/** The scans in the marks of the head's check runs, if other jobs can launch scans too. */
function marksOf(jobs: OtherJobs): string {
  const marked = jobs.marked();
  const scans = jobs.scenario.environment.service.scans();
  const areNamed = scans.length > 0 && !scans.some(({ id }) => id.startsWith('scan_'));
  return areNamed && marked.length > 0 ? `marks ${marked.map((scanId) => scanId ?? 'none').join(', ')}` : '';
}

/** Lines that each run writes, or that the record has already. */
const USUAL =
  /^(?:##\[|Pull request #|Launched scan|Scan \S+ [█░]|Scan [a-z]+,|Blocked\b|Passed\b|Nothing to scan\b|Not scanned\b|Not listed here|$)/;
const USUAL_CHANGE = /^Change: start\.\.HEAD \(base: merge base, from GitHub\)\.$/;

function linesOf(result: ScenarioResult): readonly string[] {
  const [log = ''] = result.run.log.split('##[error]');
  const ungrouped = log.replaceAll(/##\[group\].*?##\[endgroup\]/gs, '');
  return ungrouped
    .split('\n')
    .filter((line) => !USUAL.test(line))
    .map((line) => named(line, result))
    .filter((line) => !USUAL_CHANGE.test(line))
    .map((line) => `log: ${line}`);
}

/** Replaces what differs from run to run, and the ids of commits by their names. */
function named(line: string, result: ScenarioResult): string {
  const { headSha, repository } = result;
  const withNames = line.replaceAll(/\b[0-9a-f]{7,40}\b/g, (id) =>
    headSha.startsWith(id) ? 'HEAD' : (repository.nameOf(id) ?? id),
  );
  return stable(withNames, result).replaceAll(/every \d+ s\b/g, 'every N s');
}
