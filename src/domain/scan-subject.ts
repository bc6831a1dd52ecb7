import type { Scan } from './scan.ts';
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
  return id.length >= SHORTEST && expected.startsWith(id) ? 'cannot-tell' : 'different';
}

/** Git's shortest abbreviation by default: of fewer digits nothing is known. */
const SHORTEST = 7;

/** The commit id as it is shown, in lower case; undefined where it is not as long as the ids of this repository are. */
export function shownInFull(shown: string | undefined, expected: string): string | undefined {
  if (shown === undefined) return undefined;
  const id = shown.toLowerCase();
  return isCommitId(id) && id.length === expected.length ? id : undefined;
}

/** Likewise for the base. A full scan has none, and shows none. */
export function matchBase(shown: string | undefined, expected: string | undefined): Match {
  if (expected !== undefined) return matchCommit(shown, expected);
  return shown === undefined ? 'same' : 'different';
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
>;

/**
 * Is this scan of this subject? Everything has to be shown and equal, commits in full: another user of the project can
 * launch the same change with fewer areas, other guidance or a smaller budget. Pure.
 */
export function matchScan(scan: ShownScan, subject: ScanSubject): Match {
  const members: readonly Match[] = [
    matchBase(scan.baseSha, subject.baseSha),
    matchCommit(scan.headSha, subject.headSha),
    matchShown(scan.repositoryId, subject.repositoryId),
    matchShown(scan.presetRef, subject.presetRef),
    // Without a budget of its own a launch gets the least that there is.
    subject.creditBudget === undefined ? 'same' : matchShown(scan.creditBudget, subject.creditBudget),
    matchAreas(scan.areas, subject.areas),
    matchGuidance(scan.guidance, subject.guidance),
  ];
  if (members.includes('different')) return 'different';
  return members.find((member) => member !== 'same') ?? 'same';
}

function matchShown<T>(shown: T | undefined, expected: T): Match {
  if (shown === undefined) return 'cannot-tell';
  return shown === expected ? 'same' : 'different';
}

function matchAreas(shown: readonly string[] | undefined, expected: readonly string[]): Match {
  if (shown === undefined) return 'cannot-tell';
  // As sets: a key that is listed twice takes the place of another one.
  const same =
    expected.every((area) => shown.includes(area)) && shown.every((area) => expected.includes(area));
  return same ? 'same' : 'different';
}

function matchGuidance(shown: Scan['guidance'], expected: string | undefined): Match {
  if (shown === undefined) return 'cannot-tell';
  switch (shown.from) {
    case 'nowhere':
    case 'repository':
      return expected === undefined ? 'same' : 'different';
    case 'launch':
      return expected === undefined ? 'different' : 'cannot-tell';
    case 'unknown':
      // Without guidance of our own the text can be the repository's.
      if (expected === undefined) return 'cannot-tell';
      return shown.hash === expected ? 'same' : 'different';
  }
}
