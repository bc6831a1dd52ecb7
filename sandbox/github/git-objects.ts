import type { Answer } from '../faults/interception.ts';
import { NOT_FOUND } from './answer.ts';
import type { GitMirror } from './git-mirror.ts';

/** The most entries in one answer of GitHub. GitHub cuts a longer list. */
const MOST_ENTRIES = 100_000;

/**
 * Answers with the entries of a tree. If the id is that of a commit, uses the root tree of the commit. Does not expand
 * the trees inside the tree.
 */
export async function readTree(mirror: GitMirror, id: string, api: string): Promise<Answer> {
  const listed = await mirror.ask([id], ['ls-tree', '-z', '--long', id]);
  if (listed === undefined) return NOT_FOUND;
  const all = listed
    .toString('utf8')
    .split('\0')
    .filter((line) => line !== '');
  const tree = all.slice(0, MOST_ENTRIES).map((line) => toEntry(line, api));
  const body = { sha: id, url: `${api}/git/trees/${id}`, tree, truncated: all.length > MOST_ENTRIES };
  return { status: 200, body };
}

/** Parses a line of git: `<mode> <type> <id> <size>\t<name>`. A submodule has no size and no URL. */
function toEntry(line: string, api: string): object {
  const tab = line.indexOf('\t');
  const [mode = '', type = '', sha = '', size = ''] = line.slice(0, tab).split(/ +/);
  const path = line.slice(tab + 1);
  if (type === 'commit') return { path, mode, type, sha };
  const url = `${api}/git/${type}s/${sha}`;
  return { path, mode, type, sha, ...(type === 'blob' ? { size: Number(size) } : {}), url };
}

/** GitHub breaks base64 into lines of 60 characters. */
const LINE = /.{60}/g;

export async function readBlob(mirror: GitMirror, id: string, api: string): Promise<Answer> {
  const bytes = await mirror.ask([id], ['cat-file', 'blob', id]);
  if (bytes === undefined) return NOT_FOUND;
  const content = `${bytes.toString('base64').replace(LINE, '$&\n')}\n`;
  return {
    status: 200,
    body: { sha: id, size: bytes.length, url: `${api}/git/blobs/${id}`, content, encoding: 'base64' },
  };
}
