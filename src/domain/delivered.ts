/** What the delivery of the report produced. A member is undefined if it was not produced. */
export interface Delivered {
  readonly checkRunUrl: string | undefined;
  readonly commentUrl: string | undefined;
  /** Absolute path. */
  readonly sarifFile: string | undefined;
  /** Absolute path. */
  readonly reportFile: string | undefined;
  /**
   * A check run of ours that did not get its conclusion. GitHub shows it as running until a run completes it. `not
   * known`: the answer with its id was lost, so one may exist.
   */
  readonly checkRunInProgress: number | 'not known' | undefined;
}
