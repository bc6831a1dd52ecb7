import type { NotScanned } from '../domain/not-scanned.ts';
import type { ProjectRepository } from '../domain/project.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { foreignLine } from '../scan-api/foreign-text.ts';
import { listed } from './listed.ts';

export interface WantedRepository {
  /** The input `repository-id`. */
  readonly repositoryId: string | undefined;
  readonly owner: string;
  readonly name: string;
  /** The GitHub server of this run, e.g. `https://github.com`. */
  readonly serverUrl: string;
}

/**
 * The repository that the input names; otherwise the one of the same owner and name in any case, and among several
 * the one whose `url` is on this GitHub server. Never two, never a guess.
 */
export function chooseRepository(
  repositories: readonly ProjectRepository[],
  wanted: WantedRepository,
): Result<ProjectRepository, NotScanned> {
  const chosen =
    wanted.repositoryId === undefined
      ? byName(repositories, wanted)
      : ok(repositories.find(({ id }) => id === wanted.repositoryId));
  if (!chosen.ok) return chosen;
  const fault = repositoryFault(chosen.value, wanted.repositoryId ?? `${wanted.owner}/${wanted.name}`);
  if (fault !== undefined || chosen.value === undefined) return err(fault ?? notListed(wanted.name));
  return ok(chosen.value);
}

function byName(
  repositories: readonly ProjectRepository[],
  { owner, name, serverUrl }: WantedRepository,
): Result<ProjectRepository | undefined, NotScanned> {
  const same = repositories.filter(
    (repository) => sameWord(repository.owner, owner) && sameWord(repository.name, name),
  );
  if (same.length <= 1) return ok(same[0]);
  const here = same.filter(({ url }) => hostOf(url) === hostOf(serverUrl));
  if (here.length === 1) return ok(here[0]);
  return err({
    reason: 'configuration',
    cause: `The project has ${same.length} repositories named ${foreignLine(`${owner}/${name}`)}.`,
    nextStep: `Set the input \`repository-id\` to one of: ${listed(same.map(({ id, url }) => `${id} (${url})`))}.`,
  });
}

/** What makes a repository unfit for a scan, readiness aside. */
export function repositoryFault(
  repository: ProjectRepository | undefined,
  wanted: string,
): NotScanned | undefined {
  if (repository === undefined) return notListed(wanted);
  if (repository.status === 'ACTIVE') return undefined;
  return {
    reason: 'configuration',
    cause: `The repository ${foreignLine(wanted)} is ${foreignLine(repository.status, 60)} in the service, not ACTIVE.`,
    nextStep:
      'A project admin restores or adds the repository in the service, or `repository-id` names another.',
  };
}

function notListed(wanted: string): NotScanned {
  return {
    reason: 'configuration',
    cause: `The project's repositories do not include ${foreignLine(wanted)}.`,
    nextStep:
      "Either it is not in the project, or it is outside the token's repository allowlist (the service does not say which): a project admin adds it to the project or to the token, or the input `repository-id` is corrected.",
  };
}

function sameWord(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** The host of an address, `git@host:owner/name` included; undefined where there is none. */
function hostOf(address: string): string | undefined {
  const scpLike = /^[^/@:\s]+@([^/:\s]+):/.exec(address);
  if (scpLike !== null) return scpLike[1]?.toLowerCase();
  const url = URL.parse(address);
  return url === null || url.host === '' ? undefined : url.host.toLowerCase();
}
