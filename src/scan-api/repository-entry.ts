import {
  type ListEntry,
  type MalformedEntry,
  type ProjectRepository,
  splitEntries,
} from '../domain/project.ts';
import { err, type NotScanned, ok, type Result } from '../domain/result.ts';
import { foreignLine, listed } from '../text/visible-text.ts';

const faultsOf = (entries: readonly MalformedEntry<unknown>[]) => listed(entries.map(({ fault }) => fault));

/**
 * Explains that the run could not choose an entry of a list, because a malformed entry may be the right one.
 * @param fix says which input to set: `Set …`, without a full stop; undefined if no input helps
 */
export function malformedCandidate(
  list: 'repositories' | 'presets',
  entries: readonly MalformedEntry<unknown>[],
  fix: string | undefined,
): NotScanned {
  return {
    reason: 'service-error',
    cause: `The service returned a malformed list of ${list}: ${faultsOf(entries)}.`,
    nextStep: `${fix === undefined ? 'Re-run' : `${fix} and push, or re-run`} this job later. If it fails again, contact the service's support.`,
  };
}

/**
 * Makes a sentence that says what is wrong with the malformed entries of a list. It ends a message about an entry that
 * was not found. Empty if all entries are well-formed.
 */
export function leftOutSentence(entries: readonly MalformedEntry<unknown>[]): string {
  return entries.length === 0 ? '' : ` Malformed entries were ignored: ${faultsOf(entries)}.`;
}

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
