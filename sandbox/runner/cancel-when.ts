/** Cancels the step when the promise settles or the signal aborts. Does nothing if the step has ended by then. */
export function cancelWhen(
  cause: Promise<unknown> | AbortSignal | undefined,
  finished: AbortSignal,
  cancel: () => void,
): void {
  const cancelIfRunning = () => {
    if (!finished.aborted) cancel();
  };
  if (cause instanceof AbortSignal) {
    if (cause.aborted) cancelIfRunning();
    else cause.addEventListener('abort', cancelIfRunning, { once: true, signal: finished });
  } else {
    cause?.then(cancelIfRunning, cancelIfRunning);
  }
}
