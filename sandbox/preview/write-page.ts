import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** The default folder. Git ignores it. */
export const PREVIEW_FOLDER = path.resolve(import.meta.dirname, '../../build/preview');

/** Writes a page. Returns its address for a browser. */
export function writePage(name: string, text: string, folder = PREVIEW_FOLDER): string {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return pathToFileURL(file).href;
}
