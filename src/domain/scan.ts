import { type CommitRange, isCommitId } from './target.ts';

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

/** The answer to an accepted launch. */
export interface LaunchedScan {
  readonly scanId: string;
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
  /** When the service answered, by its own clock. Undefined if the answer does not show the time. */
  readonly readAt?: Date | undefined;
}

/** The repository, the commits, the preset and the budget that a run chose for a launch. */
export interface ChosenScan extends CommitRange {
  readonly repositoryId: string;
  readonly presetRef: string;
  /** In whole credits. Undefined if the service chooses the minimum. */
  readonly creditBudget?: number | undefined;
}

/** Everything that one launch asks for. */
export interface ScanSubject extends ChosenScan {
  /**
   * The keys of the audit areas to which the launch limits the scan. If the list is empty, the scan covers the whole
   * change.
   */
  readonly areas: readonly string[];
  /** The SHA-256 of the guidance text, hexadecimal. Undefined if the launch sends no guidance. */
  readonly guidance?: string | undefined;
}

/** `cannot-tell`: no shown value differs, but a required value is not shown in full. */
export type Match = 'same' | 'different' | 'cannot-tell';

/**
 * Compares the commit id that the service shows with a full id. An abbreviated id can only prove a difference. In a
 * SHA-256 repository, an id of 40 digits is abbreviated.
 */
export function matchCommit(shown: string | undefined, expected: string): Match {
  if (shown === undefined) return 'cannot-tell';
  const id = shown.toLowerCase();
  if (id === expected) return 'same';
  return expected.startsWith(id) ? 'cannot-tell' : 'different';
}

/**
 * Returns the shown commit id in lower case. Undefined if it is not a full id. `expected` is a full id of the same
 * repository.
 */
export function shownInFull(shown: string | undefined, expected: string): string | undefined {
  if (shown === undefined) return undefined;
  const id = shown.toLowerCase();
  return isCommitId(id) && id.length === expected.length ? id : undefined;
}

/**
 * Compares the base that a scan shows with the expected base. `expected` is undefined for a full scan. The result is
 * then `same` if the scan shows no base.
 */
function matchBase(shown: string | null | undefined, expected: string | undefined): Match {
  if (expected !== undefined) return matchCommit(shown ?? undefined, expected);
  return shown == null ? 'same' : 'different';
}

/**
 * True if the scan shows a different commit or base. It is then not a scan of this change, even if our mark names it.
 */
export function showsOtherChange(
  scan: Pick<Scan, 'baseSha' | 'headSha'>,
  { baseSha, headSha }: CommitRange,
): boolean {
  return (
    matchCommit(scan.headSha, headSha) === 'different' || matchBase(scan.baseSha, baseSha) === 'different'
  );
}

type ShownScan = Pick<
  Scan,
  'repositoryId' | 'presetRef' | 'baseSha' | 'headSha' | 'creditBudget' | 'areas' | 'guidance'
> & { readonly progress?: Scan['progress'] };

/**
 * Compares a scan with what a launch asked for. Pure.
 * @returns `same` if the scan shows base and commit in full, and shows nothing that differs from the launch; `different`
 * if a value differs
 */
export function matchLaunch(scan: ShownScan, subject: ScanSubject): Match {
  const { presetRef, creditBudget } = subject;
  const commits = [matchBase(scan.baseSha, subject.baseSha), matchCommit(scan.headSha, subject.headSha)];
  const differs =
    commits.includes('different') ||
    isOther(scan.repositoryId, subject.repositoryId) ||
    isOther(scan.presetRef, presetRef) ||
    // If the launch set no budget, the service chose the budget, and nothing can be compared.
    (creditBudget !== undefined && budgetsOf(scan).some((shown) => isOther(shown, creditBudget))) ||
    differsInAreas(scan.areas, subject.areas) ||
    differsInGuidance(scan.guidance, subject.guidance);
  if (differs) return 'different';
  return commits.includes('cannot-tell') ? 'cannot-tell' : 'same';
}

/** True if the value is shown and differs. */
function isOther<T>(shown: T | undefined, expected: T): boolean {
  return shown !== undefined && shown !== expected;
}

/** All budgets that the scan shows. A reservation of 0 was released, and does not show the budget. */
function budgetsOf({ creditBudget, progress }: ShownScan): readonly (number | undefined)[] {
  return [creditBudget, progress?.reservedCredits || undefined];
}

/** True if the shown areas differ. The order of the keys does not matter. A key that cannot be read proves nothing. */
function differsInAreas(shown: readonly string[] | undefined, expected: readonly string[]): boolean {
  if (shown === undefined || (shown.includes(UNKNOWN_AREA) && expected.length > 0)) return false;
  return !(expected.every((area) => shown.includes(area)) && shown.every((area) => expected.includes(area)));
}

/** The SHA-256 of the empty text. A launch that sends an empty text has no guidance. */
const EMPTY_TEXT = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

function differsInGuidance(shown: Scan['guidance'], expected: string | undefined): boolean {
  switch (shown?.from) {
    case undefined:
      return false;
    case 'nowhere':
      return expected !== undefined && expected !== EMPTY_TEXT;
    case 'repository':
      return expected !== undefined;
    case 'launch':
      return expected === undefined;
    case 'unknown':
      // Without guidance in the launch, the text can be the guidance that the service stores.
      return expected !== undefined && shown.hash !== expected;
  }
}

/** The scans that existed before a launch. */
export interface ScansBefore {
  readonly ids: readonly string[];
  /** False if there are scans whose ids are not in `ids`. */
  readonly complete: boolean;
  /** When the service listed them, by its own clock, in milliseconds since the epoch. Undefined if it is not known. */
  readonly readAt?: number | undefined;
}

/**
 * The description of a launch. A run saves it before it sends the launch. If no answer arrives, the description shows
 * which scan was launched.
 */
export interface PendingLaunch {
  readonly projectId: string;
  readonly headSha: string;
  /** Undefined if the event has no pull request. */
  readonly pullRequest?: number | undefined;
  /** Undefined if it was too large to be saved. No scan is then proven to be new. */
  readonly before?: ScansBefore | undefined;
  /**
   * What the launch asks for. Undefined if it was too large to be saved. The scan of the launch then cannot be
   * recognized.
   */
  readonly subject?: ScanSubject | undefined;
}

/** A launch that was saved in full, so that its scan can be recognized. */
export type SavedLaunch = PendingLaunch & { readonly before: ScansBefore; readonly subject: ScanSubject };

/** The ids by which the service names a scan. */
export interface NamedScan {
  readonly projectId: string;
  readonly scanId: string;
}

/** What a run knows about its scan, and what the report shows of it. */
export interface ScanFacts {
  readonly scanId?: string | undefined;
  /**
   * The last scan status that the run read or caused, in upper case. Undefined if there is no scan, or if its status is
   * not known.
   */
  readonly scanStatus?: string | undefined;
  /** True if another run launched the scan. */
  readonly reused?: boolean;
  /** The head SHA of the scan. Set only if the scan is of another commit with the same files. */
  readonly sameFilesAs?: string | undefined;
  /** In whole credits. */
  readonly creditsReserved?: number | undefined;
  /**
   * What the pull request has cost, in whole credits. A lower bound: other jobs may have launched more. Undefined if the
   * event has no pull request, or if the marks of earlier scans were not read.
   */
  readonly creditsPullRequest?: number | undefined;
  /** False if the service does not show the full head SHA of the scan. */
  readonly commitConfirmed?: boolean | undefined;
  /** False if the service does not show the full base SHA of the scan. Undefined for a full scan. */
  readonly baseConfirmed?: boolean | undefined;
}
