import type { Exchange } from './network.ts';

/**
 * True if a run may take the scan `scanId` for its own, because two things hold:
 *
 * - The service answered the launch of the run with the id of this older scan.
 * - No list of scans before the launch showed this scan to the run.
 * @param run the number of the run; default: any run
 */
export function isNamedAsLaunched(exchanges: readonly Exchange[], scanId: string, run?: number): boolean {
  return launchesNaming(exchanges, scanId, run).length > 0;
}

/** When a run last took the scan `scanId` for its own. The service counts from its answer. 0 if no run did. */
export function lastNamedAt(exchanges: readonly Exchange[], scanId: string): number {
  return launchesNaming(exchanges, scanId).at(-1)?.arrivedAt ?? 0;
}

/** True if the run took any scan for its own that it did not launch. */
export function tookOtherScan(exchanges: readonly Exchange[], run: number): boolean {
  return exchanges.some(
    ({ process, named }) =>
      process.run === run && named !== undefined && isNamedAsLaunched(exchanges, named, run),
  );
}

function launchesNaming(exchanges: readonly Exchange[], scanId: string, run?: number): readonly Exchange[] {
  return exchanges.filter(
    (launch) =>
      launch.named === scanId &&
      (run === undefined || launch.process.run === run) &&
      !exchanges.some(
        ({ process, point, sentAt, fault, answer }) =>
          process.run === launch.process.run &&
          point === 'scans.list' &&
          fault === undefined &&
          sentAt < launch.sentAt &&
          JSON.stringify(answer?.body ?? '').includes(scanId),
      ),
  );
}
