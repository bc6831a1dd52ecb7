import type { Scan } from './domain/scan.ts';
import { cancelScan } from './scan/cancel.ts';
import type { ScanApi } from './scan-api/client.ts';

/** What became of a scan that is given up. */
export interface Abandoned {
  readonly scan: Scan | undefined;
  /** It may still be running, for credits. */
  readonly leftRunning?: true;
  readonly notices: readonly [string];
}

/** Cancels a scan of ours that nobody waits for any more. @param scan as it was last seen */
export async function abandonScan(
  api: ScanApi,
  projectId: string,
  scanId: string,
  scan: Scan | undefined,
): Promise<Abandoned> {
  const cancellation = await cancelScan(api, projectId, scanId);
  switch (cancellation.kind) {
    case 'cancelled':
      return {
        scan: scan && { ...scan, status: 'CANCELLED' },
        notices: [
          `Scan ${scanId} was cancelled: its reservation is released, work already done is still charged.`,
        ],
      };
    case 'already-terminal':
      return {
        scan: scan && { ...scan, status: cancellation.status },
        notices: [`Scan ${scanId} had already ended as ${cancellation.status}.`],
      };
    case 'failed':
      return {
        scan,
        leftRunning: true,
        notices: [
          `Scan ${scanId} could not be cancelled and may go on for credits: cancel it in the service. ${cancellation.cause}`,
        ],
      };
  }
}
