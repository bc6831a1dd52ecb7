import type { NotScanned } from '../domain/not-scanned.ts';
import type { ProjectRepository } from '../domain/project.ts';
import type { Result } from '../domain/result.ts';
import { calledIn, type WantedRepository } from '../preflight/repository.ts';
import { repositoryFault } from '../scan-api/repository-entry.ts';
import type { GitHubFacts, ServiceFacts } from './facts.ts';
import { explainRead, fixerOf } from './failed-read.ts';
import { code, errorOf, ok, type Row, skipped, warning } from './row.ts';

const ADMIN = 'Project admin of the service';

/** Rows about the repository in the service. @param found undefined if the list was not read */
export function repositoryRows(
  service: ServiceFacts | undefined,
  found: Result<ProjectRepository, NotScanned> | undefined,
  wanted: WantedRepository,
  github: GitHubFacts | undefined,
): readonly Row[] {
  const list = service?.lists?.repositories;
  if (list !== undefined && !list.ok) {
    return [errorOf('Repository', explainRead(list.error), fixerOf(list.error))];
  }
  if (found === undefined) return [skipped('Repository', 'Not checked: the repositories were not read.')];
  if (!found.ok) return [errorOf('Repository', found.error, ADMIN)];
  return [stateRow(found.value, wanted), defaultBranchRow(found.value, github)];
}

function stateRow(repository: ProjectRepository, wanted: WantedRepository): Row {
  const fault = repositoryFault(repository, calledIn(wanted));
  if (fault !== undefined) return errorOf('Repository', fault, ADMIN);
  const { id, owner, name, readiness } = repository;
  const called = `${code(`${owner}/${name}`)} is ${code(id)} in the service`;
  return readiness === 'ready'
    ? ok('Repository', `${called}, ACTIVE and ready.`)
    : warning(
        'Repository',
        `${called}. It is not ready: ${code(readiness)}.`,
        'Support of the service',
        'Wait until the service has analyzed the repository. A scan waits for it too, and ends as `initializing` if it takes longer than `timeout-minutes`.',
      );
}

function defaultBranchRow({ defaultBranch }: ProjectRepository, github: GitHubFacts | undefined): Row {
  if (defaultBranch === undefined) {
    return skipped('Default branch', 'The service shows no default branch.');
  }
  if (github === undefined || !github.defaultBranch.ok) {
    return skipped('Default branch', `${code(defaultBranch)} in the service. GitHub was not read.`);
  }
  const { value } = github.defaultBranch;
  return value === defaultBranch
    ? ok('Default branch', `${code(value)} in the service and on GitHub.`)
    : warning(
        'Default branch',
        `${code(defaultBranch)} in the service, ${code(value)} on GitHub. Audit areas are read from the branch of the service.`,
        ADMIN,
        'Set the default branch of the repository in the service to that of GitHub.',
      );
}
