/** Exactly these three values are terminal. Every other value means "still running". */
export type TerminalStatus = 'COMPLETED' | 'FAILED' | 'CANCELLED';

const TERMINAL: ReadonlySet<string> = new Set(['COMPLETED', 'FAILED', 'CANCELLED']);

export function isTerminal(status: string): status is TerminalStatus {
  return TERMINAL.has(status);
}

/** The progress of a scan. A member that the service does not show is undefined. */
export interface ScanProgress {
  readonly phasesCompleted: number | undefined;
  readonly phasesTotal: number | undefined;
  /** 0 to 1. Each phase counts by its share of the budget; this does not estimate the time. */
  readonly weighted: number | undefined;
  /** Whole credits reserved for the scan. */
  readonly reservedCredits: number | undefined;
}

/** The guidance of a scan: its source, or only its hash if the source is not shown. */
export type ShownGuidance =
  | { readonly from: 'nowhere' | 'repository' | 'launch' }
  /** `hash`: SHA-256 of the text, hexadecimal. */
  | { readonly from: 'unknown'; readonly hash: string };

/** Replaces the key of an audit area that cannot be read. No area has an empty key. */
export const UNKNOWN_AREA = '';

/**
 * A scan as the service shows it. A member that it does not show is undefined. That means "not known", never
 * "different".
 */
export interface Scan {
  readonly id: string;
  /** The service's word in upper case. All values but the terminal three are open. */
  readonly status: string;
  readonly repositoryId: string | undefined;
  readonly presetRef: string | undefined;
  /** Null: the service shows that there is none, as for a full scan. */
  readonly baseSha: string | null | undefined;
  readonly headSha: string | undefined;
  /** Whole credits. */
  readonly creditBudget: number | undefined;
  /**
   * Keys of the audit areas that the scan is limited to, with `UNKNOWN_AREA` for one that cannot be read; empty: it is
   * not limited.
   */
  readonly areas: readonly string[] | undefined;
  readonly guidance: ShownGuidance | undefined;
  /** ISO 8601, as the service wrote it. */
  readonly createdAt: string | undefined;
  readonly progress: ScanProgress;
}

/** The answer to an accepted launch. It can contain other ids too, such as one for the launch itself. */
export interface LaunchedScan {
  /** The id that is most likely the scan's. */
  readonly scanId: string;
  /** The other ids in the answer, the likeliest first. */
  readonly otherIds: readonly string[];
  /** When the service accepted the launch, by its own clock; undefined if the answer does not show it. */
  readonly acceptedAt?: Date | undefined;
}

/** A scan in the list. The items are not documented, so even id and status may be missing. */
export interface ListedScan extends Omit<Scan, 'id' | 'status' | 'progress'> {
  readonly id: string | undefined;
  readonly status: string | undefined;
}

/** The newest scans of a project, most recent first. */
export interface ScanList {
  readonly scans: readonly ListedScan[];
  /** False: there are older scans that the list does not contain. */
  readonly complete: boolean;
}
