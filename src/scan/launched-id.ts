import type { LaunchedScan } from '../domain/scan.ts';
import type { ScanApi } from '../scan-api/scan-api.ts';

/** The deadlines of the choice. */
export interface ChoiceSignals {
  /** Ends the reads with retries. */
  readonly signal: AbortSignal;
  /** A later deadline, for one more read of each id, because the id has to be known in order to cancel the scan. */
  readonly cancelSignal: AbortSignal;
}

/**
 * Chooses the scan's id among those in the answer: the first that the service knows. An id that stays unknown (404) is
 * skipped. If a read fails, the other ids are kept.
 * @returns undefined if the service knows none of them
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
    const unknown = read.error.kind === 'refused' && read.error.status === 404;
    if (!unknown) return chosen(id);
  }
  if (!signal.aborted) return undefined;
  for (const id of ids) {
    const read = await api.scan(projectId, id, { signal: cancelSignal });
    if (read.ok) return { scanId: id, otherIds: [] };
  }
  return chosen(ids[0]);
}
