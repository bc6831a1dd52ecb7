/** Whether `SCANGATE_ROUNDS=full` is set, as `.ci/run` does. */
const ARE_FULL = process.env['SCANGATE_ROUNDS'] === 'full';

/**
 * How many random inputs or seeds a test tries, or which of its cells it runs. `quick` is what `npm test` uses, and is
 * enough to find a mistake soon. One variable selects `full` for all tests.
 */
export function rounds<T>(quick: T, full: T): T {
  return ARE_FULL ? full : quick;
}
