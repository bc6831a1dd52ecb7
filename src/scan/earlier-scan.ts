import { err, explainStop, type NotScanned, ok, stopCause } from '../domain/result.ts';
import {
  isTerminal,
  type ListedScan,
  matchCommit,
  type Scan,
  shownInFull,
  showsOtherChange,
} from '../domain/scan.ts';
import type { CommitRange } from '../domain/target.ts';
import type { ScanOutcome } from '../domain/verdict.ts';
import { readCommitTree } from '../github/compare.ts';
import { causeOf, fixOf, type GitHubError } from '../github/errors.ts';
import type { GitHubAccess } from '../github/octokit.ts';
import type { Log } from '../runner/log.ts';
import { explainApiError } from '../scan-api/explain-error.ts';
import type { ServiceStep } from '../start/step.ts';
import { listed } from '../text/visible-text.ts';
import type { ScanResult } from './result.ts';
import type { DatedScan, ScanTrees } from './scan-mark.ts';
import {
  awaitScan,
  type CompareFiles,
  type CompletedScan,
  type FollowRequest,
  followScan,
  judgeEnded,
  type SameFiles,
} from './wait.ts';

/**
 * Returns the ids of the listed scans of this head that may be of this change. Leaves out scans that failed or were
 * cancelled. The log names the returned scans. The run does not use them, because no proven mark shows the inputs of
 * their launches. Pure.
 * @param isUsed says whether a scan was tried already
 */
export function unprovenScans(
  scans: readonly ListedScan[],
  expected: CommitRange,
  isUsed: (scanId: string) => boolean,
): readonly string[] {
  return scans.flatMap((scan) => {
    const { id, status } = scan;
    const isAlike =
      matchCommit(scan.headSha, expected.headSha) === 'same' && !showsOtherChange(scan, expected);
    const hasResult = status === undefined || !isTerminal(status) || status === 'COMPLETED';
    return id !== undefined && isAlike && hasResult && !isUsed(id) ? [id] : [];
  });
}

/** Makes a line for the log that names these scans. */
export function describeUnproven(scanIds: readonly string[]): string {
  const ids = listed(scanIds.map((id) => `\`${id}\``));
  return scanIds.length === 1
    ? `Scan ${ids} is of the same commit. No mark proves that its launch used these inputs, so Scangate does not use it.`
    : `Scans ${ids} are of the same commit. No mark proves that their launches used these inputs, so Scangate does not use them.`;
}

/**
 * Our choice: a run tries at most this many candidates of one list. Each candidate takes at least one request. After
 * this many candidates, a launch is better than more requests.
 */
const MOST_TRIED = 5;

/** A scan that a mark names, and the commits that the mark names. */
export interface MarkedScan extends CommitRange, DatedScan {}

/** A scan that can make a launch unnecessary. */
export type Candidate =
  /** A scan of this change. The run follows it to its end. */
  | { readonly kind: 'exact'; readonly scan: DatedScan }
  /** A scan of the same files, for other commits or another pull request. It is used only if it is COMPLETED. */
  | { readonly kind: 'same-files'; readonly scan: MarkedScan };

/**
 * Returns the scans to try before a launch, the newest launch first. Of two launches in the same second, the scan of
 * this change comes first. Of each list, returns at most `MOST_TRIED` different scans. Pure.
 * @param exact scans of this change, the newest launch first
 * @param sameFiles scans of the same files, the newest launch first
 */
export function candidates(
  exact: readonly DatedScan[],
  sameFiles: readonly MarkedScan[] = [],
): readonly Candidate[] {
  return [
    ...firstOf(exact).map((scan): Candidate => ({ kind: 'exact', scan })),
    ...firstOf(sameFiles).map((scan): Candidate => ({ kind: 'same-files', scan })),
  ].toSorted((a, b) => b.scan.launchedAt - a.scan.launchedAt);
}

/**
 * Returns each scan once, and at most `MOST_TRIED` scans. If several marks name a scan, the scan has the place of the
 * first mark and the data of the last mark. The last mark is from the earliest run, which usually launched the scan.
 */
function firstOf<Named extends DatedScan>(scans: readonly Named[]): readonly Named[] {
  return [...new Map(scans.map((scan) => [scan.scanId, scan])).values()].slice(0, MOST_TRIED);
}

/**
 * Creates a function that compares a scan with the expected commits. If the commits differ, the function asks GitHub
 * for their trees: equal trees mean the same change, byte for byte.
 *
 * A commit that the scan does not show counts as the same.
 * @param trees the trees of the expected commits; if undefined, the function reads these trees from GitHub
 */
export function createFileComparison(
  { github, signal }: GitHubAccess,
  trees: ScanTrees | undefined,
): CompareFiles {
  async function hasSameFiles(
    shown: string | undefined,
    expected: string | undefined,
    tree: string | undefined,
  ): Promise<SameFiles> {
    if (shown === undefined) return ok(true);
    if (expected === undefined) return ok(false);
    if (matchCommit(shown, expected) !== 'different') return ok(true);
    const sha = shownInFull(shown, expected);
    if (sha === undefined) return err(NOT_IN_FULL);
    const [one, other] = await Promise.all([
      readCommitTree(github.until(signal), sha),
      tree === undefined ? readCommitTree(github.until(signal), expected) : ok(tree),
    ]);
    // GitHub may no longer have one of the commits. It is then unknown whether the files differ.
    if (!one.ok) return err(notCompared(one.error, signal));
    if (!other.ok) return err(notCompared(other.error, signal));
    return ok(one.value === other.value);
  }
  return async (scan, { baseSha, headSha }) => {
    const head = await hasSameFiles(scan.headSha, headSha, trees?.head);
    return head.ok && head.value ? hasSameFiles(scan.baseSha ?? undefined, baseSha, trees?.base) : head;
  };
}

