/** Why there is no completed scan of the change as it is now. Which of them may pass: see `ALLOWABLE_REASONS`. */
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

/** A wrong setup is never allowed to pass: it would pass for ever. `paths` is allowed by its own input alone. */
export const ALLOWABLE_REASONS = REASONS.filter((reason) => reason !== 'configuration' && reason !== 'paths');

/** Nothing was proven about the change. One sentence says why, one what to do next; both may hold foreign text. */
export interface NotScanned {
  readonly reason: Reason;
  readonly cause: string;
  /** Several problems, one or two sentences each: a list below the cause. */
  readonly problems?: readonly string[];
  /** The input, permission or person that fixes it. */
  readonly nextStep: string;
  /** A signal stopped us: exit 1 whatever `allow-unscanned` says. */
  readonly bySignal?: boolean;
  /** An earlier run ended so, and this one repeats its reason: exit 1 whatever `allow-unscanned` says. */
  readonly repeated?: boolean;
}

/** Why, and what to do next, as one line of text; the next step may be empty. May hold foreign text. */
export function sentencesOf({ cause, nextStep }: Pick<NotScanned, 'cause' | 'nextStep'>): string {
  return nextStep === '' ? cause : `${cause} ${nextStep}`;
}
