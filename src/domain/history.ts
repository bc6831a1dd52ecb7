import { createHash } from 'node:crypto';
import { type Finding, SEVERITY_LEVELS } from './finding.ts';
import type { FindingGroups } from './verdict.ts';

/** The properties by which a finding is recognized in a later scan. */
export interface FindingTraits {
  /** A short hash of the service's id. Undefined if the service gave no id. */
  readonly id: string | undefined;
  /** A short hash of severity, title and file. It ignores line numbers, because they change with every push. */
  readonly fingerprint: string;
  readonly level: Finding['severity']['level'];
  /** The service's label. Empty if the label does not have the usual form. */
  readonly label: string;
}

/** A finding that an earlier run reported. The form is short, so that hundreds of findings fit into a comment. */
export interface KnownFinding extends FindingTraits {
  /** True if the finding blocked when it was reported. */
  readonly blocks: boolean;
}

/**
 * This length in base64url holds 48 bits. Two of 500 findings have the same hash with a probability of about 1 in 2
 * billion.
 */
const HASH_LENGTH = 8;
const LABEL = /^[\w-]{1,12}$/;

export function traitsOf({ id, severity, title, location, label }: Finding): FindingTraits {
  return {
    id: id === undefined ? undefined : shortHash(['id', id]),
    fingerprint: shortHash([severity.level, title, location?.path ?? '']),
    level: severity.level,
    label: LABEL.test(label) ? label : '',
  };
}

function shortHash(values: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, HASH_LENGTH);
}

/** The findings that were reported for one head of a pull request. */
export interface ReportedHead {
  readonly head: string;
  /** Worst first. If there were more than `MOST_KNOWN`, the findings that block come first. */
  readonly findings: readonly KnownFinding[];
  /** False if `findings` lacks some findings of `head`. It is then unknown which findings of the next head are new. */
  readonly complete: boolean;
}

/** The findings that were reported for the last scanned head of a pull request, and for the head before it. */
export interface FindingHistory extends ReportedHead {
  /** Undefined if no earlier head was scanned. */
  readonly before: ReportedHead | undefined;
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
  return {
    head,
    findings,
    complete: findings.length === reported.length,
    before: before && cutTo(MOST_KNOWN - findings.length, before),
  };
}

function cutTo(most: number, { head, findings, complete }: ReportedHead): ReportedHead {
  return { head, findings: findings.slice(0, most), complete: complete && findings.length <= most };
}

function headBefore(history: FindingHistory, head: string): ReportedHead | undefined {
  return history.head === head ? history.before : history;
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

const NO_ID = '.'.repeat(HASH_LENGTH);

/** Writes the history as visible ASCII without `;`, `/` and `>`. */
export function writeHistory(history: FindingHistory): string {
  const heads = history.before === undefined ? [history] : [history, history.before];
  return heads
    .flatMap(({ head, complete, findings }) => [head, Number(complete), findings.map(write).join()])
    .join(':');
}

/** Reads what `writeHistory` has written. The caller has checked its signature. */
export function readHistory(text: string): FindingHistory {
  const values = text.split(':');
  const headAt = (place: number): ReportedHead => {
    const [head = '', complete, findings = ''] = values.slice(place);
    return { head, complete: complete === '1', findings: findings.split(',').filter(Boolean).map(read) };
  };
  return { ...headAt(0), before: values.length > 3 ? headAt(3) : undefined };
}

/** Writes one finding. The first character is the severity. It is in upper case if the finding blocked. */
function write({ id = NO_ID, fingerprint, level, label, blocks }: KnownFinding): string {
  const letter = level.charAt(0);
  return `${blocks ? letter.toUpperCase() : letter}${id}${fingerprint}${label}`;
}

function read(entry: string): KnownFinding {
  const letter = entry.charAt(0);
  const small = letter.toLowerCase();
  const id = entry.slice(1, 1 + HASH_LENGTH);
  return {
    level: SEVERITY_LEVELS.find((level) => level.startsWith(small)) ?? 'unknown',
    id: id === NO_ID ? undefined : id,
    fingerprint: entry.slice(1 + HASH_LENGTH, 1 + 2 * HASH_LENGTH),
    label: entry.slice(1 + 2 * HASH_LENGTH),
    blocks: letter !== small,
  };
}
