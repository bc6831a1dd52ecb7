import type { ScanList } from '../domain/scan.ts';
import type { Log } from '../log.ts';
import { notedIds } from '../scan/new-scans.ts';
import { findRunningScans, type ScanSubject } from '../scan/running-scan.ts';
import type { ScanApi } from '../scan-api/client.ts';
import type { EarlierMark } from './earlier-marks.ts';

export interface OtherScansWorld {
  readonly api: Pick<ScanApi, 'scans' | 'scan'>;
  readonly log: Pick<Log, 'info'>;
}

export interface OtherScansSearch {
  readonly projectId: string;
  /** As the preflight read them; undefined where it could not. */
  readonly scans: ScanList | undefined;
  /** By what a scan of this change is recognized where no mark names it; undefined: it is not to be. */
  readonly subject: ScanSubject | undefined;
  /** The marks that are known already; whether their scans can be used is known too. */
  readonly marks: readonly EarlierMark[];
  /** The marks as they are now. */
  readonly readMarks: () => Promise<readonly EarlierMark[]>;
  /** Of the marks of this very change. */
  readonly key: string;
}

/** What others launch beside us. */
export interface OtherScans {
  /** The ids of the newest scans as last listed; undefined where none could be, so that no scan can be called new. */
  noted(): readonly string[] | undefined;
  /** The id of the scan of this change that is under way though no mark names it; each is found once. */
  find(): Promise<string | undefined>;
  /** Reads marks and list again: finds a scan that was marked since, else as `find`. A list that fails stays as it was. */
  findAgain(): Promise<string | undefined>;
}

/**
 * Looks for a scan of this change that the known marks do not name: an earlier attempt launched it on a machine that
 * went away before GitHub knew of it, or a run of another event did while we waited. Without a mark it has to be the
 * one scan under way that visibly is of this change; launching again beside it would pay twice.
 */
export function watchOtherScans(
  { api, log }: OtherScansWorld,
  { projectId, scans, subject, marks, readMarks, key }: OtherScansSearch,
): OtherScans {
  const passedOver = new Set(marks.map(({ scanId }) => scanId));
  let list = scans;

  async function findMarked(): Promise<string | undefined> {
    const now = await readMarks();
    const marked = now.find((mark) => mark.key === key && !passedOver.has(mark.scanId))?.scanId;
    for (const { scanId } of now) passedOver.add(scanId);
    return marked;
  }

  async function findUnmarked(): Promise<readonly string[]> {
    if (list === undefined || subject === undefined) return [];
    return findRunningScans(api, projectId, list, subject, passedOver);
  }

  async function find(): Promise<string | undefined> {
    let running = await findUnmarked();
    if (running.length > 1) {
      // Looking alike they are not told apart, but by a mark that came since the marks were read.
      const marked = await findMarked();
      if (marked !== undefined) return marked;
      running = running.filter((scanId) => !passedOver.has(scanId));
    }
    const [scanId, ...others] = running;
    if (scanId === undefined || others.length > 0) return undefined;
    passedOver.add(scanId);
    log.info(`Nothing on GitHub names scan ${scanId}, but the scan list of the service shows it under way.`);
    return scanId;
  }

  return {
    noted: () => list && notedIds(list),
    find,
    async findAgain() {
      const [marked, again] = await Promise.all([findMarked(), api.scans(projectId)]);
      if (again.ok) list = again.value;
      return marked ?? (again.ok ? find() : undefined);
    },
  };
}
