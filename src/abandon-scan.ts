import type { TerminalStatus } from './domain/scan.ts';
import { cancelScan } from './scan/cancel.ts';
import type { ScanApi } from './scan-api/client.ts';

/** What became of a scan that is given up. */
export interface Abandoned {
  /** Left out where it may still be running. */
  readonly scanStatus?: TerminalStatus;
  /** It may still be running, for credits. */
  readonly leftRunning?: true;
  readonly notices: readonly [string];
}

/** Cancels a scan of ours that nobody waits for any more. */
export async function abandonScan(
  api: Pick<ScanApi, 'cancel' | 'readScan'>,
  projectId: string,
  scanId: string,
): Promise<Abandoned> {
  const cancellation = await cancelScan(api, projectId, scanId);
  switch (cancellation.kind) {
    case 'cancelled':
      return {
        scanStatus: 'CANCELLED',
        notices: [
          `Scan ${scanId} was cancelled: its reservation is released, work already done is still charged.`,
        ],
      };
    case 'already-terminal':
      return {
        scanStatus: cancellation.status,
        notices: [`Scan ${scanId} had already ended as ${cancellation.status}.`],
      };
    case 'failed':
      return {
        leftRunning: true,
        notices: [
          `Scan ${scanId} could not be cancelled and may go on for credits: cancel it in the service. ${cancellation.cause}`,
        ],
      };
  }
}
