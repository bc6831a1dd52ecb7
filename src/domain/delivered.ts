/** What delivering the report to GitHub and to files led to; undefined where there is none. */
export interface Delivered {
  readonly checkRunUrl: string | undefined;
  readonly commentUrl: string | undefined;
  /** Absolute path. */
  readonly reportFile: string | undefined;
  /** A check run of ours that the verdict did not reach: it shows as running until somebody completes it. */
  readonly checkRunInProgress: number | undefined;
}
