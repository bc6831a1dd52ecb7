import type { NotScanned } from '../domain/result.ts';
import { type Scan, shownInFull } from '../domain/scan.ts';
import type { Disclosure } from '../domain/target.ts';
import type { GatePolicy, ScanOutcome } from '../domain/verdict.ts';
import type { Log } from '../runner/log.ts';
import type { ScanApi } from '../scan-api/client.ts';
import { explainApiError } from '../scan-api/explain-error.ts';
import type { Candidate, MarkedScan } from './candidates.ts';
import { type ResultDeps, readResult, type ScanResult } from './result.ts';
import type { DatedScan } from './scan-mark.ts';
import {
  awaitScan,
  type FollowDeps,
  type Followed,
  type FollowRequest,
  followScan,
  judgeEnded,
} from './wait.ts';

/**
 * Our choice: for this time, a scan is read again after a 404, because the service can answer 404 by mistake. A run that
 * believed the first 404 could pay for a second scan.
 */
const GONE_AFTER_MS = 6_000;

export interface EarlierScanDeps extends FollowDeps, Pick<ResultDeps, 'onScanCompleted' | 'warn'> {
  readonly api: Pick<ScanApi, 'scan' | 'readScan' | 'findings' | 'finding'>;
  readonly policy: GatePolicy;
  readonly disclosure: Disclosure;
  readonly log: Pick<Log, 'info'>;
}

export type EarlierScan =
  | { readonly kind: 'used'; readonly scan: ScanResult }
  /** The scan cannot be used. `ended` is set if it is a scan of this change that ended without a usable result. */
  | { readonly kind: 'none'; readonly ended: ScanResult | undefined };

/**
 * Uses a candidate if it is not ruled out: follows it to its end, and reads its findings. If the run is stopped first,
 * or the service gives no more answers, the result is "not scanned", because a second scan would cost credits. Never
 * cancels a candidate, because another run launched it.
 * @param request how to follow a scan of this change
 */
export function tryCandidate(
  deps: EarlierScanDeps,
  { kind, scan }: Candidate,
  request: Omit<FollowRequest, 'scanId'>,
): Promise<EarlierScan> {
  return kind === 'exact' ? tryExact(deps, scan, request) : trySameFiles(deps, scan, request);
}

/**
 * Returns the result of the scan that was launched later, or `first` if both were launched at the same time. The run
 * reports the reason of this result.
 */
export function newerLaunch(
  first: ScanResult | undefined,
  second: ScanResult | undefined,
): ScanResult | undefined {
  const isLater = Number(second?.launchedAt) > Number(first?.launchedAt);
  return first === undefined || isLater ? second : first;
}

/**
 * Follows a scan of this change. Does not use it if it failed, was cancelled, no longer exists, or shows another
 * change.
 */
async function tryExact(
  deps: EarlierScanDeps,
  scan: DatedScan,
  request: Omit<FollowRequest, 'scanId'>,
): Promise<EarlierScan> {
  const { log } = deps;
  const { scanId } = scan;
  log.info(`Found scan \`${scanId}\` of another run.`);
  const shown = await awaitScan(deps, { ...request, scanId }, GONE_AFTER_MS);
  const followed = shown.ok ? await followScan(deps, { ...request, scanId }, shown.value) : shown.error;
  if (isUseful(followed)) {
    const { headSha } = request.expected;
    return { kind: 'used', scan: await conclude(deps, scan, request, followed, headSha) };
  }
  log.info(`Scan \`${scanId}\` cannot be reused. ${followed.failure.cause}`);
  if (followed.kind !== 'ended') return PASSED_OVER;
  const outcome = notScanned({ ...followed.failure, repeated: true });
  return { kind: 'none', ended: { ...factsOf(scan, followed), outcome } };
}

/**
 * Uses a COMPLETED scan of the same files. The scan must not show other commits than its mark names, unless these
 * commits have the same trees.
 */
async function trySameFiles(
  deps: EarlierScanDeps,
  scan: MarkedScan,
  { projectId, expected: { headSha }, compareFiles }: Omit<FollowRequest, 'scanId'>,
): Promise<EarlierScan> {
  const { api, signal, log } = deps;
  const { scanId, baseSha } = scan;
  const expected = { baseSha, headSha: scan.headSha };
  const passOver = (why: string) => {
    log.info(`Scan \`${scanId}\` of the same files is not used. ${why}`);
    return PASSED_OVER;
  };
  // `readScan` retries a failed read, because a temporary failure must not cost a second scan.
  const read = await api.readScan(projectId, scanId, { signal });
  if (!read.ok) return passOver(explainApiError(read.error).cause);
  const { status } = read.value;
  if (status !== 'COMPLETED') return passOver(`Its status is ${status}.`);
  const request = { projectId, scanId, expected, compareFiles };
  const judged = await judgeEnded(read.value, status, request);
  if (judged.kind !== 'completed') return passOver(judged.failure.cause);
  const scanned = scannedCommit(judged.scan, expected.headSha);
  log.info(
    scanned === headSha
      ? `Scan \`${scanId}\` is of this commit, for another pull request or from a base with the same files.`
      : `Scan \`${scanId}\` is of commit \`${scanned}\`, which has the same files.`,
  );
  return { kind: 'used', scan: await conclude(deps, scan, request, judged, headSha) };
}

const PASSED_OVER: EarlierScan = { kind: 'none', ended: undefined };

type Useless = Extract<Followed, { readonly kind: 'ended' }>;

function isUseful(followed: Followed): followed is Exclude<Followed, Useless> {
  if (followed.kind === 'completed') return true;
  return followed.kind === 'left-running' && (followed.why === 'stopped' || followed.why === 'no-answer');
}

/**
 * Returns the commit of the scan.
 * @param marked the head that the mark names; used if the scan does not show its full head
 */
function scannedCommit({ headSha }: Scan, marked: string): string {
  return shownInFull(headSha, marked) ?? marked;
}

/** Makes the result of this run from a scan that another run launched. @param headSha the head of this change */
async function conclude(
  deps: EarlierScanDeps,
  named: DatedScan,
  request: Omit<FollowRequest, 'scanId'>,
  followed: Exclude<Followed, Useless>,
  headSha: string,
): Promise<ScanResult> {
  const { scanId } = named;
  const facts = factsOf(named, followed);
  if (followed.kind === 'completed') {
    deps.log.info(`Reusing scan \`${scanId}\`. No credits used.`);
    const scanned = scannedCommit(followed.scan, request.expected.headSha);
    const sameFilesAs = scanned === headSha ? undefined : scanned;
    return { ...facts, ...(await readResult(deps, { ...request, scanId }, followed)), sameFilesAs };
  }
  deps.warn(
    `Scan \`${scanId}\` is still running. Another run launched it, so this run did not cancel it. Re-run this job to get its result at no extra cost.`,
  );
  return { ...facts, outcome: notScanned(followed.failure) };
}

function factsOf({ scanId, launchedAt }: DatedScan, { scan }: Followed) {
  return { reused: true, scanId, launchedAt, scanStatus: scan?.status, creditsReserved: 0 } as const;
}

function notScanned(failure: NotScanned): ScanOutcome {
  return { kind: 'not-scanned', failure };
}
