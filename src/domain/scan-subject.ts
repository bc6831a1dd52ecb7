import { type Scan, UNKNOWN_AREA } from './scan.ts';
import { type CommitRange, isCommitId } from './target.ts';

/** What a run chooses for the scan of its change. */
export interface ChosenScan extends CommitRange {
  readonly repositoryId: string;
  readonly presetRef: string;
  /** Whole credits; undefined: the service applies its own floor. */
  readonly creditBudget?: number | undefined;
}

/** What one launch asks to be scanned, and with what. */
export interface ScanSubject extends ChosenScan {
  /** Keys of audit areas; empty: the whole change. */
  readonly areas: readonly string[];
  /** SHA-256 of the guidance text, hexadecimal; undefined: none was sent. */
  readonly guidance?: string | undefined;
  /** The launch sends fields besides these, which no scan shows: they can narrow it. */
  readonly sendsMore?: boolean | undefined;
}

/** `cannot-tell`: nothing that is shown differs, and something that has to be shown is missing. */
export type Match = 'same' | 'different' | 'cannot-tell';

/**
 * Compares a commit id that was shown with a full one. An abbreviated id contradicts where its digits differ, and never
 * proves. Where ids have 64 digits, one of 40 is abbreviated.
 */
export function matchCommit(shown: string | undefined, expected: string): Match {
  if (shown === undefined) return 'cannot-tell';
  const id = shown.toLowerCase();
  if (id === expected) return 'same';
  return expected.startsWith(id) ? 'cannot-tell' : 'different';
}

/** The commit id as it is shown, in lower case; undefined where it is not as long as the ids of this repository are. */
export function shownInFull(shown: string | undefined, expected: string): string | undefined {
  if (shown === undefined) return undefined;
  const id = shown.toLowerCase();
  return isCommitId(id) && id.length === expected.length ? id : undefined;
}

/** Likewise for the base. A full scan has none, and shows null or nothing. */
export function matchBase(shown: string | null | undefined, expected: string | undefined): Match {
  if (expected !== undefined) return matchCommit(shown ?? undefined, expected);
  return shown == null ? 'same' : 'different';
}

/** Does the scan show another commit or base? It is then no scan of this change, whatever names it. */
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
 * Does a new scan show itself to be that of one launch?
 * `different`: something that it shows differs.
 * `cannot-tell`: nothing differs, but it does not show base and commit in full, or shows a scope that cannot be compared.
 * `scope-hidden`: base and commit are equal in full and nothing differs, but what narrows a scan is not shown.
 * `same`: audit areas and guidance are shown too, as they were sent.
 */
export type ScanMatch = Match | 'scope-hidden';

/** How a launch of this subject shows in a scan. Pure. */
export function matchScan(scan: ShownScan, subject: ScanSubject): ScanMatch {
  const { presetRef, creditBudget, sendsMore = false } = subject;
  const commits = [matchBase(scan.baseSha, subject.baseSha), matchCommit(scan.headSha, subject.headSha)];
  const scope = [matchAreas(scan.areas, subject.areas), matchGuidance(scan.guidance, subject.guidance)];
  if (commits.includes('different')) return 'different';
  const differs =
    scope.includes('different') ||
    isOther(scan.repositoryId, subject.repositoryId) ||
    isOther(scan.presetRef, presetRef) ||
    // Without a budget of its own a launch gets the least that there is.
    (creditBudget !== undefined && budgetsOf(scan).some((shown) => isOther(shown, creditBudget)));
  // A field of another name can have set what differs.
  if (differs) return sendsMore ? 'cannot-tell' : 'different';
  const isUnclear = [...commits, ...scope].includes('cannot-tell');
  if (isUnclear || mayBeDiff(scan)) return 'cannot-tell';
  return scope.includes('scope-hidden') || sendsMore ? 'scope-hidden' : 'same';
}

/** What is not shown is no other value. */
function isOther<T>(shown: T | undefined, expected: T): boolean {
  return shown !== undefined && shown !== expected;
}

/** All that is shown. A reservation of 0 is one that was released. */
function budgetsOf({ creditBudget, progress }: ShownScan): readonly (number | undefined)[] {
  return [creditBudget, progress?.reservedCredits || undefined];
}

/** A full scan proves itself by its preset, or by showing that it has no base. */
function mayBeDiff({ baseSha, presetRef }: ShownScan): boolean {
  return baseSha === undefined && presetRef === undefined;
}

function matchAreas(shown: readonly string[] | undefined, expected: readonly string[]): ScanMatch {
  if (shown === undefined) return 'scope-hidden';
  if (shown.includes(UNKNOWN_AREA) && expected.length > 0) return 'cannot-tell';
  // As sets: a key that is listed twice takes the place of another one.
  const same =
    expected.every((area) => shown.includes(area)) && shown.every((area) => expected.includes(area));
  return same ? 'same' : 'different';
}

/** SHA-256 of the empty text: a launch that sends it is guided by nothing. */
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
      // Without guidance of our own the text can be that of a guidance file, or of another launch.
      if (expected === undefined) return 'cannot-tell';
      return shown.hash === expected ? 'same' : 'different';
  }
}
