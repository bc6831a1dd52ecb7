import type { Disclosure } from '../domain/disclosure.ts';
import type { NotScanned } from '../domain/not-scanned.ts';
import type { Scan } from '../domain/scan.ts';
import { shownInFull } from '../domain/scan-subject.ts';
import type { CommitRange } from '../domain/target.ts';
import type { GatePolicy, ScanOutcome } from '../domain/verdict.ts';
import type { Log } from '../runner/log.ts';
import { explainApiError } from '../scan-api/explain-error.ts';
import type { ScanApi } from '../scan-api/scan-api.ts';
import { type ResultDeps, readResult, type ScanResult } from './result.ts';
import type { CompareFiles } from './same-files.ts';
import type { DatedScan } from './scan-mark.ts';
import { type FollowDeps, type Followed, type FollowRequest, followScan } from './wait.ts';

/** Chosen: each costs a request at least. After so many failures a new scan serves better. */
const MOST_TRIED = 5;
/** Chosen: an unknown scan (404) is asked for again after so long each. A single such answer can be a slip of the service. */
const GONE_AFTER_MS = [2_000, 4_000] as const;

export interface EarlierScanDeps extends FollowDeps, Pick<ResultDeps, 'onScanCompleted'> {
  readonly api: Pick<ScanApi, 'scan' | 'readScan' | 'findings' | 'finding'>;
  readonly policy: GatePolicy;
  readonly disclosure: Disclosure;
  readonly log: Pick<Log, 'info'>;
}

export type EarlierScan =
  | { readonly kind: 'used'; readonly scan: ScanResult }
  /** A new scan has to be launched. `ended`: the newest that failed or was cancelled. */
  | { readonly kind: 'none'; readonly ended: ScanResult | undefined };

/**
 * Follows the first of these scans that still leads to a result, and reads it. One that failed, was cancelled, is
 * gone, or shows another change is passed over. It is never cancelled here, because this run did not launch it.
 * @param scans proven to be of this very change, the newest first
 */
export async function useEarlierScan(
  deps: EarlierScanDeps,
  scans: readonly DatedScan[],
  request: Omit<FollowRequest, 'scanId'>,
): Promise<EarlierScan> {
  const { log } = deps;
  let ended: ScanResult | undefined;
  for (const scan of byId(scans).slice(0, MOST_TRIED)) {
    const { scanId } = scan;
    log.info(`Found scan \`${scanId}\` of another run.`);
    const followed = await followUntilGone(deps, { ...request, scanId });
    if (isUseful(followed)) {
      const { headSha } = request.expected;
      return { kind: 'used', scan: await conclude(deps, scan, request, followed, headSha) };
    }
    log.info(`Scan \`${scanId}\` cannot be reused. ${followed.stop.cause}`);
    if (followed.kind === 'ended')
      ended ??= {
        ...factsOf(scan, followed),
        outcome: notScanned({ ...followed.stop, repeated: true }),
        notices: [],
      };
  }
  return { kind: 'none', ended };
}

/** Where the newest scan only seemed gone, an older one would count in its place, or a second one would be paid for. */
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

/** A scan, and the change that the mark that names it is about. */
export interface MarkedScan extends CommitRange, DatedScan {}

/**
 * Reads the first of these scans that is COMPLETED and shows no commits but those of its mark, or with the same files.
 * @param scans proven to be of the same files as this change, under other commits or for another pull request
 * @param change the project, and the head of this change
 * @returns undefined where none is
 */
export async function useScanOfSameFiles(
  deps: EarlierScanDeps,
  scans: readonly MarkedScan[],
  { projectId, headSha }: { readonly projectId: string; readonly headSha: string },
  compareFiles: CompareFiles,
): Promise<ScanResult | undefined> {
  const { api, signal, log } = deps;
  for (const scan of byId(scans).slice(0, MOST_TRIED)) {
    const { scanId, baseSha } = scan;
    const expected = { baseSha, headSha: scan.headSha };
    // Tried like every other read: a blip must not cost a second scan.
    const read = await api.readScan(projectId, scanId, { signal });
    const unused = (why: string) => log.info(`Scan \`${scanId}\` of the same files is not used. ${why}`);
    if (!read.ok) {
      unused(explainApiError(read.error).cause);
      continue;
    }
    if (read.value.status !== 'COMPLETED') {
      unused(`Its status is ${read.value.status}.`);
      continue;
    }
    const request = { projectId, scanId, expected, compareFiles };
    const followed = await followScan(deps, request);
    if (followed.kind !== 'completed') {
      unused(followed.stop.cause);
      continue;
    }
    const scanned = scannedCommit(followed.scan, expected.headSha);
    log.info(
      scanned === headSha
        ? `Scan \`${scanId}\` is of this commit, for another pull request or from a base with the same files.`
        : `Scan \`${scanId}\` is of commit \`${scanned}\`, which has the same files.`,
    );
    return conclude(deps, scan, request, followed, headSha);
  }
  return undefined;
}

type Useless = Extract<Followed, { readonly kind: 'ended' }>;

function isUseful(followed: Followed): followed is Exclude<Followed, Useless> {
  if (followed.kind === 'completed') return true;
  return followed.kind === 'left-running' && (followed.why === 'stopped' || followed.why === 'no-answer');
}

/** @param marked the head that the mark names: that of a scan which does not show its own in full */
function scannedCommit({ headSha }: Scan, marked: string): string {
  return shownInFull(headSha, marked) ?? marked;
}

/** Each scan once, at its first place; of several marks of one scan the last is that of the run that launched it. */
function byId<Named extends DatedScan>(scans: readonly Named[]): readonly Named[] {
  return [...new Map(scans.map((scan) => [scan.scanId, scan])).values()];
}

/** @param headSha of this change */
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
  return {
    ...facts,
    outcome: notScanned(followed.stop),
    notices: [
      `Scan \`${scanId}\` is still running. Another run launched it, so this run did not cancel it. Re-run this job to get its result at no extra cost.`,
    ],
  };
}

function factsOf({ scanId, launchedAt }: DatedScan, { scan }: Followed) {
  return { reused: true, scanId, launchedAt, scanStatus: scan?.status, creditsReserved: 0 } as const;
}

function notScanned(stop: NotScanned): ScanOutcome {
  return { kind: 'not-scanned', stop };
}
