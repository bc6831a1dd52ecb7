import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * Packs the checkout as GitHub packs a tag. Changes that are not committed yet are included. The index and the objects
 * of the repository stay as they are.
 * @param folder for the archive, and for temporary files of git
 * @returns the archive, a `.tar.gz`
 */
export function packArchive(folder: string): string {
  const objects = path.join(folder, 'objects');
  const index = path.join(folder, 'index');
  mkdirSync(objects, { recursive: true });
  copyFileSync(git(['rev-parse', '--path-format=absolute', '--git-path', 'index']), index);
  const env = {
    ...process.env,
    GIT_INDEX_FILE: index,
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: git(['rev-parse', '--path-format=absolute', '--git-path', 'objects']),
  };
  git(['add', '--all'], env);
  // Git reads the attributes for the archive from this tree.
  const tree = git(['write-tree'], env);
  const file = path.join(folder, 'archive.tar.gz');
  git(['archive', '--format=tar.gz', '--prefix=scangate/', `--output=${file}`, tree], env);
  return file;
}

/**
 * Measures an archive.
 * @param file a `.tar.gz` with one folder around everything, as GitHub and `packArchive` make it
 */
export function archiveFacts(file: string) {
  const listed = execFileSync('tar', ['-tzf', file], { encoding: 'utf8', stdio: 'pipe' }).split('\n');
  const entries = listed.map((entry) => entry.slice(entry.indexOf('/') + 1).replace(/\/$/, ''));
  return { packedBytes: statSync(file).size, entries: entries.filter((entry) => entry !== '').sort() };
}

/** Unpacks an archive into `folder`. Leaves out the folder around everything. @returns `folder` */
export function unpackArchive(file: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xzf', file, '--strip-components=1', '-C', folder]);
  return folder;
}

/** Lists the files that differ, or that only one of the two folders has. The paths are relative. */
export function differingFiles(one: string, other: string): readonly string[] {
  const [inOne, inOther] = [filesIn(one), filesIn(other)];
  return [...new Set([...inOne.keys(), ...inOther.keys()])]
    .filter((name) => inOne.get(name)?.equals(inOther.get(name) ?? Buffer.alloc(0)) !== true)
    .sort();
}

function filesIn(folder: string): ReadonlyMap<string, Buffer> {
  const items = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = items.filter((item) => item.isFile()).map((item) => path.join(item.parentPath, item.name));
  return new Map(files.map((file) => [path.relative(folder, file), readFileSync(file)]));
}

function git(args: readonly string[], env: NodeJS.ProcessEnv = process.env): string {
  return execFileSync('git', [...args], { cwd: root, env, encoding: 'utf8' }).trim();
}