const RELAUNCH = 'Re-run this job to launch a new scan.';

const NOT_IN_FULL: NotScanned = {
  reason: 'service-error',
  cause:
    'The scan shows another commit, and not its full SHA. Its files could not be compared with this change.',
  nextStep: RELAUNCH,
};

function notCompared(error: GitHubError, signal: AbortSignal): NotScanned {
  if (error.kind === 'stopped') {
    return explainStop(stopCause(signal), 'the files of the scan had not been compared');
  }
  return {
    reason: 'service-error',
    cause: `The scan shows other commits, and their files could not be compared with this change. ${causeOf(error)}`,
    nextStep: error.kind === 'not-found' ? RELAUNCH : fixOf(error),
  };
}

/**
 * Our choice: for this time, a scan is read again after a 404, because the service can answer 404 by mistake. A run that
 * believed the first 404 could pay for a second scan.
 */
const GONE_AFTER_MS = 6_000;

/** What the run knows about a scan whose findings it has not read. */
type ScanBefore = Omit<ScanResult, 'outcome'>;

export type EarlierScan =
  /** The run uses the scan. Its findings are not read yet. */
  | { readonly kind: 'completed'; readonly scan: ScanBefore; readonly completed: CompletedScan }
  /** The scan may still be running. The run ends without its findings. */
  | { readonly kind: 'left-running'; readonly result: ScanResult }
  /** The scan cannot be used. `ended` is set if it is a scan of this change that ended without a usable result. */
  | { readonly kind: 'none'; readonly ended: ScanResult | undefined };

/**
 * Uses a candidate if it is not ruled out: follows it to its end. If the run is stopped first, or the service gives no
 * more answers, the result is "not scanned", because a second scan would cost credits. Never cancels a candidate,
 * because another run launched it.
 * @param request how to follow a scan of this change
 */
export function tryCandidate(
  step: ServiceStep,
  { kind, scan }: Candidate,
  request: Omit<FollowRequest, 'scanId'>,
): Promise<EarlierScan> {
  return kind === 'exact' ? tryExact(step, scan, request) : trySameFiles(step, scan, request);
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
  step: ServiceStep,
  scan: DatedScan,
  request: Omit<FollowRequest, 'scanId'>,
): Promise<EarlierScan> {
  const { log, warn } = step;
  const { scanId } = scan;
  const { headSha } = request.expected;
  log.info(`Found scan \`${scanId}\` of another run.`);
  const shown = await awaitScan(step, { ...request, scanId }, GONE_AFTER_MS);
  const followed = shown.ok ? await followScan(step, { ...request, scanId }, shown.value) : shown.error;
  if (followed.kind === 'completed') return reuse(log, scan, followed, headSha, headSha);
  const { failure } = followed;
  const facts = factsOf(scan, followed.scan);
  if (followed.kind === 'left-running' && (followed.why === 'stopped' || followed.why === 'no-answer')) {
    warn(
      `Scan \`${scanId}\` is still running. Another run launched it, so this run did not cancel it. Re-run this job to get its result at no extra cost.`,
    );
    return { kind: 'left-running', result: { ...facts, outcome: notScanned(failure) } };
  }
  log.info(`Scan \`${scanId}\` cannot be reused. ${failure.cause}`);
  if (followed.kind !== 'ended') return PASSED_OVER;
  return { kind: 'none', ended: { ...facts, outcome: notScanned({ ...failure, repeated: true }) } };
}

/**
 * Uses a COMPLETED scan of the same files. The scan must not show other commits than its mark names, unless these
 * commits have the same trees.
 */
async function trySameFiles(
  { api, signal, log }: ServiceStep,
  scan: MarkedScan,
  { projectId, expected: { headSha }, compareFiles }: Omit<FollowRequest, 'scanId'>,
): Promise<EarlierScan> {
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
  const judged = await judgeEnded(read.value, status, { expected, compareFiles });
  if (judged.kind !== 'completed') return passOver(judged.failure.cause);
  const scanned = scannedCommit(judged.scan, expected.headSha);
  log.info(
    scanned === headSha
      ? `Scan \`${scanId}\` is of this commit, for another pull request or from a base with the same files.`
      : `Scan \`${scanId}\` is of commit \`${scanned}\`, which has the same files.`,
  );
  return reuse(log, scan, judged, scan.headSha, headSha);
}

const PASSED_OVER: EarlierScan = { kind: 'none', ended: undefined };

/**
 * Returns the commit of the scan.
 * @param marked the head that the mark names; used if the scan does not show its full head
 */
function scannedCommit({ headSha }: Scan, marked: string): string {
  return shownInFull(headSha, marked) ?? marked;
}

/** @param marked the head that the mark names @param headSha the head of this change */
function reuse(
  log: Log,
  named: DatedScan,
  completed: CompletedScan,
  marked: string,
  headSha: string,
): EarlierScan {
  log.info(`Reusing scan \`${named.scanId}\`. No credits used.`);
  const scanned = scannedCommit(completed.scan, marked);
  const sameFilesAs = scanned === headSha ? undefined : scanned;
  return { kind: 'completed', completed, scan: { ...factsOf(named, completed.scan), sameFilesAs } };
}

function factsOf({ scanId, launchedAt }: DatedScan, scan: Scan | undefined) {
  return { reused: true, scanId, launchedAt, scanStatus: scan?.status, creditsReserved: 0 } as const;
}

function notScanned(failure: NotScanned): ScanOutcome {
  return { kind: 'not-scanned', failure };
}
