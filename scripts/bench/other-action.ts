import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const ENTRIES = ['dist/index.js', 'dist/post/index.js'];

/**
 * Makes an action whose `main` is a hand-written script that sends the same requests as Scangate.
 * @returns its folder
 */
export async function prepareHandWritten(folder: string): Promise<string> {
  await prepareAction(folder);
  await copyFile(path.join(import.meta.dirname, 'hand-written.mjs'), path.join(folder, 'dist/index.js'));
  return folder;
}

/** Extracts the bundle of an earlier commit. @returns its folder; undefined if the history does not have the commit */
export async function prepareEarlier(folder: string, commit: string): Promise<string | undefined> {
  const texts = ENTRIES.map((entry) => showFile(commit, entry));
  await prepareAction(folder);
  for (const [index, entry] of ENTRIES.entries()) {
    const text = texts[index];
    if (text === undefined) return undefined;
    await writeFile(path.join(folder, entry), text);
  }
  return folder;
}

async function prepareAction(folder: string): Promise<void> {
  await mkdir(path.join(folder, 'dist/post'), { recursive: true });
  for (const file of ['action.yml', 'dist/package.json'])
    await copyFile(path.join(root, file), path.join(folder, file));
}

/**
 * Reads a file of a commit. CI checks that `dist` matches the sources of each commit, so the commit need not be built.
 */
function showFile(commit: string, file: string): Buffer | undefined {
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    return execFileSync('git', ['show', `${commit}:${file}`], {
      cwd: root,
      stdio: [...stdio],
      maxBuffer: 1e8,
    });
  } catch {
    return undefined;
  }
}
