import type { ScanSubject } from './scan-subject.ts';

/**
 * What a run saves before a launch, and keeps until the answer. With it, the scan of an unanswered launch can be
 * recognized.
 */
export interface PendingLaunch {
  readonly projectId: string;
  readonly headSha: string;
  /** Undefined if the event has no pull request. */
  readonly pullRequest?: number | undefined;
  /**
   * The ids of the newest scans before the launch. Undefined: they could not be read, so it is not known which scans
   * are new.
   */
  readonly knownScanIds?: readonly string[] | undefined;
  /** Undefined: it was too large to be saved, so no scan can be recognized. */
  readonly subject?: ScanSubject | undefined;
}
