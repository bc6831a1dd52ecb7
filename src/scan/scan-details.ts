import type { Scan } from '../domain/scan.ts';
import { inPool } from '../http/pool.ts';
import type { ScanApi } from '../scan-api/scan-api.ts';

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
