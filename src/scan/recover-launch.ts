import type { Clock } from '../clock.ts';
import type { PendingLaunch } from '../domain/pending-launch.ts';
import type { Scan, ScanList } from '../domain/scan.ts';
import { stopCause } from '../domain/stop.ts';
import { classify, waitAfterFailure } from '../scan-api/retry.ts';
import type { ScanApi } from '../scan-api/scan-api.ts';
import { MARKS_SHOWN_MS } from './find-marks.ts';
import { type Found, matchNewScans, type NoMatch, newCandidates } from './match-new-scans.ts';
import { readScanDetails } from './scan-details.ts';
import { readStoredHash, withStoredGuidance } from './stored-guidance.ts';

/** Between looks: soon at first, because an accepted scan is usually there at once. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 10_000;
/** Chosen: the waits of two looks. A list that is older at the end says nothing of a scan that showed up since. */
const OLDEST_LAST_LOOK_MS = 2 * LONGEST_WAIT_MS;

export interface RecoveryDeps {
  readonly api: Pick<ScanApi, 'scans' | 'scan' | 'guidance'>;
  readonly clock: Clock;
  readonly random: () => number;
  /** Ends the search. */
  readonly signal: AbortSignal;
  /** The scans that proven marks on the head name; undefined: they cannot be read. */
  readonly readClaimedScans: () => Promise<ReadonlySet<string> | undefined>;
}

export type Recovery =
  | Found
  /** `settled`: looking again later would not show more. */
  | (NoMatch & { readonly settled: boolean });

/**
 * Looks for the scan of a launch that was not answered, until it is proven or the signal ends the search. It has to be
 * the only new scan of the subject, twice, 5 s apart, and no mark may name it either time. Launches nothing.
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

/** A job that launches again writes another scan into its mark. The scan that it named before is still not ours. */
function rememberClaims(read: RecoveryDeps['readClaimedScans']): RecoveryDeps['readClaimedScans'] {
  const seen = new Set<string>();
  return async () => {
    const claimed = await read();
    if (claimed === undefined) return undefined;
    for (const scanId of claimed) seen.add(scanId);
    return seen;
  };
}

/** One look at list, details and marks. A scan that a mark names belongs to another job, and is left out. */
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
  // Left out, not added to the known ones: only what was listed before the launch shows that the list reaches back.
  const scans = list.value.scans.filter(({ id }) => !claimed.has(id));
  return { ok: true, match: matchNewScans({ ...list.value, scans }, details, pending) } as const;
}

/** Beside a scan of another job, which its mark names, that of this launch is still the only one. */
function mayHideClaims(match: Found | NoMatch): boolean {
  if (match.kind === 'found') return true;
  return match.why === 'several' || (match.why === 'cannot-tell' && match.ids.length > 1);
}

/** Another job can have launched the same change at the same moment: then a mark names its scan soon. */
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

/** A search that was cut short may have missed a scan or a mark that shows up late. */
function isSettled({ why }: NoMatch, { knownScanIds }: PendingLaunch, signal: AbortSignal): boolean {
  if (knownScanIds === undefined) return true;
  return why !== 'unreadable' && why !== 'marks-unreadable' && stopCause(signal) !== 'signal';
}
