import type { Disclosure } from '../domain/disclosure.ts';
import type { NotScanned } from '../domain/not-scanned.ts';
import type { Scan } from '../domain/scan.ts';
import { shownInFull } from '../domain/scan-subject.ts';
import type { GatePolicy, ScanOutcome } from '../domain/verdict.ts';
import type { Log } from '../runner/log.ts';
import { explainApiError } from '../scan-api/explain-error.ts';
import type { ScanApi } from '../scan-api/scan-api.ts';
import type { Candidate, MarkedScan } from './candidates.ts';
import { type ResultDeps, readResult, type ScanResult } from './result.ts';
import type { DatedScan } from './scan-mark.ts';
import { type FollowDeps, type Followed, type FollowRequest, followScan } from './wait.ts';

/**
 * Our choice: after a 404, an unknown scan is read again after these waits, because the service can answer 404 once by
 * mistake.
 */
const GONE_AFTER_MS = [2_000, 4_000] as const;

export interface EarlierScanDeps extends FollowDeps, Pick<ResultDeps, 'onScanCompleted' | 'warn'> {
  readonly api: Pick<ScanApi, 'scan' | 'readScan' | 'findings' | 'finding'>;
  readonly policy: GatePolicy;
  readonly disclosure: Disclosure;
  readonly log: Pick<Log, 'info'>;
}

export type EarlierScan =
  | { readonly kind: 'used'; readonly scan: ScanResult }
  /**
   * A new scan has to be launched. `ended`: the most recent launch among the candidates that failed or were cancelled.
   */
  | { readonly kind: 'none'; readonly ended: ScanResult | undefined };

/**
 * Uses the first candidate that leads to a result: follows it to its end and reads its findings. Never cancels a
 * candidate, because this run did not launch it.
 * @param candidates in the order of preference; the next one is requested only after the last one led to nothing
 * @param request for this change
 */
export async function useEarlierScan(
  deps: EarlierScanDeps,
  candidates: AsyncIterable<Candidate>,
  request: Omit<FollowRequest, 'scanId'>,
): Promise<EarlierScan> {
  let ended: ScanResult | undefined;
  for await (const { kind, scan } of candidates) {
    const tried =
      kind === 'exact' ? await tryExact(deps, scan, request) : await trySameFiles(deps, scan, request);
    if (tried.kind === 'used') return tried;
    ended = newerLaunch(ended, tried.ended);
  }
  return { kind: 'none', ended };
}

/**
 * Chooses whose reason is reported: the scan that was launched last, or the one that was tried first if both were
 * launched at the same time.
 */
function newerLaunch(first: ScanResult | undefined, second: ScanResult | undefined): ScanResult | undefined {
  const isLater = Number(second?.launchedAt) > Number(first?.launchedAt);
  return first === undefined || isLater ? second : first;
}

/** Skips a scan that failed, was cancelled, no longer exists, or shows another change. */
async function tryExact(
  deps: EarlierScanDeps,
  scan: DatedScan,
  request: Omit<FollowRequest, 'scanId'>,
): Promise<EarlierScan> {
  const { log } = deps;
  const { scanId } = scan;
  log.info(`Found scan \`${scanId}\` of another run.`);
  const followed = await followUntilGone(deps, { ...request, scanId });
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
 * Reads again after a 404. If the newest scan is wrongly taken as missing, an older one replaces it, or a second one is
 * paid for.
 */
async function followUntilGone(deps: FollowDeps, request: FollowRequest): Promise<Followed> {
  let followed = await followScan(deps, request);
  for (const wait of GONE_AFTER_MS) {
    if (!isUnknown(followed)) break;
    await deps.clock.sleep(wait, deps.signal);
    followed = await followScan(deps, request);
  }
  return followed;
}

function isUnknown(followed: Followed): boolean {
  return followed.kind === 'left-running' && followed.why === 'not-found';
}

/** Reads a scan. Uses it if it is COMPLETED, and its commits are those of its mark or have the same files. */
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
  // Retried like every other read, because a temporary failure must not cost a second scan.
  const read = await api.readScan(projectId, scanId, { signal });
  if (!read.ok) return passOver(explainApiError(read.error).cause);
  if (read.value.status !== 'COMPLETED') return passOver(`Its status is ${read.value.status}.`);
  const request = { projectId, scanId, expected, compareFiles };
  const followed = await followScan(deps, request);
  if (followed.kind !== 'completed') return passOver(followed.failure.cause);
  const scanned = scannedCommit(followed.scan, expected.headSha);
  log.info(
    scanned === headSha
      ? `Scan \`${scanId}\` is of this commit, for another pull request or from a base with the same files.`
      : `Scan \`${scanId}\` is of commit \`${scanned}\`, which has the same files.`,
  );
  return { kind: 'used', scan: await conclude(deps, scan, request, followed, headSha) };
}

const PASSED_OVER: EarlierScan = { kind: 'none', ended: undefined };

type Useless = Extract<Followed, { readonly kind: 'ended' }>;

function isUseful(followed: Followed): followed is Exclude<Followed, Useless> {
  if (followed.kind === 'completed') return true;
  return followed.kind === 'left-running' && (followed.why === 'stopped' || followed.why === 'no-answer');
}

/** @param marked the head in the mark; used if the scan does not show its head in full */
function scannedCommit({ headSha }: Scan, marked: string): string {
  return shownInFull(headSha, marked) ?? marked;
}

/** @param headSha the head of this change */
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
