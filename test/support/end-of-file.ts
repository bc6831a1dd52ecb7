/** Each function closes something that the running test file has opened for all of its tests. */
const closings: (() => Promise<void>)[] = [];

/**
 * Closes something when the running test file is over. An `afterAll` in a shared module would not: all test files share
 * one process, so the module is loaded only for the first file.
 */
export function closeAtEndOfFile(close: () => Promise<void>): void {
  closings.push(close);
}

/** Closes everything, in reverse order. */
export async function endFile(): Promise<void> {
  for (const close of closings.splice(0).toReversed()) await close();
}
