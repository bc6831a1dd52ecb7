/** What delivering the report to GitHub and to files led to; undefined where there is none. */
export interface Delivered {
  readonly checkRunUrl: string | undefined;
  readonly commentUrl: string | undefined;
  /** Absolute path. */
  readonly reportFile: string | undefined;
}
