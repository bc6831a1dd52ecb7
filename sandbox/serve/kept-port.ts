import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const FILE = 'port';
const LAST_PORT = 65_535;

/** The port on which the stand-in of this data folder listened last; undefined where it never did. */
export function keptPort(dataFolder: string): number | undefined {
  let text: string;
  try {
    text = readFileSync(path.join(dataFolder, FILE), 'utf8').trim();
  } catch {
    // Whether the folder can be used is told by the database.
    return undefined;
  }
  const port = Number(text);
  return /^[1-9]\d*$/.test(text) && port <= LAST_PORT ? port : undefined;
}

/** Its base URL and the links to published pages hold after a restart only on the same port. */
export function keepPort(dataFolder: string, port: number): void {
  writeFileSync(path.join(dataFolder, FILE), `${port}\n`, { mode: 0o600 });
}
