/** The goals for size and speed. */

/** In bytes. The doctor also reads workflow files: its reader of YAML takes 26 kB. The package `yaml` would take 230 kB. */
export const MOST_BYTES: Readonly<Record<string, number>> = {
  'dist/index.js': 500_000,
  'dist/post/index.js': 240_000,
  'dist/doctor/index.js': 295_000,
  'dist/triage/index.js': 270_000,
};
/** The size of the packed archive that a runner fetches, in bytes. */
export const MOST_ARCHIVE_BYTES = 400_000;
/** The number of files and folders in the archive. */
export const MOST_ARCHIVE_ENTRIES = 40;
/** The ratio of a start's processor time to that of bare Node: of main, and of post with nothing to clean up. */
export const MOST_START_RATIOS = { main: 2.5, post: 1.4 };
/** The ratio of a start's processor time to that of the bundle of the commit below. */
export const MOST_TO_EARLIER = 0.7;
/** The last commit before the bundle was made small. */
export const EARLIER_COMMIT = '16f0eed';
/**
 * The ratio of the processor time of a run without findings to that of a hand-written script with the same requests.
 */
export const MOST_TO_HAND_WRITTEN = 1.9;
/** The time of the whole action if every answer takes 100 ms and the scan has ended by the first poll. */
export const MOST_SECONDS = 2;
/** The number of sequential answers, by the number of findings. */
export const MOST_ROUND_TRIPS: Readonly<Record<number, number>> = { 0: 6, 10: 9, 50: 11 };
/**
 * The number of requests to GitHub for up to 50 findings, which one page of annotations holds. Two read the pull
 * request, two list the check runs.
 */
export const MOST_GITHUB_REQUESTS = 9;
/**
 * The time to escape a hostile text 16 times as long, divided by the time of the short one. Linear is 16, quadratic
 * 256.
 */
export const MOST_GROWTH = 64;
/** The peak memory in mebibytes, with 10,000 findings in every output. */
export const MOST_MEMORY = 150;
