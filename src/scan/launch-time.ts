import type { Clock } from '../clock.ts';
import type { LaunchedScan } from '../domain/scan.ts';
import type { ScanApi } from '../scan-api/scan-api.ts';

/** The largest number of ten digits. A mark has no space for more. */
const LATEST = 9_999_999_999;

export interface LaunchTimeDeps {
  readonly api: Pick<ScanApi, 'scan' | 'scans'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A scan, and what the run knows already about the time of its launch. */
export type DatableScan = Pick<LaunchedScan, 'scanId' | 'acceptedAt'> & {
  /** The time that the scan shows, if the run has read the scan. */
  readonly createdAt?: string | undefined;
};

/**
 * Finds when a scan was launched, in whole seconds since the epoch. Prefers the clock of the service, because all runs
 * share it. Uses the date of the launch answer. If it is missing, uses the time that the scan shows. If neither is
 * known, uses the clock of this job.
 */
export async function findLaunchTime(
  { api, clock, signal }: LaunchTimeDeps,
  projectId: string,
  scan: DatableScan,
): Promise<number> {
  const { scanId, acceptedAt, createdAt } = scan;
  const known = secondsOf(acceptedAt?.getTime()) ?? secondsShown(createdAt);
  if (known !== undefined) return known;
  const detail = await api.scan(projectId, scanId, { signal });
  const ofDetail = detail.ok ? secondsShown(detail.value.scan.createdAt) : undefined;
  if (ofDetail !== undefined) return ofDetail;
  const list = await api.scans(projectId, { signal });
  const listed = list.ok ? list.value.scans.find(({ id }) => id === scanId) : undefined;
  return secondsShown(listed?.createdAt) ?? Math.floor(clock.date().getTime() / 1_000);
}

function secondsShown(time: string | undefined): number | undefined {
  return secondsOf(Date.parse(String(time)));
}

/** @param milliseconds since the epoch @returns undefined if the value is not a time, or does not fit into a mark */
function secondsOf(milliseconds: number | undefined): number | undefined {
  const seconds = Math.floor(Number(milliseconds) / 1_000);
  return seconds >= 0 && seconds <= LATEST ? seconds : undefined;
}
