/** How small and quick the action is meant to be. */

/** In bytes. The doctor also reads workflow files: its reader of YAML takes 26 kB. The package `yaml` would take 230 kB. */
export const MOST_BYTES: Readonly<Record<string, number>> = {
  'dist/index.js': 500_000,
  'dist/post/index.js': 240_000,
  'dist/doctor/index.js': 295_000,
  'dist/triage/index.js': 270_000,
};
/** Of the archive that a runner fetches: packed, in bytes. */
export const MOST_ARCHIVE_BYTES = 400_000;
/** Files and folders in it. */
export const MOST_ARCHIVE_ENTRIES = 40;
/** Processor time of a start: of main, and of post with nothing left behind, to that of bare Node. */
export const MOST_START_RATIOS = { main: 2.5, post: 1.4 };
/** Processor time of a start to that of the bundle of the commit below. */
export const MOST_TO_EARLIER = 0.7;
/** The last one before the bundle was made small. */
export const EARLIER_COMMIT = '16f0eed';
/** Processor time of a run without findings to that of a hand-written script with the same requests. */
export const MOST_TO_HAND_WRITTEN = 1.9;
/** The whole action where every answer takes 100 ms and the scan has ended by the first poll. */
export const MOST_SECONDS = 2;
/** Answers waited for one after the other, by the number of findings. */
export const MOST_ROUND_TRIPS: Readonly<Record<number, number>> = { 0: 6, 10: 9, 50: 11 };
/** For up to 50 findings, which one page of annotations holds. Two read the pull request, two list the check runs. */
export const MOST_GITHUB_REQUESTS = 9;
/** Escaping hostile text 16 times as long, in what the short one takes: linear is 16, quadratic 256. */
export const MOST_GROWTH = 64;
/** Mebibytes at the peak, with 10,000 findings in every place. */
export const MOST_MEMORY = 150;
