/** A number that is known, or known to be at least this. */
export interface Tally {
  readonly count: number;
  readonly atLeast: boolean;
}

/**
 * What the scans of one pull request have reserved so far. A launch counts once, also where the scan failed or was
 * cancelled: the service charges the work that was done by then. A run that reuses a scan adds nothing.
 */
export interface PullRequestCost {
  /** Whole credits, as they were reserved at the launches. */
  readonly credits: Tally;
  readonly scans: Tally;
}
