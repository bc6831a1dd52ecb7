import type { NotScanned } from '../domain/not-scanned.ts';
import { err, type Result } from '../domain/result.ts';
import { explainApiError } from '../scan-api/explain-error.ts';
import type { ScanApi } from '../scan-api/scan-api.ts';
import { LAUNCH_NAMES, type LaunchParameters } from '../scan-api/wire-writes.ts';

/**
 * Reads the guidance that the service stores for the repository; null if there is none. The guidance that a run sends
 * replaces the stored guidance. So if the stored guidance cannot be read, the run must not send guidance.
 */
export async function readStoredGuidance(
  api: Pick<ScanApi, 'guidance'>,
  projectId: string,
  repositoryId: string,
  signal: AbortSignal,
): Promise<Result<string | null, NotScanned>> {
  const read = await api.guidance(projectId, repositoryId, { signal });
  if (read.ok) return read;
  const failure = explainApiError(read.error);
  const cause = `${failure.cause} Scangate composes \`guidance-file\` with that text, so nothing was launched.`;
  return err(failure.bySignal === true ? failure : { ...failure, cause });
}

/**
 * Returns an error if both `guidance-file` and `launch-parameters` contain guidance. `launch-parameters` would silently
 * replace the guidance of the file. Pure.
 */
export function refuseTwoGuidances(
  guidanceFile: string | undefined,
  { given }: Pick<LaunchParameters, 'given'>,
): NotScanned | undefined {
  return guidanceFile !== undefined && Object.hasOwn(given, LAUNCH_NAMES.guidance)
    ? TWO_GUIDANCES
    : undefined;
}

const TWO_GUIDANCES: NotScanned = {
  reason: 'configuration',
  cause: '`guidance-file` is set, and `launch-parameters` has `guidance` too.',
  nextStep: 'Keep one of them in the workflow and push.',
};
