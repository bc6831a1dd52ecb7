/** The functions that close what the running test file has opened for all of its tests. */
const closings: (() => Promise<void>)[] = [];

/**
 * Closes something when the running test file is over. Test files share this process and its modules. So the `afterAll`
 * of a module that several test files import would belong to the first file.
 */
export function closeAtEndOfFile(close: () => Promise<void>): void {
  closings.push(close);
}

/** Closes everything, in reverse order. */
export async function endFile(): Promise<void> {
  for (const close of closings.splice(0).toReversed()) await close();
}
