import type { Clock } from '../clock.ts';
import type { LaunchIntent } from '../domain/launch-intent.ts';
import type { Scan, ScanList } from '../domain/scan.ts';
import { stopCause } from '../domain/stop.ts';
import type { ScanApi } from '../scan-api/client.ts';
import { classify, waitAfterFailure } from '../scan-api/retry.ts';
import { judgeNewScans, newScans, showsTooLittle, type Undecided } from './new-scans.ts';
import { readScanDetails } from './scan-details.ts';

/** Between looks: soon at first, because an accepted scan is usually there at once. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 10_000;
/** Ours: the waits of two looks. A list that is older at the end says nothing of a scan that showed up since. */
const OLDEST_LAST_LOOK_MS = 2 * LONGEST_WAIT_MS;

export interface SearchWorld {
  readonly api: Pick<ScanApi, 'scans' | 'scan'>;
  readonly clock: Clock;
  /** Ends the search. */
  readonly signal: AbortSignal;
  readonly random?: () => number;
}

export type Reconciled =
  /** The one new scan that is visibly what was asked for. */
  | { readonly kind: 'found'; readonly scanId: string }
  /** `settled`: looking again later would not tell more. */
  | (Undecided & { readonly settled: boolean });

/**
 * Looks for the scan of a launch whose answer was lost, in the scan list, and in the details where the list shows too
 * little, until it is found or the signal ends the search. Launches nothing.
 */
export async function reconcile(world: SearchWorld, intent: LaunchIntent): Promise<Reconciled> {
  const { api, clock, signal, random = Math.random } = world;
  let last: Undecided = { kind: 'undecided', why: 'unreadable', ids: [] };
  let failures = 0;
  let lookedAt = clock.now();
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    const list = await api.scans(intent.projectId);
    if (list.ok) {
      failures = 0;
      lookedAt = clock.now();
      const judged = judgeNewScans(list.value, await readDetails(api, list.value, intent), intent);
      if (judged.kind === 'found') return judged;
      last = judged;
    } else if (list.error.kind !== 'stopped') {
      failures += 1;
      last = { ...last, why: 'unreadable' };
      if (classify(list.error) === 'definite') break;
    }
    if (intent.noted === undefined || last.why === 'several') break;
    await clock.sleep(list.ok ? wait : waitAfterFailure(list.error, failures, random), signal);
    if (signal.aborted) break;
  }
  if (last.why === 'none' && clock.now() - lookedAt > OLDEST_LAST_LOOK_MS)
    last = { ...last, why: 'unreadable' };
  return { ...last, settled: isSettled(last, intent, signal) };
}

async function readDetails(
  api: SearchWorld['api'],
  list: ScanList,
  intent: LaunchIntent,
): Promise<ReadonlyMap<string, Scan>> {
  if (intent.noted === undefined) return new Map();
  const unclear = newScans(list, intent).filter((scan) => showsTooLittle(scan, intent.wanted));
  return readScanDetails(
    api,
    intent.projectId,
    unclear.flatMap(({ id }) => id ?? []),
  );
}

/** A search that was cut short may have missed a scan that shows up late. */
function isSettled({ why }: Undecided, { noted }: LaunchIntent, signal: AbortSignal): boolean {
  if (noted === undefined || why === 'several') return true;
  return why !== 'unreadable' && stopCause(signal) !== 'signal';
}
