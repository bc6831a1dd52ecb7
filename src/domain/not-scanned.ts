/** Why there is no completed scan of the change as it is now. `ALLOWABLE_REASONS` lists the reasons that may pass. */
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

/** A wrong setup may not pass, because it would pass on every run. `paths` has an input of its own. */
export const ALLOWABLE_REASONS = REASONS.filter((reason) => reason !== 'configuration' && reason !== 'paths');

/** Why nothing was proven about the change. `cause` is one sentence, `nextStep` another; both may hold foreign text. */
export interface NotScanned {
  readonly reason: Reason;
  readonly cause: string;
  /** Several problems, one or two sentences each. They are listed below the cause. */
  readonly problems?: readonly string[];
  /** Names the input, permission or person that fixes the problem. */
  readonly nextStep: string;
  /** A signal stopped the process: exit 1 whatever `allow-unscanned` says. */
  readonly bySignal?: boolean;
  /** An earlier run failed for this reason, and this run repeats it: exit 1 whatever `allow-unscanned` says. */
  readonly repeated?: boolean;
}

/** Joins the cause and the next step, which may be empty, to one line of text. May hold foreign text. */
export function sentencesOf({ cause, nextStep }: Pick<NotScanned, 'cause' | 'nextStep'>): string {
  return nextStep === '' ? cause : `${cause} ${nextStep}`;
}
