import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const FILE = 'port';
const LAST_PORT = 65_535;

/** Reads the last port of the fake service for this data folder. Undefined if no port was saved. */
export function keptPort(dataFolder: string): number | undefined {
  let text: string;
  try {
    text = readFileSync(path.join(dataFolder, FILE), 'utf8').trim();
  } catch {
    // A folder that cannot be read is not an error here, because the database checks the folder later.
    return undefined;
  }
  const port = Number(text);
  return /^[1-9]\d*$/.test(text) && port <= LAST_PORT ? port : undefined;
}

/** Saves the port for the next start, so that the base URL and the links to published pages stay valid. */
export function keepPort(dataFolder: string, port: number): void {
  writeFileSync(path.join(dataFolder, FILE), `${port}\n`, { mode: 0o600 });
}
