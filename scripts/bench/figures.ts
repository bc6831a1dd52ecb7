import {
  MOST_ARCHIVE_BYTES,
  MOST_ARCHIVE_ENTRIES,
  MOST_BYTES,
  MOST_GITHUB_REQUESTS,
  MOST_MEMORY,
  MOST_ROUND_TRIPS,
  MOST_START_RATIOS,
  MOST_TO_HAND_WRITTEN,
} from './goals.ts';
import { PULL_REQUEST_ACTIONS, type PullRequestAction } from './measured-run.ts';

const UNITS = { bytes: 'MB', ratio: 'x', count: '', memory: 'MiB' } as const;

/** A figure of the benchmark. docs/performance.md shows it with its upper limit. */
export interface Figure {
  readonly what: string;
  /** The unit: bytes, a ratio, a count, or mebibytes. */
  readonly kind: keyof typeof UNITS;
  readonly most: number;
}

const archiveOf = (what: string) => `Archive that the runner downloads, ${what}`;

export const ARCHIVE_BYTES: Figure = { what: archiveOf('packed'), kind: 'bytes', most: MOST_ARCHIVE_BYTES };
export const ARCHIVE_ENTRIES: Figure = {
  what: archiveOf('files and folders'),
  kind: 'count',
  most: MOST_ARCHIVE_ENTRIES,
};
export const HAND_WRITTEN: Figure = {
  what: 'A run without findings, to a hand-written script',
  kind: 'ratio',
  most: MOST_TO_HAND_WRITTEN,
};
export const MANY_FINDINGS: Figure = {
  what: 'Peak memory at 10,000 findings',
  kind: 'memory',
  most: MOST_MEMORY,
};

/** The figure for the size of a bundle. @param entry the path of the bundle, such as `dist/index.js` */
export function sizeOf(entry: string): Figure {
  return { what: `Size of \`${entry}\``, kind: 'bytes', most: MOST_BYTES[entry] ?? 0 };
}

const STARTS = { main: '`main`', post: '`post` with nothing left' } as const;

export function startOf(entry: keyof typeof STARTS): Figure {
  const what = `Start of ${STARTS[entry]}, to \`node -e 0\``;
  return { what, kind: 'ratio', most: MOST_START_RATIOS[entry] };
}

export function roundTripsAt(findings: number): Figure {
  const what = `Answers one after the other at ${findings} findings`;
  return { what, kind: 'count', most: MOST_ROUND_TRIPS[findings] ?? 0 };
}

export function requestsAt(findings: number, event: PullRequestAction): Figure {
  const what = `Requests to GitHub at ${findings} findings, pull request ${event === 'synchronize' ? 'pushed to' : event}`;
  return { what, kind: 'count', most: MOST_GITHUB_REQUESTS };
}

export const FINDINGS: readonly number[] = Object.keys(MOST_ROUND_TRIPS).map(Number);

/** The figures of docs/performance.md, in the order of its table. Of the requests to GitHub, it shows the most. */
export const FIGURES: readonly Figure[] = [
  ARCHIVE_BYTES,
  ARCHIVE_ENTRIES,
  ...Object.keys(MOST_BYTES).map(sizeOf),
  startOf('main'),
  startOf('post'),
  HAND_WRITTEN,
  ...FINDINGS.map(roundTripsAt),
  ...PULL_REQUEST_ACTIONS.map((event) => requestsAt(Math.max(...FINDINGS), event)),
  MANY_FINDINGS,
];

/** A figure and its measured value. */
export type Measured = readonly [figure: Figure, value: number];

/** Renders a table in Markdown, which compares each value with the limit of its figure. */
export function figuresTable(measured: readonly Measured[]): string {
  const rows = measured.map(([{ what, kind, most }, value]) => {
    const met = value <= most ? '' : ', not met';
    return `| ${what} | ${shown(kind, value, false)} | <= ${shown(kind, most, true)}${met} |`;
  });
  return ['| What | Value | Goal |', '| --- | --: | --: |', ...rows].join('\n');
}

function shown(kind: Figure['kind'], value: number, asGoal: boolean): string {
  const scaled = kind === 'bytes' ? value / 1e6 : value;
  const digits = kind === 'bytes' ? 3 : kind === 'ratio' ? 2 : 0;
  return `${asGoal ? scaled : scaled.toFixed(digits)} ${UNITS[kind]}`.trimEnd();
}

const MEASURED = /(Measured with `npm run bench` on )[\d-]+( .*\n\n)(?:\|.*\n)+/;

/**
 * Returns the page (docs/performance.md) with this table. `date` is the day of the measurement (ISO 8601). Throws if the
 * page does not have a table of the figures.
 */
export function withFigures(page: string, table: string, date: string): string {
  if (!MEASURED.test(page)) throw new Error('the page has no table of the figures');
  return page.replace(
    MEASURED,
    (_all, before: string, after: string) => `${before}${date}${after}${table}\n`,
  );
}
