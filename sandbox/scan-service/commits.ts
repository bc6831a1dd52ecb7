import { isFullId } from '../git-cache.ts';
import { git } from '../git-process.ts';

export interface Commit {
  readonly id: string;
  readonly tree: string;
}

/** Commits by repository and id. Each is read once, because a commit with a full id never changes. */
const known = new Map<string, Commit>();

/**
 * Reads commits by their ids or refs. An item is undefined if the repository does not have the commit. The tree of a
 * commit may be missing.
 */
export async function readCommits(
  gitDir: string,
  names: readonly string[],
): Promise<readonly (Commit | undefined)[]> {
  const keyOf = (name: string) => JSON.stringify([gitDir, name]);
  const asked = names.filter((name) => !known.has(keyOf(name)));
  const fresh = new Map<string, Commit>();
  const answers = asked.length === 0 ? [] : await ask(gitDir, asked);
  for (const [index, name] of asked.entries()) {
    const commit = answers[index];
    if (commit === undefined) continue;
    fresh.set(name, commit);
    if (isFullId(name)) known.set(keyOf(name), commit);
  }
  return names.map((name) => fresh.get(name) ?? known.get(keyOf(name)));
}

/** Sends the names to git's standard input. In the arguments, git could take a name for an option. */
async function ask(gitDir: string, names: readonly string[]): Promise<(Commit | undefined)[]> {
  const input = names.map((name) => `${name}^{commit}\n`).join('');
  const out = (await git(gitDir, ['cat-file', '--batch'], { input })).toString('latin1');
  let at = 0;
  return names.map(() => {
    const headEnd = out.indexOf('\n', at);
    const [, id, size] = /^(\w+) commit (\d+)$/.exec(out.slice(at, headEnd)) ?? [];
    at = headEnd + 1;
    if (id === undefined) return undefined;
    const tree = /^tree (\w+)\n/.exec(out.slice(at))?.[1];
    at += Number(size) + 1;
    return tree === undefined ? undefined : { id, tree };
  });
}
