import type { RecordedChange } from './history.ts';
import { type Assumptions, countLaunches, runsOf } from './replay.ts';
import { changesOf } from './shape.ts';

/** The recorded history of one repository. */
export interface Recorded {
  /** `owner/name` on GitHub, or the name of a clone's folder. */
  readonly repository: string;
  /** How often each shape of changes occurs. */
  readonly shapes: Readonly<Record<string, number>>;
}

/** Our choice. A table row changes some of these assumptions, and says which. */
const USUAL: Assumptions = { queue: false, push: false, together: 10, rewrites: true, repeats: 0 };

const WORKFLOWS = [
  ['pull requests', {}],
  ['pull requests and merge queue', { queue: true }],
  ['pull requests and pushes to the branch', { push: true }],
  ['pull requests, merge queue and pushes to the branch', { queue: true, push: true }],
] as const;

const VARIANTS = [
  ['as above', {}],
  ['each commit is a push', { together: undefined }],
  ['commits at most 2 minutes apart are one push', { together: 2 }],
  ['commits at most 60 minutes apart are one push', { together: 60 }],
  ['each pull request is one push', { together: Number.POSITIVE_INFINITY }],
  ['no push before a rebase or an amend', { rewrites: false }],
  ['one repeated run for every second change', { repeats: 0.5 }],
  ['two repeated runs for each change', { repeats: 2 }],
] as const;

/** Our choice: the number of merged changes per month. */
const SIZES = [20, 100, 500];
const BUDGET = 20;

/** Renders four tables in Markdown. `docs/cost.md` shows the second. @param histories must contain at least one change in total */
export function creditTables(histories: readonly Recorded[]): readonly string[] {
  const each = histories.map(
    ({ repository, shapes }) => [repository, changesOf(repository, shapes)] as const,
  );
  const all = each.flatMap(([, changes]) => changes);
  const [, withQueue] = WORKFLOWS;
  return [
    table(
      ['repository', 'merged changes', 'every run', 'Scangate'],
      each.map(([name, changes]) => [
        name,
        String(changes.length),
        ...perChange(changes, { ...USUAL, ...withQueue[1] }),
      ]),
    ),
    table(
      ['the workflow runs on', 'every run', 'Scangate', 'fewer scans'],
      WORKFLOWS.map(([name, events]) => [name, ...compared(all, { ...USUAL, ...events })]),
    ),
    table(
      ['assumption', 'every run', 'Scangate', 'fewer scans'],
      VARIANTS.map(([name, change]) => [name, ...compared(all, { ...USUAL, ...withQueue[1], ...change })]),
    ),
    table(
      ['the workflow runs on', ...SIZES.map((size) => `${size} changes`)],
      WORKFLOWS.map(([name, events]) => {
        const launches = countLaunches(runsOf(all, { ...USUAL, ...events })) / all.length;
        return [name, ...SIZES.map((size) => (Math.round(launches * size) * BUDGET).toLocaleString('en'))];
      }),
    ),
  ];
}

function perChange(changes: readonly RecordedChange[], assumptions: Assumptions): readonly string[] {
  const runs = runsOf(changes, assumptions);
  return [runs.length, countLaunches(runs)].map((count) => (count / changes.length).toFixed(2));
}

function compared(changes: readonly RecordedChange[], assumptions: Assumptions): readonly string[] {
  const runs = runsOf(changes, assumptions);
  const fewer = 1 - countLaunches(runs) / runs.length;
  return [...perChange(changes, assumptions), `${(fewer * 100).toFixed(0)} %`];
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(heads),
    line(heads.map((_, column) => (column === 0 ? '---' : '--:'))),
    ...rows.map(line),
  ].join('\n');
}
