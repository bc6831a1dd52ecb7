/** The statuses of a scan that has ended. Every other status means that the scan is still running. */
export type TerminalStatus = 'COMPLETED' | 'FAILED' | 'CANCELLED';

const TERMINAL: ReadonlySet<string> = new Set(['COMPLETED', 'FAILED', 'CANCELLED']);

export function isTerminal(status: string): status is TerminalStatus {
  return TERMINAL.has(status);
}

/** The progress of a scan. A member that the service does not show is undefined. */
export interface ScanProgress {
  readonly phasesCompleted: number | undefined;
  readonly phasesTotal: number | undefined;
  /** How much of the scan is done, from 0 to 1. Each phase counts by its share of the budget, not of the time. */
  readonly weighted: number | undefined;
  /** Whole credits reserved for the scan. */
  readonly reservedCredits: number | undefined;
}

/** The guidance of a scan. It shows where the guidance is from. If that is unknown, it shows the hash of the text. */
export type ShownGuidance =
  | { readonly from: 'nowhere' | 'repository' | 'launch' }
  /** `hash`: the SHA-256 of the text, hexadecimal. */
  | { readonly from: 'unknown'; readonly hash: string };

/** Replaces an unreadable key of an audit area. No area has an empty key. */
export const UNKNOWN_AREA = '';

/** A scan as the service shows it. A member is undefined if the service does not show it. */
export interface Scan {
  readonly id: string;
  /** The service's word. `isTerminal` says whether the scan has ended. */
  readonly status: string;
  readonly repositoryId: string | undefined;
  readonly presetRef: string | undefined;
  /**
   * Null if the service shows that the scan has no base. A full scan has none. Undefined if the service shows nothing.
   */
  readonly baseSha: string | null | undefined;
  readonly headSha: string | undefined;
  /** Whole credits. */
  readonly creditBudget: number | undefined;
  /**
   * The keys of the audit areas that limit the scan. If the list is empty, no area limits the scan. `UNKNOWN_AREA`
   * replaces a key that cannot be read.
   */
  readonly areas: readonly string[] | undefined;
  readonly guidance: ShownGuidance | undefined;
  /** ISO 8601, as the service wrote it. */
  readonly createdAt: string | undefined;
  readonly progress: ScanProgress;
}

/** The answer to an accepted launch. It can contain further ids, for example the id of the launch. */
export interface LaunchedScan {
  /** The id that most likely identifies the scan. */
  readonly scanId: string;
  /** All other ids in the answer. The likeliest comes first. */
  readonly otherIds: readonly string[];
  /**
   * When the service accepted the launch, by the clock of the service. Undefined if the answer does not show the time.
   */
  readonly acceptedAt?: Date | undefined;
}

/** An entry of the scan list. The documentation does not describe the entries, so even id and status may be missing. */
export interface ListedScan extends Omit<Scan, 'id' | 'status' | 'progress'> {
  readonly id: string | undefined;
  readonly status: string | undefined;
}

/** The newest scans of a project, most recent first. */
export interface ScanList {
  readonly scans: readonly ListedScan[];
  /** False if the project has older scans that are not in this list. */
  readonly complete: boolean;
}
