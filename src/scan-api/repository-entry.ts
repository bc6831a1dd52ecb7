import type { NotScanned } from '../domain/not-scanned.ts';
import { type ListEntry, type ProjectRepository, splitEntries } from '../domain/project.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { foreignLine } from '../text/foreign-text.ts';
import { malformedCandidate } from './malformed.ts';

/** Finds the repository with this id. Returns undefined if there is none, and an error if its entry is malformed. */
export function repositoryById(
  entries: readonly ListEntry<ProjectRepository>[],
  wanted: string,
): Result<ProjectRepository | undefined, NotScanned> {
  const { sound, malformed } = splitEntries(entries);
  const doubtful = malformed.filter(({ readable }) => readable.id === wanted);
  if (doubtful.length > 0) return err(malformedCandidate('repositories', doubtful, undefined));
  return ok(sound.find(({ id }) => id === wanted));
}

/**
 * Explains why a repository cannot be scanned; undefined if it can. Ignores `readiness`, because the run can wait until
 * the repository is ready.
 */
export function repositoryFault(
  repository: ProjectRepository | undefined,
  wanted: string,
): NotScanned | undefined {
  if (repository === undefined) return notListed(wanted);
  if (repository.status === 'ACTIVE') return undefined;
  return {
    reason: 'configuration',
    cause: `The repository \`${foreignLine(wanted)}\` is ${foreignLine(repository.status, 60)} in the service, not ACTIVE.`,
    nextStep:
      'Ask a project admin of the service to restore it, or set `repository-id` to another repository and push.',
  };
}

/** Explains that the repository is not in the list. */
export function notListed(wanted: string): NotScanned {
  return {
    reason: 'configuration',
    cause: `The project does not list the repository \`${foreignLine(wanted)}\`.`,
    nextStep:
      "Ask a project admin of the service to add it to the project and to the token's allowlist, or fix `repository-id` and push.",
  };
}
