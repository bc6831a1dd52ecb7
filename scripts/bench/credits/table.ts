import { countLaunches, type Events, runsOf } from './replay.ts';
import { changesOf } from './shape.ts';

/** The recorded history of one repository. */
export interface Recorded {
  /** `owner/name` on GitHub, or the name of a clone's folder. */
  readonly repository: string;
  /** How often each shape of changes occurs. */
  readonly shapes: Readonly<Record<string, number>>;
}

const WORKFLOWS: readonly (readonly [name: string, events: Events])[] = [
  ['pull requests', { queue: false, push: false }],
  ['pull requests and merge queue', { queue: true, push: false }],
  ['pull requests and pushes to the branch', { queue: false, push: true }],
  ['pull requests, merge queue and pushes to the branch', { queue: true, push: true }],
];

/**
 * Renders the table of docs/cost.md: for each workflow, its runs and its scans per change.
 * @param histories must contain at least one change in total
 */
export function scansByEvent(histories: readonly Recorded[]): string {
  const changes = histories.flatMap(({ repository, shapes }) => changesOf(repository, shapes));
  const rows = WORKFLOWS.map(([name, events]) => {
    const runs = runsOf(changes, events);
    const launches = countLaunches(runs);
    const perChange = [runs.length, launches].map((count) => (count / changes.length).toFixed(2));
    return `| ${name} | ${perChange.join(' | ')} | ${((1 - launches / runs.length) * 100).toFixed(0)} % |`;
  });
  const heads = '| the workflow runs on | every run | Scangate | fewer scans |';
  return [heads, '| --- | --: | --: | --: |', ...rows].join('\n');
}
