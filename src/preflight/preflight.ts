import type { Clock } from '../clock.ts';
import type { NotScanned } from '../domain/not-scanned.ts';
import type { Preset, ProjectRepository, TokenInformation } from '../domain/project.ts';
import { err, ok, type Result } from '../domain/result.ts';
import type { ScanList } from '../domain/scan.ts';
import type { ScanKind } from '../domain/target.ts';
import type { ScanApi } from '../scan-api/scan-api.ts';
import { LAUNCH_NAMES, type LaunchParameters, sentValue } from '../scan-api/wire-writes.ts';
import { combineFaults } from './faults.ts';
import { readFaults, readProject, usableToken } from './preflight-reads.ts';
import { chooseBudget, choosePreset } from './preset.ts';
import { chooseProject } from './project.ts';
import { chooseRepository } from './repository.ts';
import { expiryNotices, scopeFaults } from './token-check.ts';

export interface PreflightDeps {
  readonly api: Pick<ScanApi, 'repositories' | 'presets' | 'scans'>;
  /** Asks the service what the token may do, or returns the answer that is known already. */
  readonly askToken: () => ReturnType<ScanApi['token']>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export interface Wanted {
  readonly scanKind: ScanKind;
  /** The input `project-id`; undefined if it is empty. */
  readonly projectId: string | undefined;
  readonly repositoryId: string | undefined;
  readonly preset: string | undefined;
  readonly creditBudget: number | undefined;
  /** The fields of `launch-parameters`. They override the repository, the preset and the budget of the inputs. */
  readonly launchParameters: LaunchParameters;
  readonly willPublish: boolean;
  /** The owner of this repository on GitHub. */
  readonly owner: string;
  readonly name: string;
  readonly serverUrl: string;
}

/** What a launch needs. The run checks this before it spends credits. The repository may not be ready yet. */
export interface Preflight {
  readonly projectId: string;
  readonly repository: ProjectRepository;
  readonly preset: Preset;
  /** In whole credits. If undefined, the launch omits the field. */
  readonly creditBudget: number | undefined;
  /**
   * Undefined if the service did not say what the token may do. With `project-id`, the run continues without this
   * answer.
   */
  readonly token: TokenInformation | undefined;
  /**
   * The newest scans. Undefined if the run could not read them. Then it cannot recognize the scan of a launch whose
   * answer was lost.
   */
  readonly scans: ScanList | undefined;
  readonly warnings: readonly string[];
}

/**
 * Reads the token, the repositories, the presets and the newest scans, and chooses what the launch uses. Combines
 * several problems into one, as `combineFaults` does.
 */
export async function preflight(deps: PreflightDeps, wanted: Wanted): Promise<Result<Preflight, NotScanned>> {
  const { launchParameters } = wanted;
  const unreadable = parametersFault(launchParameters);
  if (unreadable !== undefined) return err(unreadable);
  const repositoryId = sentValue(launchParameters, 'repositoryId', wanted.repositoryId);
  const presetRef = sentValue(launchParameters, 'presetRef', wanted.preset);
  const creditBudget = sentValue(launchParameters, 'creditBudget', wanted.creditBudget);

  const read = await readProject(deps.api, deps.askToken, wanted.projectId, deps.signal);
  if (!read.ok) return read;
  const { projectId, repositories, presets, scans } = read.value;
  const token = usableToken(read.value.token);
  if (!token.ok) return token;
  const { information, warnings } = token.value;

  const project = chooseProject(projectId, information);
  if (!project.ok) return project;
  const scopes = information === undefined ? [] : scopeFaults(information, wanted.willPublish);
  const repository = repositories.ok
    ? chooseRepository(repositories.value, { ...wanted, repositoryId })
    : undefined;
  const chosen = presets.ok ? choosePreset(presets.value, presetRef, wanted.scanKind) : undefined;
  const budget = chosen?.ok ? chooseBudget(creditBudget, chosen.value) : undefined;

  const [fault, ...others] = [
    ...scopes,
    ...readFaults([repositories, presets], scopes.length > 0),
    ...faultsOf(repository),
    ...faultsOf(chosen),
    ...faultsOf(budget),
  ];
  if (fault !== undefined) return err(combineFaults([fault, ...others]));
  if (!repository?.ok || !chosen?.ok || !budget?.ok)
    throw new Error('a problem of the preflight was not reported');
  return ok({
    projectId,
    repository: repository.value,
    preset: chosen.value,
    creditBudget: budget.value,
    token: information,
    scans: scans.ok ? scans.value : undefined,
    warnings: [
      ...warnings,
      ...(information === undefined ? [] : expiryNotices(information, deps.clock.date())),
    ],
  });
}

function faultsOf<E>(result: Result<unknown, E> | undefined): E[] {
  return result === undefined || result.ok ? [] : [result.error];
}

/** Reports the fields of `launch-parameters` that have a wrong type. */
export function parametersFault({ unreadable }: LaunchParameters): NotScanned | undefined {
  // `planBase` reports a head of the wrong type.
  const names = [...unreadable].filter((field) => field !== 'headSha').map((field) => LAUNCH_NAMES[field]);
  if (names.length === 0) return undefined;
  return {
    reason: 'configuration',
    cause: `\`launch-parameters\` has fields of the wrong type: ${names.join(', ')}.`,
    nextStep:
      'Use strings for ids, commits and guidance, a list of strings for audit areas, a whole number for the budget, and `null` to leave a field out.',
  };
}
