/** `SCANGATE_ROUNDS=full`, as `.ci/run` sets it. */
const ARE_FULL = process.env['SCANGATE_ROUNDS'] === 'full';

/**
 * How often a test tries random inputs, or seeds, or which of its cells it plays: `quick` is enough for a mistake to
 * show soon, and what `npm test` does. One variable asks all tests for `full`.
 */
export function rounds<T>(quick: T, full: T): T {
  return ARE_FULL ? full : quick;
}
