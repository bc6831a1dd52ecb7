import { readCommit } from './commits.ts';
import type { GitMirror } from './git-mirror.ts';

/**
 * Finds a commit by name, as GitHub does. The name is a full id, a tag, a branch, a full ref name or a short id. If a
 * tag and a branch have the same name, the tag is used.
 */
export async function resolveCommit(mirror: GitMirror, name: string): Promise<string | undefined> {
  const isHex = /^[0-9a-f]+$/i.test(name);
  if (isHex && (name.length === 40 || name.length === 64)) return peel(mirror, name);
  const refs = await mirror.refs();
  const id =
    refs.get(`refs/tags/${name}`) ??
    refs.get(`refs/heads/${name}`) ??
    (name.startsWith('refs/') ? refs.get(name) : undefined);
  if (id !== undefined) return peel(mirror, id);
  return isHex && name.length >= 7 ? peel(mirror, name) : undefined;
}

/** Finds the newest commit of a branch. */
export async function branchTip(mirror: GitMirror, branch: string): Promise<string | undefined> {
  const tip = (await mirror.refs()).get(`refs/heads/${branch}`);
  return tip === undefined ? undefined : peel(mirror, tip);
}

/** Finds the root tree of a commit. Undefined if there is no such commit. */
export async function commitTree(mirror: GitMirror, sha: string): Promise<string | undefined> {
  return (await readCommit(mirror, sha))?.tree;
}

async function peel(mirror: GitMirror, id: string): Promise<string | undefined> {
  return (await readCommit(mirror, id))?.sha;
}
