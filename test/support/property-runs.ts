/** Set by `.ci/run`: random inputs are tried as often as they are meant to be. */
const THOROUGH = process.env['SCANGATE_THOROUGH'] === '1';
/** Enough for a mistake to show soon. */
const QUICK_RUNS = 100;

/** How many random inputs a property is tried with: at most a hundred, but for CI. */
export function propertyRuns(inCI: number): { readonly numRuns: number } {
  return { numRuns: THOROUGH ? inCI : Math.min(inCI, QUICK_RUNS) };
}
