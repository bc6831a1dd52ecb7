/** Whether `SCANGATE_ROUNDS=full` is set, as `.ci/run` does. */
const ARE_FULL = process.env['SCANGATE_ROUNDS'] === 'full';

/**
 * Returns `quick`. If `SCANGATE_ROUNDS=full` is set, returns `full`. The values can be numbers of random inputs or of
 * seeds, or lists of cases. `npm test` uses `quick` to end soon.
 */
export function rounds<T>(quick: T, full: T): T {
  return ARE_FULL ? full : quick;
}
