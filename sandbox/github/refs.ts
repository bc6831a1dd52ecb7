import { createGitCache } from '../git-cache.ts';
import { runGit } from '../git-process.ts';

const commits = createGitCache<string>();

/** What `git check-ref-format` forbids, and so no branch or tag can hold. */
const FORBIDDEN_IN_REF = /[\p{Cc} ~^:?*[\\]|\.\.|@\{|^-|^$/u;

/**
 * The commit that GitHub finds by a name: a full id, a tag, a branch, a full ref name, or a short id. A tag wins over a
 * branch of the same name, as in git.
 */
export async function resolveCommit(dir: string, name: string): Promise<string | undefined> {
  if (FORBIDDEN_IN_REF.test(name)) return undefined;
  const isHex = /^[0-9a-f]+$/i.test(name);
  if (isHex && (name.length === 40 || name.length === 64)) return peel(dir, name);
  for (const ref of [
    `refs/tags/${name}`,
    `refs/heads/${name}`,
    ...(name.startsWith('refs/') ? [name] : []),
  ]) {
    const shown = await runGit(dir, ['show-ref', '--verify', '--hash', ref]);
    if (shown.code === 0) return peel(dir, shown.stdout.toString('utf8').trim());
  }
  return isHex && name.length >= 7 ? peel(dir, name) : undefined;
}

/** The newest commit of a branch. */
export async function branchTip(dir: string, branch: string): Promise<string | undefined> {
  if (FORBIDDEN_IN_REF.test(branch)) return undefined;
  const shown = await runGit(dir, ['show-ref', '--verify', '--hash', `refs/heads/${branch}`]);
  return shown.code === 0 ? shown.stdout.toString('utf8').trim() : undefined;
}

const trees = createGitCache<string>();

/** The tree of a commit's files; undefined where there is no such commit. */
export async function commitTree(dir: string, sha: string): Promise<string | undefined> {
  return trees.recall(dir, [sha], async () => {
    const answer = await runGit(dir, ['rev-parse', '--verify', '--quiet', `${sha}^{commit}^{tree}`]);
    return answer.code === 0 ? answer.stdout.toString('utf8').trim() : undefined;
  });
}

async function peel(dir: string, id: string): Promise<string | undefined> {
  return commits.recall(dir, [id], async () => {
    const answer = await runGit(dir, ['rev-parse', '--verify', '--quiet', `${id}^{commit}`]);
    return answer.code === 0 ? answer.stdout.toString('utf8').trim() : undefined;
  });
}
