import type { TerminalStatus } from '../domain/scan.ts';
import type { ScanApi } from '../scan-api/client.ts';
import { cancelScan, sayCancellation } from './cancel.ts';

/** What became of a scan that is given up. */
export interface Abandoned {
  /** Undefined where it may still be running, or cannot be read. */
  readonly scanStatus?: TerminalStatus | undefined;
  /** It may still be running, for credits. */
  readonly leftRunning?: true;
  readonly notices: readonly [string];
}

/** Cancels a scan of ours that nobody waits for any more. */
export async function abandonScan(
  api: Pick<ScanApi, 'cancel' | 'readScan'>,
  projectId: string,
  scanId: string,
  signal: AbortSignal,
): Promise<Abandoned> {
  const cancellation = await cancelScan(api, projectId, scanId, signal);
  const notices = [sayCancellation(scanId, cancellation)] as const;
  switch (cancellation.kind) {
    case 'cancelled':
      return { scanStatus: 'CANCELLED', notices };
    case 'already-terminal':
      return { scanStatus: cancellation.status, notices };
    case 'failed':
      return { leftRunning: true, notices };
  }
}
