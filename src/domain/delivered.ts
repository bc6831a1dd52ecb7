/** What the delivery of the report produced. A member is undefined if it was not produced. */
export interface Delivered {
  readonly checkRunUrl: string | undefined;
  readonly commentUrl: string | undefined;
  /** Absolute path. */
  readonly sarifFile: string | undefined;
  /** Absolute path. */
  readonly reportFile: string | undefined;
  /**
   * The id of our check run if it has no conclusion yet. GitHub then shows it as running. `not known` means that GitHub
   * may have created it, but the answer with the id was lost.
   */
  readonly checkRunInProgress: number | 'not known' | undefined;
}
