import { constants } from 'node:fs';
import { lstat, mkdir, open, realpath, unlink } from 'node:fs/promises';
import path from 'node:path';
import { inChunks } from '../text/log-text.ts';

/** A text in one string or in several. */
export type Text = string | Iterable<string>;

/**
 * Writes a file inside the workspace, and creates its folders. Throws if the resolved path is outside of the workspace,
 * or if the file is a symbolic link. A pull request can contain symbolic links that lead anywhere.
 * @param file an absolute path
 */
export async function writeInside(workspace: string, file: string, text: Text): Promise<void> {
  const root = await realpath(workspace);
  let folder = root;
  const steps = path
    .relative(path.resolve(workspace), path.dirname(file))
    .split(path.sep)
    .filter((step) => step !== '');
  for (const step of steps) {
    const next = path.join(folder, step);
    await mkdir(next).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    });
    folder = await realpath(next);
    refuseOutside(root, folder);
  }
  const place = path.join(folder, path.basename(file));
  // Windows has no O_NOFOLLOW. On other systems, O_NOFOLLOW also refuses a link that is created after this check.
  const there = await lstat(place).catch(() => undefined);
  if (there?.isSymbolicLink()) throw new Error('the file is a symbolic link');
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0);
  const handle = await open(place, flags, 0o644);
  try {
    await handle.writeFile(typeof text === 'string' ? text : inChunks(text));
  } finally {
    await handle.close();
  }
}

/**
 * Removes a file inside the workspace, if there is one. A symbolic link is removed itself, and not followed. Throws if
 * the real folder of the file is outside of the workspace, or if the file cannot be removed.
 * @param file an absolute path
 */
export async function removeInside(workspace: string, file: string): Promise<void> {
  try {
    const folder = await realpath(path.dirname(file));
    refuseOutside(await realpath(workspace), folder);
    await unlink(path.join(folder, path.basename(file)));
  } catch (error) {
    // The file or its folder does not exist, or a file has the name of the folder.
    const isMissing = error instanceof Error && 'code' in error && MISSING.has(error.code);
    if (!isMissing) throw error;
  }
}

const MISSING: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR']);

/** Both paths are real paths. */
function refuseOutside(root: string, folder: string): void {
  if (folder !== root && !folder.startsWith(root + path.sep))
    throw new Error('the folder leads out of the workspace');
}
