import { type Scan, UNKNOWN_AREA } from './scan.ts';
import { type CommitRange, isCommitId } from './target.ts';

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
