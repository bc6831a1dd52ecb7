import type { World } from '../world.ts';
import { DataFolderFault, openDatabase, type StoredRow } from './database.ts';
import { freeze } from './freeze.ts';
import { thaw } from './thaw.ts';

/** Keeps a world on disk. */
export interface Store {
  /**
   * Writes what changed since the last time, in one transaction.
   * @param afterRead only a read was answered since: of the many findings none has changed, unless a scan has ended
   */
  save(world: World, afterRead?: boolean): void;
  close(): void;
}

/** Puts what the folder holds into the world, and keeps the world there from now on. Throws `DataFolderFault`. */
export async function openStore(folder: string, world: World): Promise<Store> {
  const database = await openDatabase(folder);
  try {
    thaw(world, database.read());
  } catch (error) {
    database.close();
    const reason = error instanceof Error ? error.message : String(error);
    throw new DataFolderFault(`what ${folder} holds cannot be read (${reason}); take an empty folder.`);
  }
  const store = { save: createSaver(database.write), close: database.close };
  store.save(world);
  return store;
}

/**
 * Compares every record with what was last written of it: no endpoint has to say what it changed. Only the findings,
 * which are many, are passed over after a read.
 */
export function createSaver(write: (rows: readonly StoredRow[]) => void): Store['save'] {
  const written = new Map<string, string>();
  const settled = new Set<string>();
  /** Not yet written since something may have changed them. */
  let findingsAreDue = true;
  return (world, afterRead = false) => {
    const rows: (StoredRow & { readonly key: string; readonly final: boolean })[] = [];
    const places = new Map<string, number>();
    findingsAreDue ||= !afterRead;
    for (const { kind, id, final, content } of freeze(world)) {
      if (kind === 'finding' && !findingsAreDue) continue;
      const place = (places.get(kind) ?? 0) + 1;
      places.set(kind, place);
      const key = `${kind} ${id}`;
      if (settled.has(key)) continue;
      const json = JSON.stringify(content());
      if (final || written.get(key) !== json) rows.push({ kind, id, place, json, key, final });
      // A scan that ends has found them, and comes before them.
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
