import path from 'node:path';
import { UsageError } from '../command-line.ts';
import { resolveFromCwd } from '../cwd.ts';
import { SAMPLE_REPOSITORY } from '../demo/sample-repository.ts';
import { createGitFixture } from '../git-fixture.ts';
import { runGit } from '../git-process.ts';
import { ownerNameOf } from '../remote-address.ts';

/**
 * A git repository that the fake service scans. `defaultBranch` is null if no branch is checked out. A launch that names
 * no commit then scans the commit that is checked out. `remove` deletes temporary files, and never changes a repository
 * of the user.
 */
export type ServedRepository = Awaited<ReturnType<typeof givenRepository>>;

/** Creates the shop of the demo in a temporary folder. */
export async function sampleRepository(ownerName = 'octo-org/shop') {
  const { dir, remove } = await createGitFixture(SAMPLE_REPOSITORY);
  return { ...split(ownerName), gitDir: dir, defaultBranch: 'main', remove };
}

/**
 * Uses an existing repository, which is only read. Throws `UsageError` if it is not a git repository, or if it is a shallow
 * clone, because a scan could not read every commit.
 */
export async function givenRepository(given: string, ownerName?: string) {
  const gitDir = resolveFromCwd(given);
  const ask = async (...args: string[]) => {
    const { code, stdout } = await runGit(gitDir, args);
    return code === 0 ? stdout.toString('utf8').trim() : undefined;
  };
  if ((await ask('rev-parse', '--git-dir')) === undefined) {
    throw new UsageError(`--repository: ${gitDir} is not a git repository. Use the path of one.`);
  }
  if ((await ask('rev-parse', '--is-shallow-repository')) === 'true') {
    throw new UsageError(
      `--repository: ${gitDir} is a shallow clone, which lacks older commits. Run \`git fetch --unshallow\` in it, then start the sandbox again.`,
    );
  }
  const branch = await ask('symbolic-ref', '--quiet', '--short', 'HEAD');
  const named = ownerName ?? ownerNameOf(await ask('config', '--get', 'remote.origin.url'));
  return {
    ...split(named ?? `local/${path.basename(gitDir).replace(/[^\w.-]/g, '-') || 'repository'}`),
    gitDir,
    defaultBranch: branch ?? null,
    remove: async () => {},
  };
}

function split(ownerName: string): { owner: string; name: string } {
  const [owner = '', name = ''] = ownerName.split('/');
  return { owner, name };
}
