import { isTerminal, type ListedScan } from '../domain/scan.ts';
import { matchCommit, showsOtherChange } from '../domain/scan-subject.ts';
import type { CommitRange } from '../domain/target.ts';
import { listed } from '../text/listed.ts';

/**
 * Returns the ids of the listed scans of this head that may be of this change. Leaves out scans that failed or were
 * cancelled. The log names the returned scans. The run does not use them, because no proven mark shows the inputs of
 * their launches. Pure.
 * @param isUsed says whether a scan was tried already
 */
export function unprovenScans(
  scans: readonly ListedScan[],
  expected: CommitRange,
  isUsed: (scanId: string) => boolean,
): readonly string[] {
  return scans.flatMap((scan) => {
    const { id, status } = scan;
    const isAlike =
      matchCommit(scan.headSha, expected.headSha) === 'same' && !showsOtherChange(scan, expected);
    const hasResult = status === undefined || !isTerminal(status) || status === 'COMPLETED';
    return id !== undefined && isAlike && hasResult && !isUsed(id) ? [id] : [];
  });
}

/** Makes a line for the log that names these scans. */
export function describeUnproven(scanIds: readonly string[]): string {
  const ids = listed(scanIds.map((id) => `\`${id}\``));
  return scanIds.length === 1
    ? `Scan ${ids} is of the same commit. No mark proves that its launch used these inputs, so Scangate does not use it.`
    : `Scans ${ids} are of the same commit. No mark proves that their launches used these inputs, so Scangate does not use them.`;
}
