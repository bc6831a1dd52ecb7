import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { readActionManifest } from '../../sandbox/runner/action-manifest.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The folders that have an `action.yml`. */
export const ACTIONS = ['.', 'doctor', 'triage'];

/**
 * Finds the entries that each `action.yml` names, and all other files in `dist`. The files `licenses.txt` and
 * `package.json` do not count. `entry` is a path from the root of the repository. `file` is absolute.
 */
export async function bundleFacts() {
  const names = await Promise.all(
    ACTIONS.map(async (folder) => {
      const { main, post } = await readActionManifest(path.join(root, folder));
      return [main, post].flatMap((name) => (name === undefined ? [] : [path.posix.join(folder, name)]));
    }),
  );
  const entries = await Promise.all(
    names.flat().map(async (entry) => {
      const file = path.join(root, entry);
      return { entry, file, bytes: (await stat(file)).size };
    }),
  );
  const all = await readdir(path.join(root, 'dist'), { recursive: true, withFileTypes: true });
  const furtherFiles = all
    .filter((item) => item.isFile() && !['licenses.txt', 'package.json'].includes(item.name))
    .map((item) => path.join(item.parentPath, item.name))
    .filter((file) => entries.every((entry) => entry.file !== file))
    .map((file) => path.relative(root, file));
  return { entries, furtherFiles };
}
