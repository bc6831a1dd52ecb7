import type { NotScanned } from './not-scanned.ts';

/** Why the run was stopped: the abort reason of its signal. */
export class Stop {
  readonly cause: 'timeout' | 'signal';

  constructor(cause: 'timeout' | 'signal') {
    this.cause = cause;
  }
}

/** Returns why the signal was aborted; undefined if it was not aborted. */
export function stopCause(signal: AbortSignal): Stop['cause'] | undefined {
  if (!signal.aborted) return undefined;
  const reason: unknown = signal.reason;
  return reason instanceof Stop ? reason.cause : 'signal';
}

/**
 * Explains that the run was stopped.
 * @param before the clause after the word "before", for example `the scan finished`
 */
export function explainStop(by: Stop['cause'], before: string): NotScanned {
  return by === 'timeout'
    ? {
        reason: 'timeout',
        cause: `Scangate reached its time limit (the input \`timeout-minutes\`) before ${before}.`,
        nextStep: 'Re-run this job, or raise the input `timeout-minutes` in the workflow and push.',
      }
    : {
        reason: 'scan-cancelled',
        cause: `The job was cancelled before ${before}.`,
        nextStep: 'Re-run this job if you still need the result.',
        bySignal: true,
      };
}
