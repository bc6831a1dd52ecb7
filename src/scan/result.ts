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
  /** Called before the findings are read. */
  readonly onScanCompleted?: (() => void) | undefined;
}

/** The result of scanning, except for the outcome. */
export interface ScanResult {
  readonly outcome: ScanOutcome;
  readonly scanId?: string;
  /** The launch time of the scan in the format of a mark. */
  readonly launchedAt?: number;
  /** The last status that was read, or that this run set; undefined if neither is known. */
  readonly scanStatus?: string | undefined;
  /** An earlier run paid for the scan. */
  readonly reused?: boolean;
  /** The scan's head SHA if that is another commit with the same files. */
  readonly sameFilesAs?: string | undefined;
  readonly creditsReserved?: number | undefined;
  /** There may be a scan of this run that no mark names. */
  readonly launchLost?: boolean;
  /** What the pull request has cost, with this run; undefined for other events. */
  readonly cost?: PullRequestCost | undefined;
  /** False: the service does not show the full head SHA of the scan. */
  readonly commitConfirmed?: boolean;
  /** The same for the base SHA; also undefined for a full scan. */
  readonly baseConfirmed?: boolean | undefined;
  /** The check run of this step in progress, or why there is none. */
  readonly checkRun?: Result<CheckRun, GitHubError> | undefined;
  /** A scan may still be running: it could not be cancelled, or its launch got no answer. `post` tries again. */
  readonly mayStillBeRunning?: boolean;
}

/** Reads what a completed scan found. If that fails, the outcome is "not scanned". */
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
