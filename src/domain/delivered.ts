/** What the delivery of the report produced. A member is undefined if it was not produced. */
export interface Delivered {
  readonly checkRunUrl: string | undefined;
  readonly commentUrl: string | undefined;
  /** Absolute path. */
  readonly sarifFile: string | undefined;
  /** Absolute path. */
  readonly reportFile: string | undefined;
  /**
   * The id of a check run of ours that has no conclusion yet. GitHub shows the check run as running until a run
   * completes it. `not known`: GitHub may have created such a check run, but the answer with the id was lost.
   */
  readonly checkRunInProgress: number | 'not known' | undefined;
}
