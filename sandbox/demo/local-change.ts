import { existsSync } from 'node:fs';
import path from 'node:path';
import { createGitFixture } from '../git-fixture.ts';
import { git } from '../git-process.ts';
import { SAMPLE_REPOSITORY } from './sample-repository.ts';

/** A change between two commits of a git repository on this machine. */
export interface LocalChange {
  readonly directory: string;
  /** `owner/name` in the fake GitHub. */
  readonly repository: string;
  /** The name of the base branch in the fake GitHub. */
  readonly baseRef: string;
  readonly baseSha: string;
  readonly headSha: string;
  readonly headRef: string;
  /** The head before the last push. Undefined where there was none. */
  readonly previousHeadSha: string | undefined;
  /** Deletes what the demo created. Never touches a given repository. */
  remove(): Promise<void>;
}

/** The sample pull request, in a repository of its own. */
export async function sampleChange(): Promise<LocalChange> {
  const fixture = await createGitFixture(SAMPLE_REPOSITORY);
  return {
    directory: fixture.dir,
    repository: 'octo-org/shop',
    baseRef: 'main',
    baseSha: await fixture.git('rev-parse', 'main'),
    headSha: await fixture.git('rev-parse', 'order-export'),
    headRef: 'order-export',
    previousHeadSha: fixture.id('orders by customer'),
    remove: fixture.remove,
  };
}

/** A commit or folder of the command line does not exist. The message names it. */
export class NoSuchCommit extends Error {}

/** In a shallow clone, git can return an older commit than the merge base, or none. */
async function refuseUnfit(directory: string): Promise<void> {
  if (!existsSync(directory)) throw new NoSuchCommit(`--repo: ${directory} does not exist.`);
  const isShallow = await git(directory, ['rev-parse', '--is-shallow-repository']).catch(() => {
    throw new NoSuchCommit(`--repo: ${directory} is not a git repository.`);
  });
  if (isShallow.toString('utf8').trim() === 'true')
    throw new NoSuchCommit(
      `--repo: ${directory} is a shallow clone, in which the merge base cannot be found. Run \`git fetch --unshallow\` in it, then run the demo again.`,
    );
}

/** A change of an existing repository, which is only read. Throws `NoSuchCommit`. */
export async function givenChange(repo: string, base: string, head: string): Promise<LocalChange> {
  const directory = path.resolve(repo);
  await refuseUnfit(directory);
  const commit = async (ref: string, option: string) => {
    const arguments_ = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
    const id = await git(directory, arguments_).catch(() => {
      throw new NoSuchCommit(`--${option}: ${ref} is not a commit in ${directory}.`);
    });
    return id.toString('utf8').trim();
  };
  return {
    directory,
    repository: `local/${path.basename(directory).replace(/[^\w.-]/g, '-') || 'repository'}`,
    baseRef: /^[\w./-]+$/.test(base) && !/^[0-9a-f]{40}$/.test(base) ? base : 'base',
    baseSha: await commit(base, 'base'),
    headSha: await commit(head, 'head'),
    headRef: head,
    previousHeadSha: undefined,
    remove: async () => {},
  };
}

/** All merge bases, computed by git on the full history. The demo compares the action's merge base with them. */
export async function mergeBases({ directory, baseSha, headSha }: LocalChange): Promise<readonly string[]> {
  // Exit code 1: there is no merge base.
  const answer = await git(directory, ['merge-base', '--all', baseSha, headSha]).catch(() => Buffer.from(''));
  return answer
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}
