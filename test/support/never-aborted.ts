/** The signal of a call that nothing aborts. */
export const NEVER_ABORTED = new AbortController().signal;
