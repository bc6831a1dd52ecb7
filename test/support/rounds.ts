/** Whether `SCANGATE_ROUNDS=full` is set, as `.ci/run` does. */
const ARE_FULL = process.env['SCANGATE_ROUNDS'] === 'full';

/**
 * Returns `quick`, or `full` if `SCANGATE_ROUNDS=full` is set. The value can be the number of random inputs or seeds
 * that a test tries, or the list of cases that it runs. `npm test` uses `quick`, to end soon.
 */
export function rounds<T>(quick: T, full: T): T {
  return ARE_FULL ? full : quick;
}
