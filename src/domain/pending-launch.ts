import type { ScanSubject } from './scan-subject.ts';

/**
 * The description of a launch, which is saved before the launch is sent, and kept until the answer arrives.
 * If no answer arrives, the description shows which scan was launched.
 */
export interface PendingLaunch {
  readonly projectId: string;
  readonly headSha: string;
  /** Undefined if the event has no pull request. */
  readonly pullRequest?: number | undefined;
  /**
   * The ids of the newest scans before the launch. Undefined if the list could not be read; then no scan can be proven
   * to be new.
   */
  readonly knownScanIds?: readonly string[] | undefined;
  /**
   * Undefined if the whole description was too large to be saved. Then no scan can be recognized as the scan
   * of the launch.
   */
  readonly subject?: ScanSubject | undefined;
}
