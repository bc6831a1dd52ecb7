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
 * The id of the launched scan among those that the answer names: the first that the service knows. One that stays
 * unknown (404) makes way for the next. Where an answer is missing, the other ids stay too.
 * @returns undefined: the service knows none of them
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
