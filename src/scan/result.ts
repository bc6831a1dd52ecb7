import type { Clock } from '../clock.ts';
import type { GatePolicy, ScanOutcome } from '../domain/verdict.ts';
import type { ScanApi } from '../scan-api/client.ts';
import { readFindings } from './findings.ts';
import { resultNotices } from './result-notices.ts';
import type { Followed } from './wait.ts';

export interface ResultDeps {
  readonly api: Pick<ScanApi, 'findings' | 'finding'>;
  readonly policy: GatePolicy;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export interface ScanResult {
  readonly outcome: ScanOutcome;
  /** False: the service does not show the full head SHA of what it scanned. */
  readonly commitConfirmed: boolean;
  readonly notices: readonly string[];
}

/** What a completed scan found; not scanned where that cannot be read. */
export async function readResult(
  { api, policy, clock, signal }: ResultDeps,
  { projectId, scanId }: { readonly projectId: string; readonly scanId: string },
  { scan, commitConfirmed }: Extract<Followed, { readonly kind: 'completed' }>,
): Promise<ScanResult> {
  const read = await readFindings(api, { projectId, scanId, policy, clock, signal });
  if (!read.ok) return { outcome: { kind: 'not-scanned', stop: read.error }, notices: [], commitConfirmed };
  const { findings, notices } = read.value;
  return {
    outcome: { kind: 'completed', scan, findings },
    commitConfirmed,
    notices: [...notices, ...resultNotices(scan, findings, policy)],
  };
}
