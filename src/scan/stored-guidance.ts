import type { PendingLaunch } from '../domain/pending-launch.ts';
import type { Scan } from '../domain/scan.ts';
import type { ScanApi } from '../scan-api/scan-api.ts';
import { hashOfText } from '../scan-api/wire-writes.ts';

/**
 * Reads the SHA-256 of the guidance that the service stores for the repository. Makes a request only if the launch sent
 * no guidance, and one of the scans shows guidance without its source.
 * @returns undefined if the guidance is not needed, does not exist or cannot be read
 */
export async function readStoredHash(
  api: Pick<ScanApi, 'guidance'>,
  { projectId, subject }: Pick<PendingLaunch, 'projectId' | 'subject'>,
  scans: Iterable<Scan>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const isGuided = [...scans].some(({ guidance }) => guidance?.from === 'unknown');
  if (subject === undefined || subject.guidance !== undefined || !isGuided) return undefined;
  const stored = await api.guidance(projectId, subject.repositoryId, { signal });
  return stored.ok && stored.value !== null ? hashOfText(stored.value) : undefined;
}

/**
 * Returns the scan. If its guidance is the stored text, the result says that the guidance comes from the repository,
 * not from a launch. Pure.
 */
export function withStoredGuidance(scan: Scan, storedHash: string | undefined): Scan {
  const isStored = scan.guidance?.from === 'unknown' && scan.guidance.hash === storedHash;
  return isStored ? { ...scan, guidance: { from: 'repository' } } : scan;
}
