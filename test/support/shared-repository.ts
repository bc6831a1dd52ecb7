import { createGitFixture, type FixtureDescription, type GitFixture } from '../../sandbox/git-fixture.ts';
import { rememberGit } from '../../sandbox/git-process.ts';

/** A repository that is only read. */
export type SharedRepository = Omit<GitFixture, 'remove'>;

const made = new Map<FixtureDescription, Promise<SharedRepository>>();

/**
 * Returns a repository with this description. All test files of this process share it. It is bare by default, and git
 * answers each question about it only once. It is removed with the run's temporary folder, which vitest.config.ts
 * creates.
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
