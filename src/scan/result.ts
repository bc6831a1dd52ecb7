import type { Disclosure } from '../domain/disclosure.ts';
import type { PullRequestCost } from '../domain/pull-request-cost.ts';
import type { Result } from '../domain/result.ts';
import type { GatePolicy, ScanOutcome } from '../domain/verdict.ts';
import type { CheckRun } from '../github/check-run.ts';
import type { GitHubError } from '../github/github-error.ts';
import type { Step } from '../runner/step.ts';
import type { ScanApi } from '../scan-api/scan-api.ts';
import { readFindings } from './findings.ts';
import { resultNotices } from './result-notices.ts';
import type { CompletedScan } from './wait.ts';

export interface ResultDeps extends Pick<Step, 'clock' | 'signal' | 'warn'> {
  readonly api: Pick<ScanApi, 'findings' | 'finding'>;
  readonly policy: GatePolicy;
  readonly disclosure: Disclosure;
  /** Called when the scan has completed, before its findings are read. */
  readonly onScanCompleted?: (() => void) | undefined;
}

/** The outcome, and what the run knows about the scan, its check run and the cost of the pull request. */
export interface ScanResult {
  readonly outcome: ScanOutcome;
  readonly scanId?: string;
  /** When the scan was launched, in whole seconds since the epoch. */
  readonly launchedAt?: number;
  /** The last scan status that the run read or caused. Undefined if there is no scan, or if its status is not known. */
  readonly scanStatus?: string | undefined;
  /** True if another run launched the scan. */
  readonly reused?: boolean;
  /** The head SHA of the scan, if the scan is of another commit with the same files. */
  readonly sameFilesAs?: string | undefined;
  readonly creditsReserved?: number | undefined;
  /** True if this run may have launched a scan that no mark names. */
  readonly launchLost?: boolean;
  /** The cost of the pull request, including this run. Undefined if the event is not about a pull request. */
  readonly cost?: PullRequestCost | undefined;
  /** False if the service does not show the full head SHA of the scan. */
  readonly commitConfirmed?: boolean;
  /** False if the service does not show the full base SHA of the scan. Undefined for a full scan. */
  readonly baseConfirmed?: boolean | undefined;
  /** The check run that this step has in progress, or why the step could not create one. */
  readonly checkRun?: Result<CheckRun, GitHubError> | undefined;
  /**
   * True if a scan may still be running: it could not be cancelled, or its launch was not answered. The `post` step
   * tries to cancel it again.
   */
  readonly mayStillBeRunning?: boolean;
}

/** Reads the findings of a completed scan. If that fails, the outcome is "not scanned". */
export async function readResult(
  { api, policy, disclosure, clock, signal, warn, onScanCompleted }: ResultDeps,
  { projectId, scanId }: { readonly projectId: string; readonly scanId: string },
  { scan, commitConfirmed, baseConfirmed }: CompletedScan,
): Promise<ScanResult> {
  onScanCompleted?.();
  const read = await readFindings(api, { projectId, scanId, policy, clock, signal });
  const confirmed = { commitConfirmed, baseConfirmed };
  if (!read.ok) return { outcome: { kind: 'not-scanned', failure: read.error }, ...confirmed };
  const { findings, warnings } = read.value;
  warn(...warnings, ...resultNotices(scan, findings, policy, disclosure));
  return { outcome: { kind: 'completed', scan, findings }, ...confirmed };
}
