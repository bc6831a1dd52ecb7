import type { LaunchIntent, WantedScan } from '../domain/launch-intent.ts';
import { type ListedScan, type Scan, type ScanList, sameCommit } from '../domain/scan.ts';

/** What the new scans of the list say about a launch whose answer was lost. */
export interface Undecided {
  readonly kind: 'undecided';
  /** `unreadable`: there is no list. `not-noted`: which scans are new is not known. */
  readonly why: 'none' | 'several' | 'cannot-tell' | 'unreadable' | 'not-noted';
  /** The scans that came into question. */
  readonly ids: readonly string[];
}

const SUBJECT = ['repositoryId', 'presetRef', 'baseCommit', 'commit'] as const;
type Subject = Pick<Scan, (typeof SUBJECT)[number]>;

/** The ids of the newest scans; undefined where one has none that can be read: then none can be called new later. */
export function notedIds({ scans }: ScanList): readonly string[] | undefined {
  const ids = scans.flatMap(({ id }) => id ?? []);
  return ids.length === scans.length ? ids : undefined;
}

/** The scans that were not there before the launch, or of which that cannot be told. */
export function newScans({ scans }: ScanList, { noted }: LaunchIntent): readonly ListedScan[] {
  const known = new Set<string | undefined>(noted);
  return scans.filter(({ id }) => !known.has(id));
}

/** May the scan be what was wanted, and is there something about it that was not shown? */
export function showsTooLittle(shown: Subject, wanted: WantedScan): boolean {
  const hidden = SUBJECT.some((member) => wanted[member] !== undefined && shown[member] === undefined);
  return hidden && isSame(shown, wanted) !== false;
}

/**
 * Is exactly one new scan what was wanted? Pure. A scan counts as that when commit or base are shown and equal, and
 * nothing that is shown differs; what is not shown differs from nothing and proves nothing.
 * @param details of the scans of which the list shows too little, as far as they could be read
 */
export function judgeNewScans(
  list: ScanList,
  details: ReadonlyMap<string, Scan>,
  intent: LaunchIntent,
): Undecided | { readonly kind: 'found'; readonly scanId: string } {
  const undecided = (why: Undecided['why'], scans: readonly ListedScan[]): Undecided => {
    return { kind: 'undecided', why, ids: scans.flatMap(({ id }) => id ?? []) };
  };
  const { wanted } = intent;
  const candidates = newScans(list, intent);
  const inQuestion = candidates.filter((scan) => isSame(withDetail(scan, details), wanted) !== false);
  const same = inQuestion.filter((scan) => isSame(withDetail(scan, details), wanted) === true);
  if (intent.noted === undefined) return undecided('not-noted', same);
  if (same.length > 1) return undecided('several', inQuestion);

  // A full page of new scans may hide others behind it.
  const wholeView = list.complete || candidates.length < list.scans.length;
  if (inQuestion.length === 0 && wholeView) return undecided('none', inQuestion);
  const [only] = same;
  const alone = inQuestion.length === 1 && wholeView && only !== undefined && isKnown(only, details, wanted);
  return alone ? { kind: 'found', scanId: only.id } : undecided('cannot-tell', inQuestion);
}

/** Everything there is to see of it was seen. */
function isKnown(
  scan: ListedScan,
  details: ReadonlyMap<string, Scan>,
  wanted: WantedScan,
): scan is ListedScan & { readonly id: string } {
  return scan.id !== undefined && (details.has(scan.id) || !showsTooLittle(scan, wanted));
}

function withDetail(scan: ListedScan, details: ReadonlyMap<string | undefined, Scan>): Subject {
  const detail = details.get(scan.id);
  return {
    repositoryId: scan.repositoryId ?? detail?.repositoryId,
    presetRef: scan.presetRef ?? detail?.presetRef,
    baseCommit: scan.baseCommit ?? detail?.baseCommit,
    commit: scan.commit ?? detail?.commit,
  };
}

/** Undefined where it cannot be told. */
function isSame(shown: Subject, wanted: WantedScan): boolean | undefined {
  const commits = [sameCommit(shown.baseCommit, wanted.baseCommit), sameCommit(shown.commit, wanted.commit)];
  const words = [
    sameWord(shown.repositoryId, wanted.repositoryId),
    sameWord(shown.presetRef, wanted.presetRef),
  ];
  if ([...commits, ...words].includes(false)) return false;
  return commits.includes(true) ? true : undefined;
}

/** Undefined where one side does not say. */
function sameWord(a: string | undefined, b: string | undefined): boolean | undefined {
  return a === undefined || b === undefined ? undefined : a === b;
}
