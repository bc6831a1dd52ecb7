import type { LaunchedScan } from '../domain/scan.ts';
import { isNotFound } from '../scan-api/api-error.ts';
import type { ScanApi } from '../scan-api/scan-api.ts';

/** The two deadlines for the requests. */
export interface ChoiceSignals {
  /** Aborts the reads and their retries. */
  readonly signal: AbortSignal;
  /**
   * Aborts later than `signal`. After `signal` has aborted, the run asks the service for the ids once more, because it
   * needs the right id to cancel its scan.
   */
  readonly cancelSignal: AbortSignal;
}

/**
 * Chooses the id of the scan among those in the launch answer. It is the first id that the service knows. If a read
 * fails with an error other than 404, the choice is not certain. Then `otherIds` has the ids that were not chosen.
 * @returns undefined if the service knows none of the ids, and `signal` has not aborted
 */
export async function chooseLaunchedId(
  api: Pick<ScanApi, 'readScan' | 'scan'>,
  projectId: string,
  ids: readonly [string, ...string[]],
  { signal, cancelSignal }: ChoiceSignals,
): Promise<LaunchedScan | undefined> {
  const chosen = (scanId: string) => ({ scanId, otherIds: ids.filter((id) => id !== scanId) });
  for (const id of ids) {
    const read = await api.readScan(projectId, id, { signal });
    if (read.ok) return { scanId: id, otherIds: [] };
    if (read.error.kind === 'stopped') break;
    if (!isNotFound(read.error)) return chosen(id);
  }
  if (!signal.aborted) return undefined;
  for (const id of ids) {
    const read = await api.scan(projectId, id, { signal: cancelSignal });
    if (read.ok) return { scanId: id, otherIds: [] };
  }
  return chosen(ids[0]);
}
