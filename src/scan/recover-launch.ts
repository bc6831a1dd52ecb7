import type { Clock } from '../clock.ts';
import { stopCause } from '../domain/result.ts';
import { matchScan, type PendingLaunch, type Scan, type ScanList } from '../domain/scan.ts';
import { inPool } from '../http/pool.ts';
import type { ScanApi } from '../scan-api/client.ts';
import { classify, waitAfterFailure } from '../scan-api/retry.ts';
import { MARKS_SHOWN_MS } from './marks.ts';
import {
  type Found,
  matchNewScans,
  type NoMatch,
  newCandidates,
  readStoredHash,
  withStoredGuidance,
} from './match-new-scans.ts';

/** Our choice: the most scans whose details are read. Each detail takes a request. */
const MOST_DETAILS = 20;
const WIDTH = 4;

/** Reads the first twenty of the scans with these ids, four at a time. Leaves out scans that cannot be read. */
export async function readScanDetails(
  api: Pick<ScanApi, 'scan'>,
  projectId: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Scan>> {
  const details = new Map<string, Scan>();
  await inPool(ids.slice(0, MOST_DETAILS), WIDTH, async (id) => {
    const read = await api.scan(projectId, id, { signal });
    if (read.ok) details.set(id, read.value.scan);
  });
  return details;
}

export interface ListedBeforeDeps {
  readonly api: Pick<ScanApi, 'readScan' | 'guidance'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Reads the scan ids in the proven marks of other changes. Undefined if the marks cannot be read. */
  readonly readClaimedScans: () => Promise<ReadonlySet<string> | undefined>;
}

/**
 * True if the run may use a scan that the launch answer names, although the scan is older than the launch. The scan must
 * show everything that the launch requested. No mark of another change may name it, now or 5 s later.
 */
export async function isAsLaunched(
  { api, clock, signal, readClaimedScans }: ListedBeforeDeps,
  pending: PendingLaunch,
  scanId: string,
): Promise<boolean> {
  const { projectId, subject } = pending;
  const read = await api.readScan(projectId, scanId, { signal });
  if (!read.ok || subject === undefined) return false;
  // A scan that failed or was cancelled has no result, and the launch may have created another scan.
  if (read.value.status === 'CANCELLED' || read.value.status === 'FAILED') return false;
  const storedHash = await readStoredHash(api, pending, [read.value], signal);
  if (matchScan(withStoredGuidance(read.value, storedHash), subject) !== 'same') return false;
  const isUnclaimed = async () => (await readClaimedScans())?.has(scanId) === false;
  if (!(await isUnclaimed())) return false;
  await clock.sleep(MARKS_SHOWN_MS, signal);
  return !signal.aborted && isUnclaimed();
}

/** The first wait is short, because the service usually lists an accepted scan at once. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 10_000;
/** Our choice: twice the longest wait. If the last list was read longer ago, it may lack the newest scans. */
const OLDEST_LAST_LOOK_MS = 2 * LONGEST_WAIT_MS;

export interface RecoveryDeps {
  readonly api: Pick<ScanApi, 'scans' | 'scan' | 'guidance'>;
  readonly clock: Clock;
  readonly random: () => number;
  /** Aborts the search. */
  readonly signal: AbortSignal;
  /** Reads the scan ids in the proven marks of other jobs. Undefined if the marks cannot be read. */
  readonly readClaimedScans: () => Promise<ReadonlySet<string> | undefined>;
}

export type Recovery =
  | Found
  /** `settled` means that a later search would find nothing new. */
  | (NoMatch & { readonly settled: boolean });

/**
 * Looks for the scan of a launch whose answer was lost. Repeats the search until a scan is proven to come from the
 * launch, the signal aborts, or a repetition cannot help. The proof needs two reads of the scan list and the marks, 5 s
 * apart. Both times, exactly one new scan must match, and no mark of another job may name it. Launches nothing.
 */
export async function recoverLaunch(given: RecoveryDeps, pending: PendingLaunch): Promise<Recovery> {
  const { clock, random, signal } = given;
  const deps = { ...given, readClaimedScans: rememberClaims(given.readClaimedScans) };
  let last: NoMatch = { kind: 'no-match', why: 'unreadable', ids: [] };
  let failures = 0;
  let unconfirmed = false;
  let lookedAt = clock.now();
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    const looked = await look(deps, pending);
    if (looked.ok) {
      failures = 0;
      lookedAt = clock.now();
      const match = looked.match.kind === 'found' ? await confirm(deps, pending, looked.match) : looked.match;
      if (match.kind === 'found') return match;
      last = match;
      unconfirmed = looked.match.kind === 'found' && signal.aborted;
    } else if (looked.error.kind !== 'stopped') {
      failures += 1;
      last = { ...last, why: 'unreadable' };
      if (classify(looked.error) === 'definite') break;
    }
    if (pending.knownScanIds === undefined) break;
    await clock.sleep(looked.ok ? wait : waitAfterFailure(looked.error, failures, random), signal);
    if (signal.aborted) break;
  }
  if (last.why === 'none' && clock.now() - lookedAt > OLDEST_LAST_LOOK_MS)
    last = { ...last, why: 'unreadable' };
  return { ...last, settled: !unconfirmed && isSettled(last, pending, signal) };
}

