import { appendFile, cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { FixtureDescription } from '../../../sandbox/git-fixture.ts';
import { type SharedRepository, sharedRepository } from '../../support/shared-repository.ts';

/**
 * Creates a bare repository at `hosted` for a git server. The caller may change this repository, and has to remove it.
 */
export async function hostRepository(
  description: FixtureDescription,
  hosted: string,
): Promise<Pick<SharedRepository, 'id'>> {
  const repository = await sharedRepository(description);
  await cp(repository.dir, hosted, { recursive: true });
  // The repository accepts filters, as repositories on GitHub do.
  await appendFile(join(hosted, 'config'), '[uploadpack]\n\tallowFilter = true\n');
  return repository;
}
