import type { GatePolicy, ScanOutcome } from '../domain/verdict.ts';
import type { ScanApi } from '../scan-api/client.ts';
import { readFindings } from './findings.ts';
import type { Followed } from './wait.ts';

export interface ResultWorld {
  readonly api: Pick<ScanApi, 'findings' | 'finding'>;
  readonly policy: GatePolicy;
  /** One plain sentence for the log alone. */
  readonly onNote: (sentence: string) => void;
}

/** What a completed scan found; not scanned where that cannot be read. */
export async function readResult(
  { api, policy, onNote }: ResultWorld,
  { projectId, scanId }: { readonly projectId: string; readonly scanId: string },
  { scan, commitShown }: Extract<Followed, { readonly kind: 'completed' }>,
): Promise<{ readonly outcome: ScanOutcome; readonly notices: readonly string[] }> {
  const unseen = commitShown ? [] : ['The service does not show which commit it scanned.'];
  const read = await readFindings(api, { projectId, scanId, policy });
  if (!read.ok) return { outcome: { kind: 'not-scanned', stop: read.error }, notices: unseen };
  for (const sentence of unseen) onNote(sentence);
  const { findings, notices } = read.value;
  return { outcome: { kind: 'completed', scan, findings }, notices };
}
