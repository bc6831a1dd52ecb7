import type { Answer } from '../../faults/interception.ts';
import { showPreset, showRepository, showToken } from '../serializers.ts';
import type { Call, RepositoryRecord } from '../state.ts';
import { canSee } from '../visibility.ts';

export function readToken({ state, token }: Call): Answer {
  return { status: 200, body: showToken(state, token) };
}

export function listPresets({ state }: Call): Answer {
  return { status: 200, body: { presets: state.presets.map((preset) => showPreset(state, preset)) } };
}

export function listRepositories({ state, token }: Call): Answer {
  const seen = state.repositories.filter((repository) => canSee(token, repository));
  const body = { repositories: seen.map((repository) => showRepository(state, repository)) };
  for (const repository of seen) passTime(repository);
  return { status: 200, body };
}

/** Advances the first analysis of a repository. Each listing calls this, so that tests need not wait. */
function passTime(repository: RepositoryRecord): void {
  if (repository.readiness === 'ready' || repository.listingsUntilReady === null) return;
  repository.listingsUntilReady -= 1;
  if (repository.listingsUntilReady <= 0) repository.readiness = 'ready';
}
