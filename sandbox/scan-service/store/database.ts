import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

/** The data folder cannot be used. The message says why, and what to do. */
export class DataFolderError extends Error {}

/** A stored record as JSON. `kind` and `id` identify it. `place` is its position among the records of this kind. */
export interface StoredRow {
  readonly kind: string;
  readonly id: string;
  readonly place: number;
  readonly json: string;
}

export type Database = ReturnType<typeof operations>;

/** The version of the stored form. Increase it when a change makes the stored rows unreadable. */
const FORMAT = 2;
const FILE = 'scan-service.sqlite';
/** The result codes of SQLite: https://www.sqlite.org/rescode.html */
const BUSY = 5;
const NOT_A_DATABASE = 26;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS record (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    place INTEGER NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (kind, id)
  ) STRICT;
  PRAGMA user_version = ${FORMAT};
`;

/** Opens the database of a folder. Creates the folder if its parent exists. Throws `DataFolderError`. */
export async function openDatabase(folder: string): Promise<Database> {
  // Loaded only with a data folder, because Node warns that the module is experimental.
  const { DatabaseSync } = await import('node:sqlite');
  try {
    makeFolder(folder);
    const file = path.join(folder, FILE);
    // Only the owner may read the file, because it contains tokens and passwords. The mode of the folder is not enough:
    // an existing folder may be open to other users.
    closeSync(openSync(file, 'a', 0o600));
    const database = new DatabaseSync(file);
    try {
      prepare(database, folder);
      return operations(database);
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw asFault(error, folder);
  }
}

/** Creates the folder, but not its parents. In Node 24, the creation of parents below `/proc` would never return. */
function makeFolder(folder: string): void {
  const parent = path.dirname(path.resolve(folder));
  if (!existsSync(parent)) {
    throw new DataFolderError(`cannot create ${folder}: ${parent} does not exist. Create that folder first.`);
  }
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
}

function prepare(database: DatabaseSync, folder: string): void {
  // The lock is exclusive, because two services on one folder would have different states.
  database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  const version = database.prepare('PRAGMA user_version').get()?.['user_version'];
  if (version !== 0 && version !== FORMAT) {
    throw new DataFolderError(`${folder} holds data of another version of the sandbox. Use an empty folder.`);
  }
  database.exec(`BEGIN EXCLUSIVE; ${SCHEMA} COMMIT;`);
}

function operations(database: DatabaseSync) {
  const insert = database.prepare(
    'INSERT OR REPLACE INTO record (kind, id, place, json) VALUES (?, ?, ?, ?)',
  );
  return {
    /** Returns all rows, by kind and place. */
    read: (): StoredRow[] =>
      database
        .prepare('SELECT kind, id, place, json FROM record ORDER BY kind, place')
        .all()
        .map(({ kind, id, place, json }) => ({
          kind: String(kind),
          id: String(id),
          place: Number(place),
          json: String(json),
        })),
    /** Writes all rows or none. Written rows are not lost in a crash of the process or the machine. */
    write(rows: readonly StoredRow[]): void {
      if (rows.length === 0) return;
      database.exec('BEGIN');
      try {
        for (const { kind, id, place, json } of rows) insert.run(kind, id, place, json);
        database.exec('COMMIT');
      } catch (error) {
        database.exec('ROLLBACK');
        throw error;
      }
    },
    /** Closes the database. A second call has no effect. */
    close(): void {
      if (database.isOpen) database.close();
    },
  };
}

function asFault(error: unknown, folder: string): unknown {
  if (!(error instanceof Error) || error instanceof DataFolderError) return error;
  switch (Reflect.get(error, 'errcode')) {
    case BUSY:
      return new DataFolderError(`another sandbox is using ${folder}. Stop it, or use another folder.`);
    case NOT_A_DATABASE:
      return new DataFolderError(
        `${path.join(folder, FILE)} is not a database of the sandbox. Use an empty folder.`,
      );
    default:
      return new DataFolderError(`${folder} cannot be used: ${error.message}`);
  }
}
