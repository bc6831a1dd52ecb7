import { existsSync } from 'node:fs';
import path from 'node:path';
import { createGitFixture } from '../git-fixture.ts';
import { git } from '../git-process.ts';
import { SAMPLE_REPOSITORY } from './sample-repository.ts';

/** A change between two commits of a git repository on this machine. */
export interface LocalChange {
  readonly directory: string;
  /** `owner/name` for the stand-in of GitHub. */
  readonly repository: string;
  /** The base branch's name for the stand-in of GitHub. */
  readonly baseRef: string;
  readonly baseSha: string;
  readonly headSha: string;
  readonly headRef: string;
  /** What was pushed before the head; undefined where nothing was. */
  readonly previousHeadSha: string | undefined;
  /** Deletes what was made for the demo; nothing of a repository that was there before. */
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

/** What was asked for is not there; the message says what. */
export class NoSuchCommit extends Error {}

/** Where the history is cut, git can name an older commit than the merge base, or none. */
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

/** A change of a repository that is already there; it is only read. Throws `NoSuchCommit`. */
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

/** All merge bases by git on the full history: what the action's answer is held against. */
export async function mergeBases({ directory, baseSha, headSha }: LocalChange): Promise<readonly string[]> {
  // Exit 1 means that there is none.
  const answer = await git(directory, ['merge-base', '--all', baseSha, headSha]).catch(() => Buffer.from(''));
  return answer
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}
