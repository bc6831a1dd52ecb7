/** Terminal is exactly these three words; every other word of the service means "still running". */
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

/** A scan as the service shows it. What it does not show is undefined: "cannot tell", never "different". */
export interface Scan {
  readonly id: string;
  /** The service's word, upper case; open but for the terminal three. */
  readonly status: string;
  readonly repositoryId: string | undefined;
  readonly presetRef: string | undefined;
  readonly baseCommit: string | undefined;
  readonly commit: string | undefined;
  /** ISO 8601, as the service wrote it. */
  readonly createdAt: string | undefined;
  readonly progress: ScanProgress;
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

/**
 * Do two commit ids name the same commit? One may be abbreviated (7 characters or more).
 * Undefined means that one of them is not known: cannot tell.
 */
export function sameCommit(a: string | undefined, b: string | undefined): boolean | undefined {
  if (a === undefined || b === undefined) return undefined;
  const [short, long] =
    a.length <= b.length ? [a.toLowerCase(), b.toLowerCase()] : [b.toLowerCase(), a.toLowerCase()];
  return short === long || (short.length >= 7 && long.startsWith(short));
}
