import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const ENTRIES = ['dist/index.js', 'dist/post/index.js'];

/** An action whose `main` is the hand-written script with the same requests. @returns its folder */
export async function prepareHandWritten(folder: string): Promise<string> {
  await prepareAction(folder);
  await copyFile(path.join(import.meta.dirname, 'hand-written.mjs'), path.join(folder, 'dist/index.js'));
  return folder;
}

/** The bundle of an earlier commit. @returns its folder, or undefined if the history does not hold the commit */
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

/** Extracts `dist`. CI checks that every commit's `dist` is built from its sources, so it need not be built again. */
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
