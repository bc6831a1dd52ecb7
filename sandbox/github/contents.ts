import type { Answer } from '../faults/interception.ts';
import { NOT_FOUND } from './answer.ts';
import type { GitMirror } from './git-mirror.ts';

/** Answers `GET /contents/{path}` at a commit: a file with its content, or the entries of a folder. */
export async function contents(mirror: GitMirror, commit: string, path: string): Promise<Answer> {
  const list = async (what: string) =>
    (await mirror.ask([commit], ['ls-tree', '-z', '-l', commit, what]))?.toString('utf8').split('\0') ?? [];
  const entries = (await list(`${path}/`)).filter(Boolean).map(entryOf);
  if (entries.length > 0) return { status: 200, body: entries };
  const [file] = await list(path);
  if (file === undefined || file === '') return NOT_FOUND;
  const bytes = await mirror.ask([commit], ['cat-file', 'blob', `${commit}:${path}`]);
  // GitHub breaks base64 into lines of 60 characters.
  const content = (bytes ?? Buffer.alloc(0)).toString('base64').replace(/.{60}/g, '$&\n');
  return { status: 200, body: { ...entryOf(file), encoding: 'base64', content: `${content}\n` } };
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['120000', 'symlink'],
  ['160000', 'submodule'],
  ['040000', 'dir'],
]);

/** Parses a line of git: `mode type id size`, a tab, and the path. */
function entryOf(line: string): Readonly<Record<string, unknown>> {
  const [meta = '', path = ''] = line.split('\t');
  const [mode = '', , sha, size] = meta.split(/ +/);
  const name = path.slice(path.lastIndexOf('/') + 1);
  return { type: TYPES.get(mode) ?? 'file', name, path, sha, size: Number(size) || 0 };
}
