/** What a launch asked for; a member that its body does not name is undefined. */
export interface WantedScan {
  readonly repositoryId?: string | undefined;
  readonly presetRef?: string | undefined;
  readonly baseCommit?: string | undefined;
  readonly commit?: string | undefined;
  /** Whole credits. */
  readonly creditBudget?: number | undefined;
}

/** Kept from before a launch until its answer, so that a launch whose answer is lost can be recognized later. */
export interface LaunchIntent {
  readonly projectId: string;
  readonly headSha: string;
  /** The ids of the newest scans before the launch; undefined: not noted, so no scan can be called new. */
  readonly noted?: readonly string[] | undefined;
  readonly wanted: WantedScan;
}
