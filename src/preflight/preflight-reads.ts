import type { NotScanned } from '../domain/not-scanned.ts';
import type { ListEntry, Preset, ProjectRepository, TokenInformation } from '../domain/project.ts';
import { err, ok, type Result } from '../domain/result.ts';
import type { ScanList } from '../domain/scan.ts';
import type { ApiError } from '../scan-api/api-error.ts';
import { explainApiError } from '../scan-api/explain-error.ts';
import type { ScanApi } from '../scan-api/scan-api.ts';
import { chooseProject } from './project.ts';

export interface ProjectReads {
  readonly projectId: string;
  readonly token: Result<TokenInformation, ApiError>;
  readonly repositories: Result<readonly ListEntry<ProjectRepository>[], ApiError>;
  readonly presets: Result<readonly ListEntry<Preset>[], ApiError>;
  /** The newest scans before the launch. */
  readonly scans: Result<ScanList, ApiError>;
}

/**
 * Reads the project's repositories, presets and scans, and asks what the token may do. With `project-id`, does both at
 * the same time. Without `project-id`, asks about the token first, because only this answer names the project.
 * @param askToken asks the service what the token may do, or returns the answer that is known already
 */
export async function readProject(
  api: Pick<ScanApi, 'repositories' | 'presets' | 'scans'>,
  askToken: () => ReturnType<ScanApi['token']>,
  given: string | undefined,
  signal: AbortSignal,
): Promise<Result<ProjectReads, NotScanned>> {
  if (given !== undefined) {
    const projectId = chooseProject(given, undefined);
    if (!projectId.ok) return projectId;
    const [token, lists] = await Promise.all([askToken(), readLists(api, projectId.value, signal)]);
    return ok({ projectId: projectId.value, token, ...lists });
  }
  const token = await askToken();
  if (!token.ok) return err(explainApiError(token.error));
  const projectId = chooseProject(undefined, token.value);
  if (!projectId.ok) return projectId;
  return ok({ projectId: projectId.value, token, ...(await readLists(api, projectId.value, signal)) });
}

/**
 * Finds the id of the project. Does not read the project's lists.
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
export type ProjectLists = Pick<ProjectReads, 'repositories' | 'presets' | 'scans'>;

export async function readLists(
  api: Pick<ScanApi, 'repositories' | 'presets' | 'scans'>,
  projectId: string,
  signal: AbortSignal,
): Promise<ProjectLists> {
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
  token: ProjectReads['token'],
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
export function readFaults(
  reads: readonly Result<unknown, ApiError>[],
  scopesMissing: boolean,
): NotScanned[] {
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
