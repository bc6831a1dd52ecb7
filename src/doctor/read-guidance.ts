import { readGuidanceFile } from '../change/guidance-file.ts';
import type { GitHubClient } from '../github/octokit.ts';
import { readStoredGuidance } from '../preflight/stored-guidance.ts';
import type { ScanApi } from '../scan-api/scan-api.ts';
import { foundRepository } from './diagnose.ts';
import type { DoctorFacts, GuidanceFacts } from './facts.ts';

interface GuidanceDeps {
  /** Undefined if the service is not asked. */
  readonly service: Pick<ScanApi, 'guidance'> | undefined;
  readonly github: GitHubClient | undefined;
  readonly signal: AbortSignal;
}

/**
 * Reads the guidance that a scan of the default branch would get. It consists of the file and of the guidance that the
 * service stores. Undefined if the input `guidance-file` is empty.
 */
export async function readGuidance(
  { service, github, signal }: GuidanceDeps,
  facts: DoctorFacts,
): Promise<GuidanceFacts | undefined> {
  const path = facts.reading.inputs.setup.guidanceFile;
  if (path === undefined) return undefined;
  const branch = facts.github?.branch;
  const repository = foundRepository(facts);
  const projectId = facts.service?.projectId;
  const [file, stored] = await Promise.all([
    github !== undefined && branch?.ok
      ? readGuidanceFile({ github, signal }, path, branch.value.sha)
      : undefined,
    service !== undefined && projectId?.ok && repository?.ok
      ? readStoredGuidance(service, projectId.value, repository.value.id, signal)
      : undefined,
  ]);
  return { path, file, stored };
}
