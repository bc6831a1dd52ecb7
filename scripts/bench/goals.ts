/** The goals for size and speed. */

/**
 * The largest size of each bundle, in bytes. The doctor contains a reader of YAML: `js-yaml` takes 90 kB. The
 * package `yaml` would take 200 kB.
 */
export const MOST_BYTES: Readonly<Record<string, number>> = {
  'dist/index.js': 480_000,
  'dist/post/index.js': 225_000,
  'dist/doctor/index.js': 420_000,
  'dist/triage/index.js': 255_000,
};
/** The largest size of the packed archive, in bytes. A runner fetches this archive. */
export const MOST_ARCHIVE_BYTES = 420_000;
/** The most files and folders in the archive. */
export const MOST_ARCHIVE_ENTRIES = 40;
/** The largest ratio of a start's processor time to that of bare Node.js. `post` has nothing to clean up. */
export const MOST_START_RATIOS = { main: 2.4, post: 1.35 };
/**
 * The largest ratio of a run's processor time to that of a hand-written script. Both send the same requests, and there
 * are no findings.
 */
export const MOST_TO_HAND_WRITTEN = 1.9;
/** How many answers the action may await one after the other. The key is the number of findings. */
export const MOST_ROUND_TRIPS: Readonly<Record<number, number>> = { 0: 6, 10: 9, 50: 11 };
/**
 * The most requests to GitHub for up to 50 findings. Their annotations fit into one request. Two requests read the pull
 * request, and two list the check runs.
 */
export const MOST_GITHUB_REQUESTS = 9;
/** The largest memory in mebibytes, with 10,000 findings in all outputs. */
export const MOST_MEMORY = 130;
