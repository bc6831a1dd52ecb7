import { isTerminal, type ScanFacts, type TerminalStatus } from '../domain/scan.ts';
import { isNotFound } from '../scan-api/api-error.ts';
import { explainApiError } from '../scan-api/explain-error.ts';
import type { ServiceStep } from '../start/step.ts';

export type Cancellation =
  | { readonly kind: 'cancelled' }
  /** The scan had ended before the cancellation. `status` is undefined if the scan cannot be read. */
  | { readonly kind: 'already-terminal'; readonly status: TerminalStatus | undefined }
  /**
   * The scan may still be running and use credits. `cause` is a sentence. `unknown` means that the service does not
   * know the scan (404).
   */
  | { readonly kind: 'failed'; readonly cause: string; readonly unknown: boolean };

/** Our choice: a cancellation is repeated for this time. The deadline of a run that was stopped can be earlier. */
const CANCEL_MS = 60_000;
/** Our choice: the waits between the attempts. The last one repeats. */
const AGAIN_MS = [2_000, 4_000, 8_000] as const;

/**
 * Cancels a scan that this run or an earlier run launched. The service releases the reserved credits, but charges
 * completed work. If the service refuses, or its answer is lost, reads the status of the scan. Repeats that whatever
 * the failure is, until the scan has ended or the signal aborts. A scan that the service does not know is tried four
 * times.
 */
export async function cancelScan(
  step: ServiceStep,
  projectId: string,
  scanId: string,
): Promise<Cancellation> {
  const { clock, signal } = step;
  const start = clock.now();
  for (let tries = 0; ; tries += 1) {
    const made = await cancelOnce(step, projectId, scanId);
    const isOver = clock.now() - start >= CANCEL_MS || (tries >= AGAIN_MS.length && isUnknown(made));
    if (made.kind !== 'failed' || isOver) return made;
    await clock.sleep(AGAIN_MS[tries] ?? AGAIN_MS[2], signal);
    if (signal.aborted) return made;
  }
}

/** True if the service knows no scan with this id. */
function isUnknown(cancellation: Cancellation): boolean {
  return cancellation.kind === 'failed' && cancellation.unknown;
}

async function cancelOnce(
  { api, signal }: ServiceStep,
  projectId: string,
  scanId: string,
): Promise<Cancellation> {
  const answer = await api.cancel(projectId, scanId, { signal });
  if (answer.ok) return { kind: 'cancelled' };
  const read = await api.readScan(projectId, scanId, { signal });
  if (read.ok && isTerminal(read.value.status)) {
    const { status } = read.value;
    const refused = answer.error.kind === 'refused';
    return status === 'CANCELLED' && !refused ? { kind: 'cancelled' } : { kind: 'already-terminal', status };
  }
  // The service answers 400 only if the scan has ended already.
  if (!read.ok && answer.error.kind === 'refused' && answer.error.status === 400) {
    return { kind: 'already-terminal', status: undefined };
  }
  const unknown = isNotFound(answer.error) && !read.ok && isNotFound(read.error);
  return { kind: 'failed', cause: explainApiError(answer.error).cause, unknown };
}

/**
 * Cancels a scan that we launched, but that no run needs. Writes a warning that says whether the scan was cancelled.
 * @returns what is known about the scan afterwards
 */
export async function abandonScan(
  step: ServiceStep,
  projectId: string,
  scanId: string,
): Promise<ScanFacts & { readonly mayStillBeRunning?: true }> {
  const cancellation = await cancelScan(step, projectId, scanId);
  step.warn(describeCancellation(scanId, cancellation));
  if (cancellation.kind === 'failed') return { mayStillBeRunning: true };
  return { scanStatus: cancellation.kind === 'cancelled' ? 'CANCELLED' : cancellation.status };
}

/** Describes the result of a cancellation in sentences. Adds the cause of a failure. */
export function describeCancellation(scanId: string, cancellation: Cancellation): string {
  switch (cancellation.kind) {
    case 'cancelled':
      return `Cancelled scan \`${scanId}\`. The service releases its reserved credits, but charges completed work.`;
    case 'already-terminal':
      return `Scan \`${scanId}\` had already ended${cancellation.status === undefined ? '' : ` as ${cancellation.status}`}.`;
    case 'failed':
      return `Could not cancel scan \`${scanId}\`. It may still be running and using credits: cancel it in the service. ${cancellation.cause}`;
  }
}
