import type { ScanList } from '../domain/scan.ts';
import type { Log } from '../log.ts';
import { notedIds } from '../scan/new-scans.ts';
import { findRunningScan, type ScanSubject } from '../scan/running-scan.ts';
import type { ScanApi } from '../scan-api/client.ts';

export interface UnmarkedScanWorld {
  readonly api: Pick<ScanApi, 'scans' | 'scan'>;
  readonly log: Pick<Log, 'info'>;
}

export interface UnmarkedScanSearch {
  readonly projectId: string;
  /** As the preflight read them; undefined where it could not. */
  readonly scans: ScanList | undefined;
  /** Undefined: none is to be found. */
  readonly subject: ScanSubject | undefined;
  /** The scans that marks name: whether those can be used again is known from the marks. */
  readonly marked: readonly string[];
}

/** The newest scans of the service as they were last listed. */
export interface UnmarkedScans {
  /** Their ids; undefined where none could be listed, so that no scan can be called new. */
  noted(): readonly string[] | undefined;
  /** The id of the scan of this change that somebody else has under way; each is found once. */
  find(): Promise<string | undefined>;
  /** Lists the scans again first; where that fails the list from before stays. */
  findAgain(): Promise<string | undefined>;
}

/**
 * Looks for a scan of this change that no mark names: an earlier attempt launched it on a machine that went away
 * before GitHub knew of it, or a run of another event did just now. It has to be the one scan under way that visibly
 * is of this change; launching again beside it would pay twice.
 */
export function watchUnmarkedScans(
  { api, log }: UnmarkedScanWorld,
  { projectId, scans, subject, marked }: UnmarkedScanSearch,
): UnmarkedScans {
  const passedOver = new Set(marked);
  let list = scans;
  const find = async () => {
    if (list === undefined || subject === undefined) return undefined;
    const scanId = await findRunningScan(api, projectId, list, subject, passedOver);
    if (scanId === undefined) return undefined;
    passedOver.add(scanId);
    log.info(`Nothing on GitHub names scan ${scanId}, but the scan list of the service shows it under way.`);
    return scanId;
  };
  return {
    noted: () => list && notedIds(list),
    find,
    async findAgain() {
      const again = await api.scans(projectId);
      if (!again.ok) return undefined;
      list = again.value;
      return find();
    },
  };
}
