import type { LaunchedScan } from '../domain/scan.ts';
import type { ScanApi } from '../scan-api/client.ts';

/**
 * The id of the launched scan, where the answer names several: the first that the service knows. One that stays
 * unknown (404) makes way for the next. The first id stays where the service knows none.
 */
export async function chooseLaunchedId(
  api: Pick<ScanApi, 'readScan'>,
  projectId: string,
  { scanId, otherIds }: LaunchedScan,
  signal: AbortSignal,
): Promise<string> {
  if (otherIds.length === 0) return scanId;
  for (const id of [scanId, ...otherIds]) {
    const read = await api.readScan(projectId, id, { signal });
    const unknown = !read.ok && read.error.kind === 'refused' && read.error.status === 404;
    if (!unknown) return id;
  }
  return scanId;
}
