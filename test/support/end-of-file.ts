/** Each function closes something that the running test file has opened for all of its tests. */
const closings: (() => Promise<void>)[] = [];

/**
 * Closes something when the running test file is over. A shared module cannot use `afterAll` for this: all test files
 * share one process, so only the first file loads the module.
 */
export function closeAtEndOfFile(close: () => Promise<void>): void {
  closings.push(close);
}

/** Closes everything, in reverse order. */
export async function endFile(): Promise<void> {
  for (const close of closings.splice(0).toReversed()) await close();
}
