import { appendFile, copyFile, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createEmptyRepository } from '../empty-repository.ts';
import { git } from '../git-process.ts';

/** A bare repository that borrows the objects of another one, which is never written to. */
export interface GitMirror {
  /** The directory that holds `repository.git` and nothing else: a project root for `git http-backend`. */
  readonly root: string;
  readonly dir: string;
  /** Updates the refs from the borrowed repository and the heads. Await it before `dir` is used. */
  sync(): Promise<void>;
  remove(): Promise<void>;
}

export interface MirrorSource {
  /** The repository to borrow from: a work tree or a bare repository. */
  readonly dir: string;
  /** Branch name to commit id, beside and before the branches of the repository. */
  readonly branches?: Readonly<Record<string, string>>;
  /** Pull request number to head commit, as they are now: served as `refs/pull/N/head`. */
  readonly pullRequestHeads: () => ReadonlyMap<number, string>;
}

/** The repository is created when it is first needed: most runs send no git request. */
export async function createGitMirror(source: MirrorSource): Promise<GitMirror> {
  const root = await mkdtemp(join(tmpdir(), 'scangate-github-'));
  const dir = join(root, 'repository.git');
  let made: Promise<void> | undefined;
  let writes = 0;
  return {
    root,
    dir,
    remove: async () => {
      await made?.catch(() => {});
      await rm(root, { recursive: true, force: true });
    },
    sync: async () => {
      made ??= make(source.dir, dir);
      await made;
      const refs = await refsOf(source);
      const text = [...refs].map(([ref, id]) => `${id} ${ref}\n`).join('');
      writes += 1;
      const fresh = join(root, `packed-refs-${writes}`);
      await writeFile(fresh, text);
      await rename(fresh, join(dir, 'packed-refs'));
    },
  };
}

const SERVED = ['allowFilter', 'allowAnySHA1InWant', 'allowReachableSHA1InWant'];

async function make(from: string, dir: string): Promise<void> {
  const questions = ['--show-object-format', '--git-path', 'objects', '--git-path', 'shallow'];
  const answers = (await git(from, ['rev-parse', ...questions])).toString('utf8').split('\n');
  const [format = '', objects = '', shallowFile = ''] = answers;
  await createEmptyRepository(dir, { bare: true, objectFormat: format });
  await borrow(dir, resolve(from, objects));
  const shallow = resolve(from, shallowFile);
  if (await exists(shallow)) await copyFile(shallow, join(dir, 'shallow'));
  // GitHub serves filtered fetches and any commit id it knows.
  await appendFile(
    join(dir, 'config'),
    `[uploadpack]\n${SERVED.map((name) => `\t${name} = true\n`).join('')}`,
  );
}

async function borrow(dir: string, objects: string): Promise<void> {
  await writeFile(join(dir, 'objects', 'info', 'alternates'), `${objects}\n`);
}

async function refsOf(source: MirrorSource): Promise<ReadonlyMap<string, string>> {
  const listed = await git(source.dir, [
    'for-each-ref',
    '--format=%(objectname) %(refname)',
    'refs/heads',
    'refs/tags',
  ]);
  const refs = new Map<string, string>();
  for (const line of listed.toString('utf8').split('\n')) {
    const space = line.indexOf(' ');
    if (space > 0) refs.set(line.slice(space + 1), line.slice(0, space));
  }
  for (const [branch, id] of Object.entries(source.branches ?? {})) refs.set(`refs/heads/${branch}`, id);
  for (const [number, id] of source.pullRequestHeads()) refs.set(`refs/pull/${number}/head`, id);
  return refs;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
