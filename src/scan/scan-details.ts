import type { Scan } from '../domain/scan.ts';
import { inPool } from '../http/pool.ts';
import type { ScanApi } from '../scan-api/scan-api.ts';

/** Our choice: the details of each scan take a request. If there are more scans, they are not distinguished. */
const MOST_DETAILS = 20;
const WIDTH = 4;

/** Reads the scans with these ids: the first twenty, four at a time. Leaves out those that cannot be read. */
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
