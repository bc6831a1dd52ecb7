/** Cancels the step when the promise settles. Does nothing if the step has ended by then. */
export function cancelWhen(
  cause: Promise<unknown> | undefined,
  finished: AbortSignal,
  cancel: () => void,
): void {
  const cancelIfRunning = () => {
    if (!finished.aborted) cancel();
  };
  cause?.then(cancelIfRunning, cancelIfRunning);
}
