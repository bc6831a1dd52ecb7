import { existsSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../command-line.ts';
import { createGitFixture } from '../git-fixture.ts';
import { GitError, git, runGit } from '../git-process.ts';
import { refuseIncomplete } from '../scan-service/analyzer/changed-lines.ts';
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
  /** The head before the last push. Undefined if there was only one push. */
  readonly previousHeadSha: string | undefined;
  /** Deletes the files of the demo. A repository of the user is never changed. */
  remove(): Promise<void>;
}

/** Creates the sample pull request in a repository of its own. */
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

/**
 * The demo cannot use the repository, or a commit that the command line names. The message says why, and what to do.
 */
/**
 * Refuses a folder that is not the top folder of a git repository. Also refuses a shallow clone, because it can lack
 * the merge base.
 */
async function refuseUnfit(directory: string): Promise<void> {
  if (!existsSync(directory))
    throw new UsageError(`--repo: ${directory} does not exist. Use the path of a git repository.`);
  const isShallow = await git(directory, ['rev-parse', '--is-shallow-repository']).catch(() => {
    throw new UsageError(`--repo: ${directory} is not a git repository.`);
  });
  const prefix = await git(directory, ['rev-parse', '--show-prefix']);
  if (prefix.toString('utf8').trim() !== '')
    throw new UsageError(
      `--repo: ${directory} is a folder inside of a git repository. Use the top folder of the repository.`,
    );
  if (isShallow.toString('utf8').trim() === 'true')
    throw new UsageError(
      `--repo: ${directory} is a shallow clone, in which the merge base cannot be found. Run \`git fetch --unshallow\` in it, then run the demo again.`,
    );
}

/**
 * Refuses a repository in which objects of the change are missing. The demo does not fetch them, because it only reads
 * the repository.
 */
async function refuseMissingObjects(change: LocalChange): Promise<void> {
  const { directory, headSha } = change;
  try {
    const [mergeBase] = await mergeBases(change);
    if (mergeBase !== undefined) await refuseIncomplete(directory, mergeBase, headSha);
  } catch {
    const promisor = await runGit(directory, ['config', '--get-regexp', '^remote\\..*\\.promisor$', 'true']);
    throw new UsageError(
      promisor.code === 0
        ? `--repo: ${directory} is a partial clone that does not hold all files of this change. Run \`git fetch --refetch --no-filter\` in it, then run the demo again.`
        : `--repo: ${directory} does not hold all objects of this change. Check it with \`git fsck\`, or clone it again, then run the demo again.`,
    );
  }
}

/** Finds a change in an existing repository. Only reads the repository. Throws `UsageError`. */
export async function givenChange(repo: string, base: string, head: string): Promise<LocalChange> {
  const directory = path.resolve(repo);
  await refuseUnfit(directory);
  const commit = async (ref: string, option: string) => {
    const arguments_ = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
    const id = await git(directory, arguments_).catch(() => {
      throw new UsageError(
        `--${option}: ${ref} is not a commit in ${directory}. Use a branch, a tag or a commit.`,
      );
    });
    return id.toString('utf8').trim();
  };
  const change: LocalChange = {
    directory,
    repository: `local/${path.basename(directory).replace(/[^\w.-]/g, '-') || 'repository'}`,
    baseRef: branchFor(base),
    baseSha: await commit(base, 'base'),
    headSha: await commit(head, 'head'),
    headRef: head,
    previousHeadSha: undefined,
    remove: async () => {},
  };
  await refuseMissingObjects(change);
  return change;
}

/** Makes a valid branch name from the value of `--base`. `HEAD~3` becomes `HEAD-3`, and a commit id is shortened. */
function branchFor(base: string): string {
  if (/^[0-9a-f]{40}$/.test(base)) return `commit-${base.slice(0, 7)}`;
  return base.replace(/[^\w./-]+/g, '-').replace(/^[-./]+|[-./]+$/g, '') || 'base';
}

/** Asks git for all merge bases. The demo checks that the action measured from one of them. */
export async function mergeBases({ directory, baseSha, headSha }: LocalChange): Promise<readonly string[]> {
  const { code, stdout, stderr } = await runGit(directory, ['merge-base', '--all', baseSha, headSha]);
  // Exit code 1 means that there is no merge base.
  if (code > 1) throw new GitError(`git merge-base ended with ${code}: ${stderr.trim()}`);
  return stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}
