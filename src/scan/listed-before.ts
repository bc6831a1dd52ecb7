import type { Clock } from '../clock.ts';
import type { PendingLaunch } from '../domain/pending-launch.ts';
import { matchScan } from '../domain/scan-subject.ts';
import type { ScanApi } from '../scan-api/scan-api.ts';
import { MARKS_SHOWN_MS } from './find-marks.ts';
import { readStoredHash, withStoredGuidance } from './stored-guidance.ts';

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
