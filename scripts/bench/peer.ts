import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isObject, textAt } from '../../sandbox/json.ts';
import { readActionManifest } from '../../sandbox/runner/action-manifest.ts';
import type { NodeCommand } from './bare-process.ts';

/** A JavaScript action with which Scangate is compared. Both are started in the same environment. */
export interface Peer {
  readonly name: string;
  readonly bytes: number;
  readonly command: NodeCommand;
}

/** The time limit for a start. An action that takes longer does more than start. */
const MOST_MS = 10_000;

/**
 * Copies the folder of an action's `main`, and keeps the module type of the action's repository. Throws if the action
 * prints nothing, because an action that fails while it is loaded would look fast.
 * @param source the folder with the `action.yml`
 * @param folder for the copy, outside of all packages
 */
export async function preparePeer(
  source: string,
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<Peer> {
  const { name, main } = await readActionManifest(source);
  const entry = path.resolve(source, main);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ type: moduleTypeOf(entry, source) }));
  const copy = path.join(folder, 'main');
  cpSync(path.dirname(entry), copy, { recursive: true });
  const file = path.join(copy, path.basename(entry));
  const run = spawnSync(process.execPath, [file], { env, encoding: 'utf8', timeout: MOST_MS });
  if (run.signal !== null || run.stdout.trim() === '') {
    throw new Error(`${name} in ${source} did not start and end by itself: ${run.stderr.slice(0, 500)}`);
  }
  return { name, bytes: statSync(file).size, command: { args: [file], env } };
}

/**
 * Finds the module type in the nearest package.json, up to the folder of the action. Without such a file, CommonJS is
 * the default of Node.js.
 */
function moduleTypeOf(entry: string, source: string): string {
  const top = path.resolve(source);
  for (let folder = path.dirname(entry); ; folder = path.dirname(folder)) {
    const file = path.join(folder, 'package.json');
    if (existsSync(file)) {
      const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
      return (isObject(manifest) ? textAt(manifest, 'type') : undefined) ?? 'commonjs';
    }
    if (folder === top || folder === path.dirname(folder)) return 'commonjs';
  }
}
