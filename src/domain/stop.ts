/** Why our own work was stopped: the abort reason of the run's signal. */
export class Stop {
  readonly cause: 'timeout' | 'signal';

  constructor(cause: 'timeout' | 'signal') {
    this.cause = cause;
  }
}

/** Why the signal was aborted; undefined while it is not. */
export function stopCause(signal: AbortSignal): Stop['cause'] | undefined {
  if (!signal.aborted) return undefined;
  const reason: unknown = signal.reason;
  return reason instanceof Stop ? reason.cause : 'signal';
}
