import { existsSync } from 'node:fs';
import { appendFile, copyFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createEmptyRepository } from '../empty-repository.ts';
import { createGitCache } from '../git-cache.ts';
import { git, rememberGit, remembersGit, runGit } from '../git-process.ts';

/**
 * A repository as GitHub shows it. It has its own refs. It uses the objects of a local repository, and never changes
 * that repository.
 */
export type GitMirror = ReturnType<typeof createGitMirror>;

export interface MirrorSource {
  /** The repository that has the objects. It is a work tree or a bare repository. */
  readonly dir: string;
  /**
   * More branches. The key is the name, and the value is the commit id. If the repository has a branch of the same
   * name, this commit id is used.
   */
  readonly branches?: Readonly<Record<string, string>>;
  /** Returns the head commit of each pull request. The ref of each head is `refs/pull/N/head`. */
  readonly pullRequestHeads: () => ReadonlyMap<number, string>;
}

const REPOSITORY = 'repository.git';

/** All mirrors share this cache, because all mirrors of a repository have the same objects. */
const answers = createGitCache<Buffer>();

/** Creates a mirror. Writes to the disk only when git needs a repository. */
export function createGitMirror(source: MirrorSource) {
  let made: Promise<string> | undefined;
  const root = () => {
    made ??= make(source.dir);
    return made;
  };
  const reads = new Set<Promise<unknown>>();
  const read = async (args: readonly string[]) => {
    const { code, stdout } = await runGit(join(await root(), REPOSITORY), args);
    return code === 0 ? stdout : undefined;
  };
  let writes = 0;
  return {
    /** Returns all refs. The key is the full name, and the value is the current object id. */
    refs: () => refsOf(source),
    /**
     * Returns what git prints about the objects with these ids. The output must depend only on the ids, because it is
     * cached. Undefined if git fails.
     */
    ask: (ids: readonly string[], args: readonly string[]): Promise<Buffer | undefined> =>
      answers.recall(JSON.stringify([source.dir, ...args]), ids, () => {
        const answer = read(args);
        reads.add(answer);
        const forget = () => reads.delete(answer);
        answer.then(forget, forget);
        return answer;
      }),
    /** Writes the refs to the disk for `git http-backend`. Returns the folder that contains only `repository.git`. */
    publish: async (): Promise<string> => {
      const dir = await root();
      const text = [...(await refsOf(source))].map(([ref, id]) => `${id} ${ref}\n`).join('');
      writes += 1;
      const fresh = join(dir, `packed-refs-${writes}`);
      await writeFile(fresh, text);
      await rename(fresh, join(dir, REPOSITORY, 'packed-refs'));
      return dir;
    },
    remove: async (): Promise<void> => {
      // The repository is deleted only after all reads, because a second mirror may wait for their answers.
      await Promise.allSettled(reads);
      const dir = await made?.catch(() => undefined);
      if (dir !== undefined) await rm(dir, { recursive: true, force: true });
    },
  };
}

const SERVED = ['allowFilter', 'allowAnySHA1InWant', 'allowReachableSHA1InWant'];

async function make(from: string): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'scangate-github-'));
  const dir = join(root, REPOSITORY);
  const { objectFormat, objects, shallow } = await layoutOf(from);
  await createEmptyRepository(dir, { bare: true, objectFormat });
  await writeFile(join(dir, 'objects', 'info', 'alternates'), `${objects}\n`);
  if (existsSync(shallow)) await copyFile(shallow, join(dir, 'shallow'));
  // GitHub allows a fetch with a filter, and a fetch of any commit id that it knows.
  const served = SERVED.map((name) => `\t${name} = true\n`).join('');
  await appendFile(join(dir, 'config'), `[uploadpack]\n${served}`);
  if (remembersGit(from)) rememberGit(dir);
  return root;
}

/** `shallow` is the path of git's list of shallow commits. Only a shallow repository has this file. */
async function layoutOf(dir: string) {
  const questions = ['--show-object-format', '--git-path', 'objects', '--git-path', 'shallow'];
  const printed = (await git(dir, ['rev-parse', ...questions])).toString('utf8').split('\n');
  const [objectFormat = '', objects = '', shallow = ''] = printed;
  return { objectFormat, objects: resolve(dir, objects), shallow: resolve(dir, shallow) };
}

/** Returns the branches, the tags and the heads of pull requests. */
async function refsOf(source: MirrorSource): Promise<ReadonlyMap<string, string>> {
  const list = ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads', 'refs/tags'];
  const listed = await git(source.dir, list);
  const refs = new Map<string, string>();
  for (const line of listed.toString('utf8').split('\n')) {
    const space = line.indexOf(' ');
    if (space > 0) refs.set(line.slice(space + 1), line.slice(0, space));
  }
  for (const [branch, id] of Object.entries(source.branches ?? {})) refs.set(`refs/heads/${branch}`, id);
  for (const [number, id] of source.pullRequestHeads()) refs.set(`refs/pull/${number}/head`, id);
  return refs;
}