/**
 * Remembers all scans that marks have named. A job that launches a second scan replaces the first scan in its mark. The
 * first scan is still not ours.
 */
function rememberClaims(read: RecoveryDeps['readClaimedScans']): RecoveryDeps['readClaimedScans'] {
  const seen = new Set<string>();
  return async () => {
    const claimed = await read();
    if (claimed === undefined) return undefined;
    for (const scanId of claimed) seen.add(scanId);
    return seen;
  };
}

/**
 * Reads the list and the details once. Also reads the marks if they can change the match. Leaves out scans that a mark
 * names, because they belong to other jobs.
 */
async function look(deps: RecoveryDeps, pending: PendingLaunch) {
  const { api, signal, readClaimedScans } = deps;
  const list = await api.scans(pending.projectId, { signal });
  if (!list.ok) return list;
  const details = await readDetails(deps, list.value, pending);
  const match = matchNewScans(list.value, details, pending);
  if (!mayHideClaims(match)) return { ok: true, match } as const;
  const claimed: ReadonlySet<string | undefined> | undefined = await readClaimedScans();
  const ids = match.kind === 'found' ? [match.scanId] : match.ids;
  if (claimed === undefined) return { ok: true, match: noMatch('marks-unreadable', ids) } as const;
  if (ids.every((id) => claimed.has(id))) return { ok: true, match: noMatch('claimed', ids) } as const;
  // A known scan in the list proves that the list goes back to the time before the launch. A scan of another job does
  // not prove this. So the run removes it from the list, and does not add it to `knownScanIds`.
  const scans = list.value.scans.filter(({ id }) => !claimed.has(id));
  return { ok: true, match: matchNewScans({ ...list.value, scans }, details, pending) } as const;
}

/** True if the match can change when the scans of other jobs are removed from the list. */
function mayHideClaims(match: Found | NoMatch): boolean {
  if (match.kind === 'found') return true;
  return match.why === 'several' || (match.why === 'cannot-tell' && match.ids.length > 1);
}

/**
 * Reads the list and the marks again after a few seconds. Another job may have launched the same change at the same
 * time, and the mark of that job can appear late.
 */
async function confirm(deps: RecoveryDeps, pending: PendingLaunch, found: Found): Promise<Found | NoMatch> {
  const { clock, signal } = deps;
  await clock.sleep(MARKS_SHOWN_MS, signal);
  if (signal.aborted) return noMatch('cannot-tell', [found.scanId]);
  const again = await look(deps, pending);
  if (!again.ok) return noMatch('unreadable', [found.scanId]);
  const { match } = again;
  const isSame = match.kind === 'no-match' || match.scanId === found.scanId;
  return isSame ? match : noMatch('cannot-tell', [found.scanId]);
}

function noMatch(why: NoMatch['why'], ids: readonly string[]): NoMatch {
  return { kind: 'no-match', why, ids };
}

async function readDetails(
  { api, signal }: Pick<RecoveryDeps, 'api' | 'signal'>,
  list: ScanList,
  pending: PendingLaunch,
): Promise<ReadonlyMap<string, Scan>> {
  if (pending.knownScanIds === undefined) return new Map();
  const ids = newCandidates(list, pending).flatMap(({ id }) => id ?? []);
  const details = await readScanDetails(api, pending.projectId, ids, signal);
  const storedHash = await readStoredHash(api, pending, details.values(), signal);
  return new Map([...details].map(([id, scan]) => [id, withStoredGuidance(scan, storedHash)]));
}

/** False if a later search may find more, because this search ended early or could not read everything. */
function isSettled({ why }: NoMatch, { knownScanIds }: PendingLaunch, signal: AbortSignal): boolean {
  if (knownScanIds === undefined) return true;
  return why !== 'unreadable' && why !== 'marks-unreadable' && stopCause(signal) !== 'signal';
}
