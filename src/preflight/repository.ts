import type { NotScanned } from '../domain/not-scanned.ts';
import { type ListEntry, type ProjectRepository, splitEntries } from '../domain/project.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { leftOutSentence, malformedCandidate } from '../scan-api/malformed.ts';
import { notListed, repositoryById, repositoryFault } from '../scan-api/repository-entry.ts';
import { foreignLine } from '../text/foreign-text.ts';
import { listed } from '../text/listed.ts';

export interface WantedRepository {
  /** The input `repository-id`. */
  readonly repositoryId: string | undefined;
  readonly owner: string;
  readonly name: string;
  /** The GitHub server of this run, for example `https://github.com`. */
  readonly serverUrl: string;
}

/** Finds the repository like `findRepository`. Returns an error if the repository is not ACTIVE. */
export function chooseRepository(
  entries: readonly ListEntry<ProjectRepository>[],
  wanted: WantedRepository,
): Result<ProjectRepository, NotScanned> {
  const found = findRepository(entries, wanted);
  if (!found.ok) return found;
  const fault = repositoryFault(found.value, calledIn(wanted));
  return fault === undefined ? found : err(fault);
}

/**
 * Finds the repository whose id is the input `repository-id`. Without the input, finds the repository with the wanted
 * owner and name, and ignores case. Among several, takes the one whose `url` is on this GitHub server.
 *
 * Never guesses: two matches, or a malformed entry that may be the right one, are an error.
 */
export function findRepository(
  entries: readonly ListEntry<ProjectRepository>[],
  wanted: WantedRepository,
): Result<ProjectRepository, NotScanned> {
  const { repositoryId } = wanted;
  const chosen =
    repositoryId === undefined ? repositoryByName(entries, wanted) : repositoryById(entries, repositoryId);
  if (!chosen.ok) return chosen;
  if (chosen.value !== undefined) return ok(chosen.value);
  const { sound, malformed } = splitEntries(entries);
  const same = sound.filter((repository) => mayBeCalled(repository, wanted));
  const missing = notListed(calledIn(wanted));
  const cause = `${missing.cause}${leftOutSentence(malformed)}`;
  return err({ ...missing, cause, ...(same.length > 0 && { nextStep: setId(same) }) });
}

function setId(repositories: readonly ProjectRepository[]): string {
  return `Set \`repository-id\` in the workflow and push. Use one of: ${listed(repositories.map(({ id, url }) => `${id} (${url})`))}.`;
}

/** Names the repository for messages. */
export function calledIn({ repositoryId, owner, name }: Omit<WantedRepository, 'serverUrl'>): string {
  return repositoryId ?? `${owner}/${name}`;
}

function repositoryByName(
  entries: readonly ListEntry<ProjectRepository>[],
  wanted: WantedRepository,
): Result<ProjectRepository | undefined, NotScanned> {
  const { sound, malformed } = splitEntries(entries);
  const doubtful = malformed.filter(({ readable }) => mayBeCalled(readable, wanted));
  if (doubtful.length > 0) {
    const fix = 'Set `repository-id` to the id of this repository in the service';
    return err(malformedCandidate('repositories', doubtful, fix));
  }
  const { owner, name, serverUrl } = wanted;
  const same = sound.filter((repository) => mayBeCalled(repository, wanted));
  if (same.length <= 1) return ok(same[0]);
  const here = same.filter(({ url }) => hostOf(url) === hostOf(serverUrl));
  if (here.length === 1) return ok(here[0]);
  return err({
    reason: 'configuration',
    cause: `The project has ${same.length} repositories named \`${foreignLine(`${owner}/${name}`)}\`.`,
    nextStep: setId(same),
  });
}

/**
 * True if the owner and the name are those of the wanted repository. If only one of them can be read, compares only
 * this one. False if neither can be read.
 */
function mayBeCalled(
  readable: { readonly owner?: string | undefined; readonly name?: string | undefined },
  wanted: WantedRepository,
): boolean {
  const { owner, name } = readable;
  if (owner === undefined && name === undefined) return false;
  return sameWord(owner ?? wanted.owner, wanted.owner) && sameWord(name ?? wanted.name, wanted.name);
}

function sameWord(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** Returns the host of an address, also of `git@host:owner/name`; undefined if there is none. */
function hostOf(address: string): string | undefined {
  const scpLike = /^[^/@:\s]+@([^/:\s]+):/.exec(address);
  if (scpLike !== null) return scpLike[1]?.toLowerCase();
  const url = URL.parse(address);
  return url === null || url.host === '' ? undefined : url.host.toLowerCase();
}
