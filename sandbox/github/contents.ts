import type { Answer } from '../faults/interception.ts';
import type { JsonObject } from '../json.ts';
import { found, NOT_FOUND } from './answer.ts';
import type { GitMirror } from './git-mirror.ts';
import { encoded, parseEntry } from './git-objects.ts';

/** Answers `GET /contents/{path}` at a commit: a file with its content, or the entries of a folder. */
export async function contents(mirror: GitMirror, commit: string, path: string): Promise<Answer> {
  const list = async (what: string) =>
    (await mirror.ask([commit], ['ls-tree', '-z', '-l', commit, what]))?.toString('utf8').split('\0') ?? [];
  const entries = (await list(`${path}/`)).filter(Boolean).map(entryOf);
  if (entries.length > 0) return found(entries);
  const [file] = await list(path);
  if (file === undefined || file === '') return NOT_FOUND;
  const bytes = await mirror.ask([commit], ['cat-file', 'blob', `${commit}:${path}`]);
  return found({ ...entryOf(file), ...encoded(bytes ?? Buffer.alloc(0)) });
}

const TYPES: JsonObject = { '120000': 'symlink', '160000': 'submodule', '040000': 'dir' };

function entryOf(line: string): JsonObject {
  const { mode, path, sha, size } = parseEntry(line);
  return { type: TYPES[mode] ?? 'file', name: path.slice(path.lastIndexOf('/') + 1), path, sha, size };
}
