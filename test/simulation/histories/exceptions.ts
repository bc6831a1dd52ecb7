/** The documented exceptions to the promises. The summary of the histories counts them. */
export type ExceptionKind =
  // Exceptions for a second launch of one change.
  /** The workflow sets `reuse-scan: false`, which asks for a new scan. */
  | 'asked for'
  /** A run reuses a scan of another pull request only if the scan has completed and GitHub shows its mark. */
  | 'another pull request'
  /** Two jobs that run at the same time do not see each other: both launch a scan, and one cancels its own. */
  | 'twins'
  /** The job that launched the first scan ended before it wrote the mark, or GitHub did not accept the mark. */
  | 'no mark'
  /**
   * GitHub did not list the check runs, so a first attempt could not see the mark. It launched a scan, because it would
   * have no verdict without one.
   */
  | 'marks unreadable'
  /** A workflow with `checks: write` overwrote the newest mark. */
  | 'overwritten mark'
  /**
   * Runs of different pull requests share a scan by the files of base and head. GitHub did not show these files, or
   * `reuse-scan: false` left them out of the mark.
   */
  | 'no trees'
  // Exceptions for a scan of ours that is left running.
  /** The machine was lost, and no later step of the job ran. */
  | 'machine lost'
  /** The service did not answer the requests that find, read or cancel the scan. */
  | 'service failed'
  /**
   * Another scan of the same change started after the last list of scans. Either of the two may belong to the lost
   * launch.
   */
  | 'same change launched beside'
  /** The service hides the commit or the base, so nothing proves which scan belongs to the lost launch. */
  | 'commit or base hidden'
  /** GitHub did not show the marks, and another job may have marked the scan as its own. */
  | 'marks of others unreadable'
  /**
   * The service answered a launch with the id of an older scan. The run follows the older scan if nothing narrows that
   * scan, or if no list before the launch showed it.
   */
  | 'wrong id'
  // Exceptions for a scan of a stranger that a run uses or cancels.
  /**
   * Our launch was lost, and a stranger launched the same change with the same scope after our last list of scans.
   */
  | 'launched like ours'
  /**
   * Our launch was lost, a stranger launched the change with another scope, and the service hides the scope. The run
   * cancels the scan of the stranger, and never uses its result.
   */
  | 'difference hidden'
  // Exceptions for a scan of another job that a run cancels.
  /**
   * Our launch was lost, and another job launched the same change after our last list of scans. Its scan had no mark
   * yet, so the run took it for its own and cancelled it.
   */
  | 'unmarked twin';

/** What a judge finds in a history. */
export interface Judgement {
  /** The broken promises, in words. */
  readonly broken: readonly string[];
  /** The exceptions that applied. */
  readonly exceptions: readonly ExceptionKind[];
}
