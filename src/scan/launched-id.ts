import type { LaunchedScan } from '../domain/scan.ts';
import type { ScanApi } from '../scan-api/scan-api.ts';

/** When the choice has to end. */
export interface ChoiceSignals {
  /** The patient reads. */
  readonly signal: AbortSignal;
  /** Later: one more read of each id, because what is to be cancelled has to be known. */
  readonly cancelSignal: AbortSignal;
}

/**
 * The id of the launched scan, where the answer names several: the first that the service knows. One that stays
 * unknown (404) makes way for the next. Where the service knows none, or was not asked to the end, all of them stay.
 */
export async function chooseLaunchedId(
  api: Pick<ScanApi, 'readScan' | 'scan'>,
  projectId: string,
  launched: LaunchedScan,
  { signal, cancelSignal }: ChoiceSignals,
): Promise<LaunchedScan> {
  const { scanId, otherIds } = launched;
  if (otherIds.length === 0) return launched;
  const ids = [scanId, ...otherIds];
  for (const id of ids) {
    const read = await api.readScan(projectId, id, { signal });
    if (read.ok) return { scanId: id, otherIds: [] };
    if (read.error.kind === 'stopped') break;
    const unknown = read.error.kind === 'refused' && read.error.status === 404;
    if (!unknown) return { scanId: id, otherIds: ids.filter((other) => other !== id) };
  }
  if (!signal.aborted) return launched;
  for (const id of ids) {
    const read = await api.scan(projectId, id, { signal: cancelSignal });
    if (read.ok) return { scanId: id, otherIds: [] };
  }
  return launched;
}
