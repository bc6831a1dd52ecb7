import type { ServiceState } from '../state.ts';
import { DataFolderError, openDatabase, type StoredRow } from './database.ts';
import { deserialize } from './deserialize.ts';
import { serialize } from './serialize.ts';

/** Stores the state on disk. */
export interface Store {
  /**
   * Writes what changed since the last time, in one transaction.
   * @param afterRead since the last save, the service has answered only a read. The many findings are then unchanged,
   * unless a scan has ended
   */
  save(state: ServiceState, afterRead?: boolean): void;
  close(): void;
}

/** Loads the state from the folder, and saves it there from now on. Throws `DataFolderError`. */
export async function openStore(folder: string, state: ServiceState): Promise<Store> {
  const database = await openDatabase(folder);
  try {
    deserialize(state, database.read());
  } catch (error) {
    database.close();
    const reason = error instanceof Error ? error.message : String(error);
    throw new DataFolderError(`what ${folder} holds cannot be read (${reason}); take an empty folder.`);
  }
  const store = { save: createSaver(database.write), close: database.close };
  store.save(state);
  return store;
}

/**
 * Compares every record with its last stored version, so that endpoints need not report changes. Only the findings are
 * skipped after a read, because there are many.
 */
export function createSaver(write: (rows: readonly StoredRow[]) => void): Store['save'] {
  const written = new Map<string, string>();
  const settled = new Set<string>();
  /** Whether findings may have changed since they were last written. */
  let findingsAreDue = true;
  return (state, afterRead = false) => {
    const rows: (StoredRow & { readonly key: string; readonly final: boolean })[] = [];
    const places = new Map<string, number>();
    findingsAreDue ||= !afterRead;
    for (const { kind, id, final, content } of serialize(state)) {
      if (kind === 'finding' && !findingsAreDue) continue;
      const place = (places.get(kind) ?? 0) + 1;
      places.set(kind, place);
      const key = `${kind} ${id}`;
      if (settled.has(key)) continue;
      const json = JSON.stringify(content());
      if (final || written.get(key) !== json) rows.push({ kind, id, place, json, key, final });
      // The scan comes before the findings, because it found them.
      if (kind === 'scan' && final) findingsAreDue = true;
    }
    write(rows);
    findingsAreDue = false;
    for (const { key, json, final } of rows) {
      if (final) {
        settled.add(key);
        written.delete(key);
      } else written.set(key, json);
    }
  };
}
