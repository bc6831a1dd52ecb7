import type { Preset, ProjectRepository, TokenInformation } from '../domain/project.ts';
import { err, type NotScanned, ok, type Result, sentencesOf } from '../domain/result.ts';
import type { ScanList } from '../domain/scan.ts';
import { type ScanTarget, scanKindOf } from '../domain/target.ts';
import type { Inputs } from '../runner/inputs.ts';
import type { ApiError } from '../scan-api/api-error.ts';
import type { ScanApi } from '../scan-api/client.ts';
import { explainApiError } from '../scan-api/explain-error.ts';
import { isUsableId } from '../scan-api/lookup.ts';
import { LAUNCH_NAMES, type LaunchParameters, sentValue } from '../scan-api/wire-writes.ts';
import type { ServiceStep } from '../start/step.ts';
import { foreignLine } from '../text/visible-text.ts';
import { chooseBudget, choosePreset, chooseRepository } from './choose.ts';
import { expiryNotices, scopeFaults } from './token-check.ts';

/**
 * Combines several problems into one, so that users can fix them together. If there are configuration errors, reports
 * only them, because all other problems may be temporary. Otherwise reports the first problem, and all problems with
 * the same reason.
 */
export function combineFaults(faults: readonly [NotScanned, ...NotScanned[]]): NotScanned {
  const [first] = faults;
  const wrongSetup = faults.filter(({ reason }) => reason === 'configuration');
  const counted = wrongSetup.length > 0 ? wrongSetup : faults.filter(({ reason }) => reason === first.reason);
  const [one = first, ...others] = new Map(counted.map((fault) => [fault.cause, fault])).values();
  if (others.length === 0) return one;
  return {
    ...one,
    cause: `Scangate found ${others.length + 1} problems.`,
    problems: [one, ...others].map(sentencesOf),
    nextStep: 'Fix all of them. Then push if the workflow changed, else re-run this job.',
  };
}

/**
 * Chooses the id of the project: the input, otherwise the project of the token. Returns an error if the id is missing
 * or invalid, or if the token belongs to another project.
 * @param given the input `project-id`; undefined if it is empty
 * @param token undefined if the token was not read or cannot be read
 */
export function chooseProject(
  given: string | undefined,
  token: Pick<TokenInformation, 'projectId'> | undefined,
): Result<string, NotScanned> {
  const shown = token?.projectId;
  if (given === undefined) return shown === undefined ? err(NOT_SHOWN) : ok(shown);
  if (!isUsableId(given)) return err(NOT_AN_ID);
  return shown === undefined || shown === given ? ok(given) : err(otherProject(shown, given));
}

const NOT_AN_ID: NotScanned = {
  reason: 'configuration',
  cause: '`project-id` is not a valid id.',
  nextStep: "Copy the id from the project's settings in the service, or remove the input. Then push.",
};

const NOT_SHOWN: NotScanned = {
  reason: 'configuration',
  cause: 'The service does not show which project `api-token` belongs to.',
  nextStep: "Set `project-id` to the project's id in the workflow and push.",
};

function otherProject(shown: string, given: string): NotScanned {
  return {
    reason: 'configuration',
    cause: `\`api-token\` belongs to project \`${foreignLine(shown)}\`, but \`project-id\` is \`${foreignLine(given)}\`.`,
    nextStep:
      'Fix or remove `project-id` in the workflow and push, or update the secret with a token of that project.',
  };
}

/**
 * Finds the id of the project. Asks about the token only if the input is empty.
 * @param askToken asks the service what the token may do, or returns the answer that is known already
 * @param given the input `project-id`
 */
export async function findProject(
  askToken: () => ReturnType<ScanApi['token']>,
  given: string | undefined,
): Promise<Result<string, NotScanned>> {
  if (given !== undefined) return chooseProject(given, undefined);
  const token = await askToken();
  return token.ok ? chooseProject(undefined, token.value) : err(explainApiError(token.error));
}

/** The lists of a project. Each of them can fail on its own. */
export type ProjectLists = Awaited<ReturnType<typeof readLists>>;

