/** The signal of a call that nothing ends. */
export const NEVER_ABORTED = new AbortController().signal;
