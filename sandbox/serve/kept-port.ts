import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const FILE = 'port';
const LAST_PORT = 65_535;

/** The last port of the fake service on this data folder. Undefined if there is none. */
export function keptPort(dataFolder: string): number | undefined {
  let text: string;
  try {
    text = readFileSync(path.join(dataFolder, FILE), 'utf8').trim();
  } catch {
    // No error, because the database checks whether the folder can be used.
    return undefined;
  }
  const port = Number(text);
  return /^[1-9]\d*$/.test(text) && port <= LAST_PORT ? port : undefined;
}

/**
 * Keeps the port, because the base URL and the links to published pages stay valid after a restart only on the same
 * port.
 */
export function keepPort(dataFolder: string, port: number): void {
  writeFileSync(path.join(dataFolder, FILE), `${port}\n`, { mode: 0o600 });
}
