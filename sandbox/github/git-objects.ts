import type { Answer } from '../faults/interception.ts';
import { found, NOT_FOUND } from './answer.ts';
import type { GitHubState, RouteCall } from './route.ts';

/** The most entries in one answer of GitHub. GitHub cuts a longer list. */
const MOST_ENTRIES = 100_000;

/**
 * Answers with the entries of a tree. If the id is that of a commit, uses the root tree of the commit. Does not expand
 * the trees inside the tree.
 */
export async function readTree(
  { param: id, url }: RouteCall,
  { mirror, urls }: GitHubState,
): Promise<Answer> {
  const listed = await mirror.ask([id], ['ls-tree', '-z', '--long', id]);
  if (listed === undefined) return NOT_FOUND;
  const all = listed
    .toString('utf8')
    .split('\0')
    .filter((line) => line !== '');
  const tree = all.slice(0, MOST_ENTRIES).map((line) => toEntry(line, urls.api));
  return found({ sha: id, url, tree, truncated: all.length > MOST_ENTRIES });
}

/** Parses a line of `git ls-tree --long`: `<mode> <type> <id> <size>`, a tab and the path. Only a file has a size. */
export function parseEntry(line: string) {
  const tab = line.indexOf('\t');
  const [mode = '', type = '', sha = '', size = ''] = line.slice(0, tab).split(/ +/);
  return { path: line.slice(tab + 1), mode, type, sha, size: Number(size) || 0 };
}

/** A submodule has no size and no URL. */
function toEntry(line: string, api: string): object {
  const { size, ...entry } = parseEntry(line);
  if (entry.type === 'commit') return entry;
  const url = `${api}/git/${entry.type}s/${entry.sha}`;
  return { ...entry, ...(entry.type === 'blob' ? { size } : {}), url };
}

export async function readBlob({ param: id, url }: RouteCall, { mirror }: GitHubState): Promise<Answer> {
  const bytes = await mirror.ask([id], ['cat-file', 'blob', id]);
  if (bytes === undefined) return NOT_FOUND;
  return found({ sha: id, size: bytes.length, url, ...encoded(bytes) });
}

/** GitHub breaks base64 into lines of 60 characters. */
export function encoded(bytes: Buffer) {
  return { content: `${bytes.toString('base64').replace(/.{60}/g, '$&\n')}\n`, encoding: 'base64' };
}