/** Reads the project's repositories, its presets, and its newest scans. */
export async function readLists(
  api: Pick<ScanApi, 'repositories' | 'presets' | 'scans'>,
  projectId: string,
  signal: AbortSignal,
) {
  const [repositories, presets, scans] = await Promise.all([
    api.repositories(projectId, { signal }),
    api.presets(projectId, { signal }),
    api.scans(projectId, { signal }),
  ]);
  return { repositories, presets, scans };
}

/**
 * Decides whether the run can use the token. Returns an error if the service answered 401, or if the run was stopped.
 * After all other failures, the run continues. The service checks the token again when the run reads the project's
 * lists.
 */
export function usableToken(
  token: Result<TokenInformation, ApiError>,
): Result<{ information: TokenInformation | undefined; warnings: string[] }, NotScanned> {
  if (token.ok) return ok({ information: token.value, warnings: [] });
  const { error } = token;
  const unauthorized = 'status' in error && error.status === 401;
  const failure = explainApiError(error);
  if (unauthorized || error.kind === 'stopped') return err(failure);
  return ok({
    information: undefined,
    warnings: [`Could not check the token's project, scopes and expiry. ${failure.cause}`],
  });
}

/**
 * Returns the problems of the calls that failed. Calls with the same cause give one problem. If the token lacks a
 * scope, leaves out the refusals with the code `forbidden`, because the missing scope explains them.
 */
function readFaults(reads: readonly Result<unknown, ApiError>[], scopesMissing: boolean): NotScanned[] {
  const errors = reads.flatMap((read) => (read.ok ? [] : [read.error]));
  const different = new Map(errors.toReversed().map((error) => [sameness(error), error] as const));
  return [...different.values()]
    .filter((error) => !(scopesMissing && error.kind === 'refused' && error.code === 'forbidden'))
    .map((error) => explainApiError(error));
}

function sameness(error: ApiError): string {
  switch (error.kind) {
    case 'refused':
      return `refused ${error.code}`;
    case 'invalid':
      return `invalid ${error.problem} ${error.status}`;
    case 'unreachable':
      return `unreachable ${error.cause}`;
    case 'stopped':
      return 'stopped';
  }
}

/** What the run knows before it asks the service. */
export interface Wanted {
  readonly inputs: Inputs;
  /** The input `launch-parameters`. Its fields override the repository, the preset and the budget of the inputs. */
  readonly parameters: LaunchParameters;
  readonly target: ScanTarget;
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
  /** The newest scans. A launch needs them, to prove later which scan is new. */
  readonly scans: Result<ScanList, ApiError>;
  readonly warnings: readonly string[];
}

/**
 * Reads the token, the repositories, the presets and the newest scans, and chooses what the launch uses. Combines
 * several problems into one, as `combineFaults` does.
 * @param askToken asks the service what the token may do, or returns the answer that is known already
 */
export async function preflight(
  { api, clock, signal }: ServiceStep,
  askToken: () => ReturnType<ScanApi['token']>,
  { inputs, parameters, target, serverUrl }: Wanted,
): Promise<Result<Preflight, NotScanned>> {
  const { setup, publish, connection } = inputs;
  const unreadable = parametersFault(parameters);
  if (unreadable !== undefined) return err(unreadable);
  const repositoryId = sentValue(parameters, 'repositoryId', setup.repositoryId);
  const presetRef = sentValue(parameters, 'presetRef', setup.preset);
  const creditBudget = sentValue(parameters, 'creditBudget', setup.creditBudget);

  const found = await findProject(askToken, connection.projectId);
  if (!found.ok) return found;
  const projectId = found.value;
  const [answer, lists] = await Promise.all([askToken(), readLists(api, projectId, signal)]);
  const { repositories, presets, scans } = lists;
  const token = usableToken(answer);
  if (!token.ok) return token;
  const { information, warnings } = token.value;

  const project = chooseProject(projectId, information);
  if (!project.ok) return project;
  const scopes = information === undefined ? [] : scopeFaults(information, publish.when !== 'never');
  const repository = repositories.ok
    ? chooseRepository(repositories.value, { ...target.repository, serverUrl, repositoryId })
    : undefined;
  const chosen = presets.ok ? choosePreset(presets.value, presetRef, scanKindOf(target)) : undefined;
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
    scans,
    warnings: [...warnings, ...(information === undefined ? [] : expiryNotices(information, clock.date()))],
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
