/** How small and quick the action is meant to be. */

/** In bytes. */
export const MOST_BYTES: Readonly<Record<string, number>> = {
  'dist/index.js': 550_000,
  'dist/post/index.js': 350_000,
};
/** A start of the bundle, in starts of bare Node. */
export const MOST_START_RATIO = 3.5;
/** The whole action where every answer takes 100 ms and the scan has ended by the first poll. */
export const MOST_SECONDS = 2;
/** Answers waited for one after the other, by the number of findings. */
export const MOST_ROUND_TRIPS: Readonly<Record<number, number>> = { 0: 7, 10: 11, 50: 13 };
/** For up to 50 findings, which one page of annotations holds. Two read the pull request, two list the check runs. */
export const MOST_GITHUB_REQUESTS = 9;
/** Escaping hostile text 16 times as long, in what the short one takes: linear is 16, quadratic 256. */
export const MOST_GROWTH = 64;
/** Mebibytes at the peak, with 10,000 findings in every place. */
export const MOST_MEMORY = 150;
