import type { Log } from '../log.ts';
import { findRunningScan } from '../scan/running-scan.ts';
import { reuseKey, type ScanParts } from '../scan/scan-mark.ts';
import type { ScanApi } from '../scan-api/client.ts';
import type { EarlierMark } from './earlier-marks.ts';

/**
 * The scan of these parts that an earlier attempt launched on a machine that went away before GitHub knew of it: no
 * mark names it, so it has to be the one scan under way that visibly is of this change. Budget and guidance cannot be
 * seen; but launching again beside it would pay twice.
 * @returns what a mark would have said; empty where a mark of these parts is known, or no such scan
 */
export async function findUnmarkedScan(
  { api, log }: { readonly api: Pick<ScanApi, 'scans' | 'scan'>; readonly log: Pick<Log, 'info'> },
  marks: readonly EarlierMark[],
  parts: ScanParts,
  projectId: string,
): Promise<readonly EarlierMark[]> {
  const key = reuseKey(parts);
  if (marks.some((mark) => mark.key === key)) return [];
  const { repositoryId, presetRef, baseCommit, headCommit } = parts;
  const subject = { repositoryId, presetRef, baseCommit, commit: headCommit };
  const scanId = await findRunningScan(api, projectId, subject);
  // A mark of other parts names it: it was launched with another budget, or for another pull request.
  if (scanId === undefined || marks.some((mark) => mark.scanId === scanId)) return [];
  log.info(`No check run names scan ${scanId}, but the scan list of the service shows that it is under way.`);
  return [{ scanId, key, headSha: headCommit }];
}
