/** A number: either exact, or a lower bound. */
export interface Tally {
  readonly count: number;
  readonly atLeast: boolean;
}

/**
 * The credits and launches of one pull request so far. Every launch counts once. The service also charges for the work
 * of scans that failed or were cancelled. A run that reuses a scan adds nothing.
 */
export interface PullRequestCost {
  /** Whole credits, as the launches reserved them. */
  readonly credits: Tally;
  readonly scans: Tally;
}
