import type { ServiceState } from '../state.ts';
import { DataFolderError, openDatabase, type StoredRow } from './database.ts';
import { deserialize } from './deserialize.ts';
import { serialize } from './serialize.ts';

/**
 * Writes all changes since the last call, in one transaction.
 * @param afterRead true if the service has answered only a `GET` request since the last call. Such a request changes
 * findings only if it ends a scan
 */
type Save = (state: ServiceState, afterRead?: boolean) => void;

/** Loads the state from the folder. The returned store saves the state there. Throws `DataFolderError`. */
export async function openStore(folder: string, state: ServiceState) {
  const database = await openDatabase(folder);
  let isRestored: boolean;
  try {
    const rows = database.read();
    deserialize(state, rows);
    isRestored = rows.length > 0;
  } catch (error) {
    database.close();
    const reason = error instanceof Error ? error.message : String(error);
    throw new DataFolderError(`the data in ${folder} is not readable (${reason}). Use an empty folder.`);
  }
  const save = createSaver(database.write);
  save(state);
  /** `isRestored` is true if the folder had data when it was opened. */
  return { isRestored, save, close: database.close };
}

/**
 * Creates a function that saves all changes. It compares every record with its stored version, so that endpoints need
 * not report changes. After a `GET` request, it compares the findings only if a scan has ended. This saves time.
 */
export function createSaver(write: (rows: readonly StoredRow[]) => void): Save {
  const written = new Map<string, string>();
  const settled = new Set<string>();
  /** True if findings may have changed since they were last written. */
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
      // A scan that has ended may have new findings. The loop reaches all scans before the findings, so it saves these
      // findings too.
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
