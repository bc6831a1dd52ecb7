/** `SCANGATE_ROUNDS=full`, as `.ci/run` sets it. */
const ARE_FULL = process.env['SCANGATE_ROUNDS'] === 'full';

/**
 * How often a test tries random inputs, or seeds: `quick` is enough for a mistake to show soon, and what `npm test`
 * does. One variable asks all tests for `full`.
 */
export function rounds(quick: number, full: number): number {
  return ARE_FULL ? full : quick;
}
