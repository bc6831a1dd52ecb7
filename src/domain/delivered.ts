/** What delivering the report to GitHub and to files led to; undefined where there is none. */
export interface Delivered {
  readonly checkRunUrl: string | undefined;
  readonly commentUrl: string | undefined;
  /** Absolute path. */
  readonly sarifFile: string | undefined;
  /** Absolute path. */
  readonly reportFile: string | undefined;
  /**
   * A check run of ours that the verdict did not reach: GitHub shows it as running until a run completes it.
   * `not known`: there may be one, but the answer with its id was lost.
   */
  readonly checkRunInProgress: number | 'not known' | undefined;
}
