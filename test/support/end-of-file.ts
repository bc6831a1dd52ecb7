/** What the running test file has opened for all of its tests, and how each is closed. */
const closings: (() => Promise<void>)[] = [];

/**
 * Has something closed when the running test file is over. Test files share this process and its modules, so that a
 * module which several of them import cannot register an `afterAll` of its own: it would belong to the first one.
 */
export function closeAtEndOfFile(close: () => Promise<void>): void {
  closings.push(close);
}

/** Closes everything, the latest first. */
export async function endFile(): Promise<void> {
  for (const close of closings.splice(0).toReversed()) await close();
}
