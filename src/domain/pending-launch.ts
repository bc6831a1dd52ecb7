import type { ScanSubject } from './scan-subject.ts';

/** Kept from before a launch until its answer, so that a scan whose launch was not answered can be recognized. */
export interface PendingLaunch {
  readonly projectId: string;
  readonly headSha: string;
  /** The number of the pull request; undefined where the event is not about one. */
  readonly pullRequest?: number | undefined;
  /** The ids of the newest scans before the launch; undefined: they could not be read, so no scan can be called new. */
  readonly knownScanIds?: readonly string[] | undefined;
  /** Undefined: it was too large to be kept, so no scan can be recognized. */
  readonly subject?: ScanSubject | undefined;
}
