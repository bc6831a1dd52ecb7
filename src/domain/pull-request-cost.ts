/** A number: either exact, or a lower bound. */
export interface Tally {
  readonly count: number;
  readonly atLeast: boolean;
}

/**
 * The credits and launches of one pull request so far. Every launch counts once, even if its scan failed or was
 * cancelled, because the service charges for the work done until then. A run that reuses a scan adds nothing.
 */
export interface PullRequestCost {
  /** Whole credits, as the launches reserved them. */
  readonly credits: Tally;
  readonly scans: Tally;
}
