import { createGitFixture, type FixtureDescription, type GitFixture } from '../../sandbox/git-fixture.ts';
import { rememberGit } from '../../sandbox/git-process.ts';

/** A repository that is only read. */
export type SharedRepository = Omit<GitFixture, 'remove'>;

const made = new Map<FixtureDescription, Promise<SharedRepository>>();

/**
 * Returns the repository with this description. All test files of this process share it. By default, the repository is
 * bare. Git answers each question about the repository only once.
 *
 * Nothing here removes the repository: it is in the run's temporary folder, which vitest.config.ts creates and removes.
 */
export function sharedRepository(description: FixtureDescription): Promise<SharedRepository> {
  const known = made.get(description) ?? make(description);
  made.set(description, known);
  return known;
}

async function make(description: FixtureDescription): Promise<SharedRepository> {
  const repository = await createGitFixture({ bare: true, ...description });
  rememberGit(repository.dir);
  return repository;
}
