import type { ScanSubject } from './scan-subject.ts';

/**
 * The description of a launch. A run saves it before it sends the launch. If no answer arrives, the description shows
 * which scan was launched.
 */
export interface PendingLaunch {
  readonly projectId: string;
  readonly headSha: string;
  /** Undefined if the event has no pull request. */
  readonly pullRequest?: number | undefined;
  /**
   * The ids of the newest scans before the launch. Undefined if the list could not be read. It is then unknown which
   * scans are new.
   */
  readonly knownScanIds?: readonly string[] | undefined;
  /**
   * What the launch asks for. Undefined if it was too large to be saved. The scan of the launch then cannot be
   * recognized.
   */
  readonly subject?: ScanSubject | undefined;
}
