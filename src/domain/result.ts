/** A value, or an expected failure. The failure is a value too, so the compiler makes every caller handle it. */
export type Result<T, E> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function err<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error };
}

/** The reasons why a change has no completed scan. */
export const REASONS = [
  'missing-token',
  'untrusted-fork',
  'insufficient-credits',
  'rate-limited',
  'initializing',
  'timeout',
  'scan-failed',
  'scan-cancelled',
  'launch-unknown',
  'service-error',
  'superseded',
  'unsupported-event',
  'paths',
  'configuration',
] as const;
export type Reason = (typeof REASONS)[number];

/**
 * The reasons that `allow-unscanned` can list. `configuration` is left out, because a wrong setup would pass on every
 * run. `paths` is left out, because the input `paths-unscanned` already allows it.
 */
export const ALLOWABLE_REASONS = REASONS.filter((reason) => reason !== 'configuration' && reason !== 'paths');

/** Says what happened, and what to do. The sentences may hold foreign text. */
export interface Sentences {
  readonly cause: string;
  /** Says what to do, for example which input or permission to change. Empty if there is nothing to do. */
  readonly nextStep: string;
}

/** Why nothing was proven about the change. */
export interface NotScanned extends Sentences {
  readonly reason: Reason;
  /** A list of problems. Each problem is one or two sentences. Reports list them below the cause. */
  readonly problems?: readonly string[];
  /** True if a signal stopped the process. The run then exits with 1, whatever `allow-unscanned` says. */
  readonly bySignal?: boolean;
  /**
   * True if this run repeats the failure of an earlier run. This run then exits with 1, whatever `allow-unscanned`
   * says.
   */
  readonly repeated?: boolean;
}

/**
 * Joins the cause and the next step to one line of text. The next step may be empty. The line may hold foreign text.
 */
export function sentencesOf({ cause, nextStep }: Sentences): string {
  return nextStep === '' ? cause : `${cause} ${nextStep}`;
}

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
 * @param by undefined counts as a signal
 * @param before the clause after the word "before", for example `the scan finished`
 */
export function explainStop(by: Stop['cause'] | undefined, before: string): NotScanned {
  return by === 'timeout'
    ? {
        reason: 'timeout',
        cause: `Scangate reached its time limit before ${before}.`,
        nextStep: 'Re-run this job, or raise the input `timeout-minutes` in the workflow and push.',
      }
    : {
        reason: 'scan-cancelled',
        cause: `The job was cancelled before ${before}.`,
        nextStep: 'Re-run this job if you still need the result.',
        bySignal: true,
      };
}
