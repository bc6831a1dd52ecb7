import type { NotScanned } from './not-scanned.ts';

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

/** The words for work that was stopped. @param what a clause that says what came of it */
export function explainStop(by: Stop['cause'], what: string): NotScanned {
  return by === 'timeout'
    ? {
        reason: 'timeout',
        cause: `The time that \`timeout-minutes\` allows ran out: ${what}.`,
        nextStep: 'Raise `timeout-minutes`, or run the job again when the service is less busy.',
      }
    : {
        reason: 'scan-cancelled',
        cause: `The job was cancelled: ${what}.`,
        nextStep: 'Run the job again if the result is still wanted.',
        bySignal: true,
      };
}
