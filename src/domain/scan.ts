/** Terminal are exactly these three values. Every other value means "still running". */
export type TerminalStatus = 'COMPLETED' | 'FAILED' | 'CANCELLED';

const TERMINAL: ReadonlySet<string> = new Set(['COMPLETED', 'FAILED', 'CANCELLED']);

export function isTerminal(status: string): status is TerminalStatus {
  return TERMINAL.has(status);
}

/** What the service shows of a scan's progress; a member it does not show is undefined. */
export interface ScanProgress {
  readonly phasesCompleted: number | undefined;
  readonly phasesTotal: number | undefined;
  /** 0..1: each phase counts by its share of the budget; not a time estimate. */
  readonly weighted: number | undefined;
  /** Whole credits reserved for the scan. */
  readonly reservedCredits: number | undefined;
}

/** The guidance of a scan: where it is from, or a text whose origin is not shown. */
export type ShownGuidance =
  | { readonly from: 'nowhere' | 'repository' | 'launch' }
  /** `hash`: SHA-256 of the text, hexadecimal. */
  | { readonly from: 'unknown'; readonly hash: string };

/** In place of the key of an audit area. No area has an empty key. */
export const UNKNOWN_AREA = '';

/** A scan as the service shows it. What it does not show is undefined: "cannot tell", never "different". */
export interface Scan {
  readonly id: string;
  /** The service's word, upper case; open but for the terminal three. */
  readonly status: string;
  readonly repositoryId: string | undefined;
  readonly presetRef: string | undefined;
  /** Null: it is shown to have none, as a full scan. */
  readonly baseSha: string | null | undefined;
  readonly headSha: string | undefined;
  /** Whole credits. */
  readonly creditBudget: number | undefined;
  /** Keys of the audit areas that scope the scan, `UNKNOWN_AREA` for one that cannot be read; empty: none does. */
  readonly areas: readonly string[] | undefined;
  readonly guidance: ShownGuidance | undefined;
  /** ISO 8601, as the service wrote it. */
  readonly createdAt: string | undefined;
  readonly progress: ScanProgress;
}

/** The answer to an accepted launch. It can name ids of other things too, such as an id of the launch itself. */
export interface LaunchedScan {
  /** The likeliest id of the scan. */
  readonly scanId: string;
  /** The other ids that the answer names, the likeliest first. */
  readonly otherIds: readonly string[];
  /** When the service accepted the launch, by its clock; undefined where the answer does not say. */
  readonly acceptedAt?: Date | undefined;
}

/** A scan as the list shows it; of its items nothing is documented, so that even id and status may be missing. */
export interface ListedScan extends Omit<Scan, 'id' | 'status' | 'progress'> {
  readonly id: string | undefined;
  readonly status: string | undefined;
}

/** The newest scans of a project, most recent first. */
export interface ScanList {
  readonly scans: readonly ListedScan[];
  /** False: there are older scans that are not among them. */
  readonly complete: boolean;
}
