import type { Finding } from './finding.ts';
import { type KnownFinding, traitsOf } from './known-finding.ts';
import type { FindingGroups } from './verdict.ts';

/** The findings that were reported for the last scanned head of a pull request, and for the head before it. */
export interface FindingHistory {
  readonly head: string;
  /** Undefined if no earlier head was scanned. */
  readonly previousHead: string | undefined;
  /**
   * The findings that were reported for `head`, worst first. If there were more than `MOST_KNOWN`, the findings that
   * block come first.
   */
  readonly findings: readonly KnownFinding[];
  /** The findings that were reported for `previousHead`. */
  readonly previous: readonly KnownFinding[];
  /** False if `findings` lacks some findings of `head`. It is then unknown which findings of the next head are new. */
  readonly complete: boolean;
  readonly previousComplete: boolean;
}

/** What happened to the findings since the previous head. Each finding is in at most one list. */
export interface SinceLastPush {
  readonly comparedWith: string;
  /**
   * The reported findings that the previous head did not have. Undefined if the history lacks some findings of the
   * previous head.
   */
  readonly fresh: readonly Finding[] | undefined;
  readonly stillOpen: readonly Finding[];
  readonly triaged: readonly Finding[];
  /** Findings that are open, but now below the threshold. */
  readonly below: readonly Finding[];
  /** Open findings in files of `paths-exempt`. */
  readonly exempt: readonly Finding[];
  readonly gone: readonly KnownFinding[];
}

/** The most findings that a history keeps for both heads together. Our choice. */
export const MOST_KNOWN = 500;

/**
 * Compares the findings of `head` with those of the previous head. Pairs findings with the same id first. Then pairs
 * the remaining findings by severity, title and file, because ids may change between scans.
 * @param history undefined if no run has left a history
 * @returns undefined if there is nothing to compare with
 */
export function compareFindings(
  history: FindingHistory | undefined,
  head: string,
  { reported, below, exempt, triaged }: FindingGroups,
): SinceLastPush | undefined {
  const before = history && headBefore(history, head);
  if (before === undefined) return undefined;
  const { known, rest } = pairUp([...reported, ...triaged, ...below, ...exempt], before.findings);
  const seen = (finding: Finding) => known.has(finding);
  return {
    comparedWith: before.head,
    fresh: before.complete ? reported.filter((finding) => !seen(finding)) : undefined,
    stillOpen: reported.filter(seen),
    triaged: triaged.filter(seen),
    below: below.filter(seen),
    exempt: exempt.filter(seen),
    gone: rest,
  };
}

/**
 * The history for the next run. All runs for the same head keep the same previous head, so that they compare with the
 * same findings.
 */
export function nextHistory(
  history: FindingHistory | undefined,
  head: string,
  { reported, blocking }: FindingGroups,
): FindingHistory {
  const before = history && headBefore(history, head);
  const blocks = new Set(blocking);
  // The findings that block are kept first, because the triage action checks whether they were triaged.
  const kept =
    reported.length > MOST_KNOWN
      ? [...blocking, ...reported.filter((finding) => !blocks.has(finding))]
      : reported;
  const findings = kept
    .slice(0, MOST_KNOWN)
    .map((finding) => ({ ...traitsOf(finding), blocks: blocks.has(finding) }));
  const previous = before?.findings.slice(0, MOST_KNOWN - findings.length) ?? [];
  return {
    head,
    previousHead: before?.head,
    findings,
    previous,
    complete: findings.length === reported.length,
    previousComplete: before === undefined || (before.complete && previous.length === before.findings.length),
  };
}

function headBefore(history: FindingHistory, head: string) {
  if (history.head !== head)
    return { head: history.head, findings: history.findings, complete: history.complete };
  return history.previousHead === undefined
    ? undefined
    : { head: history.previousHead, findings: history.previous, complete: history.previousComplete };
}

/**
 * Pairs findings with the findings of the previous head (`before`). `known` has the findings that have a pair. `rest`
 * has the findings of the previous head that have no pair.
 */
function pairUp(findings: readonly Finding[], before: readonly KnownFinding[]) {
  const rest = [...before];
  const known = new Set<Finding>();
  const take = (finding: Finding, isSame: (other: KnownFinding) => boolean) => {
    const index = rest.findIndex(isSame);
    if (index < 0) return;
    rest.splice(index, 1);
    known.add(finding);
  };
  for (const finding of findings) {
    const { id } = traitsOf(finding);
    if (id !== undefined) take(finding, (other) => other.id === id);
  }
  for (const finding of findings) {
    const { fingerprint } = traitsOf(finding);
    if (!known.has(finding)) take(finding, (other) => other.fingerprint === fingerprint);
  }
  return { known, rest };
}
