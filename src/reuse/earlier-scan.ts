import type { GatePolicy, ScanOutcome } from '../domain/verdict.ts';
import type { Log } from '../log.ts';
import { readResult } from '../scan/result.ts';
import { type Followed, type FollowRequest, type FollowWorld, followScan } from '../scan/wait.ts';
import type { ScanApi } from '../scan-api/client.ts';

/** Ours: each costs a request at least; whoever has failed so often is better served by a new scan. */
const MOST_TRIED = 5;

export interface EarlierScanWorld extends FollowWorld {
  readonly api: Pick<ScanApi, 'scan' | 'findings' | 'finding'>;
  readonly policy: GatePolicy;
  readonly log: Pick<Log, 'info'>;
}

/** What came of a scan that an earlier run paid for. */
export interface ReusedScan {
  readonly reused: true;
  readonly outcome: ScanOutcome;
  readonly scanId: string;
  readonly scanStatus: string | undefined;
  readonly creditsReserved: 0;
  readonly notices: readonly string[];
}

/**
 * Follows the first of these scans that still leads to a result, and reads it. One that failed, was
 * cancelled (even while we follow it), is not there, or is visibly a scan of something else is passed over.
 * It is never cancelled here: the run that launched it may still want it.
 * @param scanIds scans of this very change, the newest first
 * @returns undefined where there is none: a new one has to be launched
 */
export async function useEarlierScan(
  world: EarlierScanWorld,
  scanIds: readonly string[],
  request: Omit<FollowRequest, 'scanId'>,
): Promise<ReusedScan | undefined> {
  const { log } = world;
  for (const scanId of [...new Set(scanIds)].slice(0, MOST_TRIED)) {
    log.info(`An earlier run already paid for scan ${scanId} of this very change, so it is looked at first.`);
    const followed = await followScan(world, { ...request, scanId });
    if (isUseful(followed)) return conclude(world, { ...request, scanId }, followed);
    log.info(`Scan ${scanId} cannot be used again. ${followed.stop.cause}`);
  }
  return undefined;
}

type Useless = Extract<Followed, { readonly kind: 'ended' }>;

function isUseful(followed: Followed): followed is Exclude<Followed, Useless> {
  if (followed.kind === 'completed') return true;
  return followed.kind === 'left-running' && (followed.why === 'stopped' || followed.why === 'no-answer');
}

async function conclude(
  world: EarlierScanWorld,
  request: FollowRequest,
  followed: Exclude<Followed, Useless>,
): Promise<ReusedScan> {
  const { scanId } = request;
  const facts = { reused: true, scanId, scanStatus: followed.scan?.status, creditsReserved: 0 } as const;
  if (followed.kind === 'completed') {
    const { policy, api, log } = world;
    log.info(`Scan ${scanId} is used again, for no credits.`);
    return { ...facts, ...(await readResult({ api, policy, onNote: log.info }, request, followed)) };
  }
  return {
    ...facts,
    outcome: { kind: 'not-scanned', stop: followed.stop },
    notices: [
      `Scan \`${scanId}\` goes on: an earlier run launched it, so this one does not cancel it. Run the job again for its result; that takes no new credits.`,
    ],
  };
}
