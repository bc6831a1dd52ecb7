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
  /** True if the launch sends fields that a scan does not show. Such a field can narrow the scan. */
  readonly sendsMore?: boolean | undefined;
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
export function matchBase(shown: string | null | undefined, expected: string | undefined): Match {
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
 * Whether a new scan is the scan of a launch.
 * - `different`: a value of the scan proves that it is not.
 * - `cannot-tell`: no value proves a difference, but the base, the commit or the scope cannot be compared in full.
 * - `scope-hidden`: base and commit are equal, but the scan does not show whether its scope is narrower.
 * - `same`: the scan shows the base, the commit, the audit areas and the guidance that the launch sent.
 */
export type ScanMatch = Match | 'scope-hidden';

/** Compares a scan with what a launch asked for. Pure. */
export function matchScan(scan: ShownScan, subject: ScanSubject): ScanMatch {
  const { presetRef, creditBudget, sendsMore = false } = subject;
  const commits = [matchBase(scan.baseSha, subject.baseSha), matchCommit(scan.headSha, subject.headSha)];
  const scope = [matchAreas(scan.areas, subject.areas), matchGuidance(scan.guidance, subject.guidance)];
  if (commits.includes('different')) return 'different';
  const differs =
    scope.includes('different') ||
    isOther(scan.repositoryId, subject.repositoryId) ||
    isOther(scan.presetRef, presetRef) ||
    // If the launch set no budget, the service chose the budget, and nothing can be compared.
    (creditBudget !== undefined && budgetsOf(scan).some((shown) => isOther(shown, creditBudget)));
  // If the launch sends fields that are not compared, such a field may have caused the difference.
  if (differs) return sendsMore ? 'cannot-tell' : 'different';
  const isUnclear = [...commits, ...scope].includes('cannot-tell');
  if (isUnclear || mayBeDiff(scan)) return 'cannot-tell';
  return scope.includes('scope-hidden') || sendsMore ? 'scope-hidden' : 'same';
}

/** True if the value is shown and differs. */
function isOther<T>(shown: T | undefined, expected: T): boolean {
  return shown !== undefined && shown !== expected;
}

/** All budgets that the scan shows. A reservation of 0 was released, and does not show the budget. */
function budgetsOf({ creditBudget, progress }: ShownScan): readonly (number | undefined)[] {
  return [creditBudget, progress?.reservedCredits || undefined];
}

/** True if the scan shows neither a preset nor a base. It may then be a diff scan. */
function mayBeDiff({ baseSha, presetRef }: ShownScan): boolean {
  return baseSha === undefined && presetRef === undefined;
}

function matchAreas(shown: readonly string[] | undefined, expected: readonly string[]): ScanMatch {
  if (shown === undefined) return 'scope-hidden';
  if (shown.includes(UNKNOWN_AREA) && expected.length > 0) return 'cannot-tell';
  // The order of the keys does not matter. Each key must be in both lists.
  const same =
    expected.every((area) => shown.includes(area)) && shown.every((area) => expected.includes(area));
  return same ? 'same' : 'different';
}

/** The SHA-256 of the empty text. A launch that sends an empty text has no guidance. */
const EMPTY_TEXT = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

function matchGuidance(shown: Scan['guidance'], expected: string | undefined): ScanMatch {
  if (shown === undefined) return 'scope-hidden';
  switch (shown.from) {
    case 'nowhere':
      return expected === undefined || expected === EMPTY_TEXT ? 'same' : 'different';
    case 'repository':
      return expected === undefined ? 'same' : 'different';
    case 'launch':
      return expected === undefined ? 'different' : 'scope-hidden';
    case 'unknown':
      // If this launch sent no guidance, the hash proves nothing. The text can be the guidance that the service stores,
      // or the guidance of a different launch.
      if (expected === undefined) return 'cannot-tell';
      return shown.hash === expected ? 'same' : 'different';
  }
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

/** A number: either exact, or a lower bound. */
export interface Tally {
  readonly count: number;
  readonly atLeast: boolean;
}

/**
 * The credits and launches of one pull request so far. Every launch counts once. The service also charges for the work
 * of scans that failed or were cancelled. A run that reuses a scan adds nothing.
 */
export interface PullRequestCost {
  /** Whole credits, as the launches reserved them. */
  readonly credits: Tally;
  readonly scans: Tally;
}
