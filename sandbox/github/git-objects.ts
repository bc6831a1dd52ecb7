import type { Answer } from '../faults/interception.ts';
import { createGitCache } from '../git-cache.ts';
import { runGit } from '../git-process.ts';
import { NOT_FOUND } from './answer.ts';

/** GitHub's limit of one answer; a longer list is cut. */
const MOST_ENTRIES = 100_000;

const trees = createGitCache<Answer>();
const blobs = createGitCache<Answer>();

/** A tree by its id, or the root tree of a commit, without the trees in it. */
export async function readTree(dir: string, id: string, api: string): Promise<Answer> {
  const answer = await trees.recall(dir, [id], async () => {
    const listed = await runGit(dir, ['ls-tree', '-z', '--long', id]);
    if (listed.code !== 0) return undefined;
    const all = listed.stdout
      .toString('utf8')
      .split('\0')
      .filter((line) => line !== '');
    const tree = all.slice(0, MOST_ENTRIES).map((line) => toEntry(line, api));
    const body = { sha: id, url: `${api}/git/trees/${id}`, tree, truncated: all.length > MOST_ENTRIES };
    return { status: 200, body };
  });
  return answer ?? NOT_FOUND;
}

/** `<mode> <type> <id> <size>\t<name>`; a submodule has no size and no address. */
function toEntry(line: string, api: string): object {
  const tab = line.indexOf('\t');
  const [mode = '', type = '', sha = '', size = ''] = line.slice(0, tab).split(/ +/);
  const path = line.slice(tab + 1);
  if (type === 'commit') return { path, mode, type, sha };
  const url = `${api}/git/${type}s/${sha}`;
  return { path, mode, type, sha, ...(type === 'blob' ? { size: Number(size) } : {}), url };
}

/** GitHub breaks the lines of base64 after 60 characters. */
const LINE = /.{60}/g;

export async function readBlob(dir: string, id: string, api: string): Promise<Answer> {
  const answer = await blobs.recall(dir, [id], async () => {
    const read = await runGit(dir, ['cat-file', 'blob', id]);
    if (read.code !== 0) return undefined;
    const content = `${read.stdout.toString('base64').replace(LINE, '$&\n')}\n`;
    const size = read.stdout.length;
    return {
      status: 200,
      body: { sha: id, size, url: `${api}/git/blobs/${id}`, content, encoding: 'base64' },
    };
  });
  return answer ?? NOT_FOUND;
}
