/**
 * The reasons why a change has no completed scan. `ALLOWABLE_REASONS` are those that `allow-unscanned` may let pass.
 */
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
 * The reason `configuration` is left out, because a wrong setup would pass on every run. The reason `paths` is left
 * out, because the input `paths-unscanned` already allows it.
 */
export const ALLOWABLE_REASONS = REASONS.filter((reason) => reason !== 'configuration' && reason !== 'paths');

/** Why nothing was proven about the change. `cause` is one sentence, `nextStep` another; both may hold foreign text. */
export interface NotScanned {
  readonly reason: Reason;
  readonly cause: string;
  /** Several problems, one or two sentences each. Reports list them below the cause. */
  readonly problems?: readonly string[];
  /** Names the input, permission or person that fixes the problem. */
  readonly nextStep: string;
  /** True if a signal stopped the process. The run then exits with 1, whatever `allow-unscanned` says. */
  readonly bySignal?: boolean;
  /**
   * True if this run repeats the failure of an earlier run. This run then exits with 1, whatever `allow-unscanned`
   * says.
   */
  readonly repeated?: boolean;
}

/** Joins the cause and the next step, which may be empty, to one line of text. May hold foreign text. */
export function sentencesOf({ cause, nextStep }: Pick<NotScanned, 'cause' | 'nextStep'>): string {
  return nextStep === '' ? cause : `${cause} ${nextStep}`;
}
