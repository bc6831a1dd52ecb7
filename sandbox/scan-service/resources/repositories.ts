import type { Answer } from '../../faults/interception.ts';
import { canSee } from '../reach.ts';
import { showRepository } from '../wire.ts';
import type { Call, RepositoryRecord } from '../world.ts';

export function listRepositories({ world, token }: Call): Answer {
  const seen = world.repositories.filter((repository) => canSee(token, repository));
  const body = { repositories: seen.map((repository) => showRepository(world, repository)) };
  for (const repository of seen) passTime(repository);
  return { status: 200, body };
}

/** The one-time pass over a new repository goes on with every listing, so that tests need no time. */
function passTime(repository: RepositoryRecord): void {
  if (repository.readiness === 'ready' || repository.listingsUntilReady === null) return;
  repository.listingsUntilReady -= 1;
  if (repository.listingsUntilReady <= 0) repository.readiness = 'ready';
}
