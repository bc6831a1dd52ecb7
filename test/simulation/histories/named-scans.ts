import type { Exchange } from './network.ts';

/**
 * True if a run may take the scan `scanId` for its own, because two things hold:
 *
 * - The service answered the launch of the run with the id of this older scan.
 * - No list of scans before the launch showed this scan to the run.
 * @param run the number of the run; default: any run
 */
export function isNamedAsLaunched(exchanges: readonly Exchange[], scanId: string, run?: number): boolean {
  return exchanges.some(
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
