import { isTerminal, type ListedScan, type ScanList, sameCommit } from '../domain/scan.ts';
import type { ScanApi } from '../scan-api/client.ts';
import { readScanDetails } from './scan-details.ts';

/** What a scan has to show to be the scan of a change. */
export interface ScanSubject {
  readonly repositoryId: string;
  readonly presetRef: string;
  readonly baseCommit: string;
  readonly commit: string;
}

type Shown = Pick<ListedScan, 'status' | keyof ScanSubject>;

/**
 * The scans under way in the list that visibly have this subject, all four parts of it, the newest first; details are
 * read where the list shows too little. What cannot be seen is not among them.
 * @param passedOver ids of scans that do not count
 */
export async function findRunningScans(
  api: Pick<ScanApi, 'scan'>,
  projectId: string,
  list: ScanList,
  subject: ScanSubject,
  passedOver: ReadonlySet<string>,
): Promise<readonly string[]> {
  const inQuestion = candidates(list, subject).filter(({ id }) => !passedOver.has(id));
  const unclear = inQuestion.filter((scan) => !isShown(scan)).map(({ id }) => id);
  const details = await readScanDetails(api, projectId, unclear);
  const same = inQuestion.filter((scan) => {
    const shown = details.get(scan.id) ?? scan;
    return isUnderWay(scan.status, shown.status) && isSubject(shown, subject);
  });
  return same.map(({ id }) => id);
}

/** Not over, and nothing that the list shows speaks against it. */
function candidates({ scans }: ScanList, subject: ScanSubject): readonly (ListedScan & { id: string })[] {
  return scans.flatMap((scan) => {
    const { id, status, repositoryId, presetRef, baseCommit, commit } = scan;
    const differs =
      (repositoryId ?? subject.repositoryId) !== subject.repositoryId ||
      (presetRef ?? subject.presetRef) !== subject.presetRef ||
      sameCommit(baseCommit, subject.baseCommit) === false ||
      sameCommit(commit, subject.commit) === false;
    const isOver = status !== undefined && isTerminal(status);
    return id === undefined || isOver || differs ? [] : [{ ...scan, id }];
  });
}

function isShown({ status, repositoryId, presetRef, baseCommit, commit }: Shown): boolean {
  return ![status, repositoryId, presetRef, baseCommit, commit].includes(undefined);
}

function isSubject(scan: Shown, subject: ScanSubject): boolean {
  return (
    scan.repositoryId === subject.repositoryId &&
    scan.presetRef === subject.presetRef &&
    sameCommit(scan.baseCommit, subject.baseCommit) === true &&
    sameCommit(scan.commit, subject.commit) === true
  );
}

/** One that was under way in the list and has completed since is as good as one that we followed there. */
function isUnderWay(listed: string | undefined, now: string | undefined): boolean {
  if (now === undefined) return false;
  return !isTerminal(now) || (now === 'COMPLETED' && listed !== undefined);
}
