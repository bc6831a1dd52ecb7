import type { PullRequestRead } from '../change/current-target.ts';
import { findChangeBeforeLaunch } from '../change/late-launch.ts';
import { disclosureOf } from '../domain/disclosure.ts';
import type { NotScanned } from '../domain/not-scanned.ts';
import { ok } from '../domain/result.ts';
import type { ScanTarget } from '../domain/target.ts';
import type { CheckRun } from '../github/check-run.ts';
import { candidates, createMarksOfChange, type MarksOfChange } from '../scan/candidates.ts';
import { claimedScans } from '../scan/claimed-scans.ts';
import { useEarlierScan } from '../scan/earlier-scan.ts';
import { marksUnlisted } from '../scan/find-marks.ts';
import { isAsLaunched } from '../scan/listed-before.ts';
import { scanIdsOf } from '../scan/match-new-scans.ts';
import { openCheckRunOf } from '../scan/open-check-run.ts';
import { createCostLedger } from '../scan/pull-request-cost.ts';
import type { ScanResult } from '../scan/result.ts';
import { createFileComparison } from '../scan/same-files.ts';
import { contentKey, exactKey, isKeyOf } from '../scan/scan-key.ts';
import type { DatedScan } from '../scan/scan-mark.ts';
import { describeUnproven, unprovenScans } from '../scan/unproven-scans.ts';
import {
  type CountingDeps,
  type FollowedLaunch,
  type FollowOptions,
  followLaunched,
  followRequest,
} from './follow-launched.ts';
import { type ChangeDeps, launchChange, recoverUnknown, type Surroundings } from './launch-change.ts';
import type { Change } from './launch-plan.ts';
import { cancelForOlderHeads } from './older-heads.ts';
import type { ScanPlan } from './plan.ts';
import { notScanned, type RunResult } from './run-result.ts';

/**
 * Uses the scan that an earlier run paid for. If there is none, launches a scan, follows it to its end, and reads its
 * findings.
 *
 * If several jobs launch at the same time, one keeps its scan: see `followLaunched`. Cancels the scans that this run
 * abandons, and running scans of older heads.
 */
export async function scanChange(deps: ChangeDeps, { change, known }: ScanPlan): Promise<RunResult> {
  // Scans of older heads are cancelled before the launch, which may need the credits that those scans reserve.
  await cancelForOlderHeads(deps, change, change.earlier.marks);
  const { marks, cost } = change.earlier;
  const ledger = createCostLedger(cost, change.target.pullRequest?.number, marks);
  const late = createLateLook({ ...deps, ledger }, change, known.pullRequestRead);
  const result = await scanOnce({ ...deps, ledger }, change, late);
  return { ...known, ...result, target: late.target(), cost: ledger.total(result) };
}

/**
 * Our choice: a job keeps the scan of its third launch.
 *
 * If two jobs launch a scan of the same change, one job cancels its scan and follows the other job's scan. If the
 * followed scan ends early, the job launches again. With three jobs, this can happen twice.
 */
const MOST_LAUNCHES = 3;

/**
 * Each turn of the loop first tries existing scans of this change. If none of them has a result, the turn launches a
 * scan. If another run's scan replaces the launched scan, the next turn tries the scan of the other run first.
 */
async function scanOnce(deps: CountingDeps, change: Change, late: LateLook): Promise<ScanResult> {
  const { github, inputs, signal, log } = deps;
  const { target, diffBase, preflight, trees } = change;
  const marks = marksOf(deps, change);
  const listed = createScanList(deps, change);
  const surroundings = surroundingsOf(deps, change, marks, listed, late);
  const reuseDeps = { ...deps, policy: inputs.policy, disclosure: disclosureOf(target) };
  const compareFiles = createFileComparison({ github, signal }, trees);
  const request = { ...followRequest(preflight.projectId, diffBase, deps), compareFiles };

  let open = takeOpenCheckRun(deps, change);
  let turn = candidates(marks, marks.exact, marks.sameFiles);
  for (let launches = 1; ; launches += 1) {
    const earlier = await useEarlierScan(reuseDeps, turn, request);
    if (earlier.kind === 'used') return { ...earlier.scan, checkRun: open && ok(open) };
    const isFirst = launches === 1;
    const refused = isFirst ? refuseLaunch(deps, change, marks, earlier.ended) : undefined;
    if (refused !== undefined) return { ...refused, checkRun: open && ok(open) };
    // The run may have followed an existing scan for a long time, so the pull request and the scan list are read again.
    const changed = signal.aborted ? undefined : await late.findChange(marks.tried.size > 0);
    if (changed !== undefined) return { ...notScanned(changed), checkRun: open && ok(open) };
    if (!signal.aborted && (!isFirst || change.earlier.marks.length > 0)) await listed.refresh();
    if (isFirst && inputs.reuseScan) {
      const unproven = unprovenScans(listed.scans(), diffBase, marks.names);
      if (unproven.length > 0) log.info(describeUnproven(unproven));
    }
    const mayYield = inputs.reuseScan && launches < MOST_LAUNCHES;
    const own = await launchAndFollow(deps, change, marks, surroundings, { openCheckRun: open, mayYield });
    if (own.kind === 'ended') return own.result;
    open = own.openCheckRun;
    turn = candidates(marks, own.scans);
  }
}

type LaunchedScanEnd =
  | { readonly kind: 'ended'; readonly result: ScanResult }
  /** Other runs launched `scans`. This run uses one of them. `openCheckRun` is still the check run of this step. */
  | {
      readonly kind: 'instead';
      readonly scans: readonly DatedScan[];
      readonly openCheckRun: CheckRun | undefined;
    };

/** Launches the scan. Follows the scan until it ends, or until another run has a scan that takes precedence. */
async function launchAndFollow(
  deps: CountingDeps,
  change: Change,
  marks: MarksOfChange,
  surroundings: Surroundings,
  { openCheckRun: given, mayYield }: FollowOptions,
): Promise<LaunchedScanEnd> {
  let openCheckRun = given;
  let launch = await launchChange(deps, change, surroundings);
  while (launch.kind === 'launched') {
    const { scan, pending } = launch;
    marks.tried.add(scan.scanId);
    const followed: FollowedLaunch = await followLaunched(deps, change, scan, { openCheckRun, mayYield });
    if (followed.kind === 'ended') return followed;
    openCheckRun = followed.checkRun.ok ? followed.checkRun.value : openCheckRun;
    if (followed.kind === 'yielded') {
      // The order of the check runs decides only which job gives up its scan. The marks decide which scan is used
      // instead, because an older check run may hold a mark of any scan.
      return { kind: 'instead', scans: [...(await marks.readNew()), followed.elder], openCheckRun };
    }
    deps.ledger.notLaunched(scan.scanId);
    launch = await recoverUnknown(deps, pending, [scan.scanId], surroundings);
  }
  if (launch.kind === 'running') {
    if (launch.accepted) deps.ledger.mayHaveLaunched();
    return { kind: 'instead', scans: [launch.scan], openCheckRun };
  }
  return { kind: 'ended', result: { ...launch.result, checkRun: openCheckRun && ok(openCheckRun) } };
}

/** Explains why the run launches no scan. Returns undefined if it may launch one. */
function refuseLaunch(
  { environment }: ChangeDeps,
  { target, earlier }: Change,
  { exact }: MarksOfChange,
  ended: ScanResult | undefined,
): ScanResult | undefined {
  // Users re-run a job to get another scan, so only the first attempt skips the launch after an edit of the pull
  // request.
  const editedOnly = target.pullRequest?.editedOnly === true && environment.runAttempt === 1;
  if (editedOnly && ended !== undefined) return ended;
  const unlisted = exact.length === 0 ? earlier.unlisted : undefined;
  const failure = earlier.noLaunch ?? (unlisted && marksUnlisted(unlisted));
  return failure && notScanned(failure);
}

function marksOf(deps: CountingDeps, { target, plan, trees, earlier }: Change): MarksOfChange {
  const { keyFields } = plan;
  const sought = {
    headSha: target.headSha,
    key: exactKey(keyFields),
    contentKey: trees && contentKey(keyFields, trees),
  };
  return createMarksOfChange({ ...deps, onRead: deps.ledger.saw }, sought, earlier.marks);
}

/**
 * Takes over the check run that an earlier attempt of this step left in progress. Saves the id of the check run, so
 * that `post` can complete it.
 */
function takeOpenCheckRun(
  { inputs, state, environment }: ChangeDeps,
  { target, plan, earlier }: Change,
): CheckRun | undefined {
  const left = openCheckRunOf(environment, earlier.marks, inputs.checkName, (mark) =>
    isKeyOf(mark, plan.keyFields),
  );
  if (left !== undefined) {
    state.saveCheckRun({ headSha: target.headSha, scanId: left.scanId, id: left.id });
  }
  return left;
}

function surroundingsOf(
  deps: ChangeDeps,
  { target, plan }: Change,
  marks: MarksOfChange,
  listed: ScanListBefore,
  late: LateLook,
): Surroundings {
  const { github, seal, signal } = deps;
  const onPullRequestRead = deps.look?.saw;
  const places = { headSha: target.headSha, pullRequest: target.pullRequest?.number };
  const claimed = (look: AbortSignal, exceptKey?: string) =>
    claimedScans({ github, seal, signal: look, onPullRequestRead }, places, exceptKey);
  const readClaimedScans = () => claimed(signal, exactKey(plan.keyFields));
  return {
    knownSince: late.knownSince,
    knownScanIds: listed.ids,
    isListed: listed.has,
    lookAgain: async () => {
      const failure = await late.findChange(true);
      if (failure !== undefined) return { kind: 'not-scanned', failure };
      // If the service did not answer the first time, another attempt could take minutes, too.
      if (listed.ids() !== undefined) await listed.refresh();
      const [newest] = await marks.readNew();
      return newest && { kind: 'running', scan: newest };
    },
    readClaimedScans: claimed,
    mayFollow: async (pending, scanId) =>
      !marks.names(scanId) && isAsLaunched({ ...deps, readClaimedScans }, pending, scanId),
  };
}

type LateLook = ReturnType<typeof createLateLook>;

/** Looks at the pull request before each launch. */
function createLateLook(deps: CountingDeps, change: Change, read: PullRequestRead | undefined) {
  const { target } = change;
  let latest: ScanTarget = target;
  let { knownSince } = change;
  return {
    /** When the run began to read what it knows about the change, in milliseconds of `clock.now()`. */
    knownSince: () => knownSince,
    /** The target. Its pull request is marked as closed if `findChange` found that it is closed. */
    target: () => latest,
    /** Explains how the pull request has changed. Returns undefined if the run may launch a scan. */
    async findChange(waited: boolean): Promise<NotScanned | undefined> {
      const firstAttempt = deps.environment.runAttempt === 1;
      const changed = await findChangeBeforeLaunch(deps, target, read, { firstAttempt, waited });
      const hasRead = waited || (target.pullRequest !== undefined && read === undefined);
      if (hasRead) knownSince = deps.clock.now();
      if (changed === undefined) return undefined;
      latest = changed.target;
      deps.ledger.mayHaveLaunched();
      return changed.failure;
    },
  };
}

type ScanListBefore = ReturnType<typeof createScanList>;

/** Creates the list of the scans that existed before the launch. A scan that is not in the list is new. */
function createScanList({ api, signal }: ChangeDeps, { preflight }: Change) {
  let list = preflight.scans;
  return {
    ids: () => list && scanIdsOf(list),
    has: (scanId: string) => list?.scans.some(({ id }) => id === scanId) === true,
    scans: () => list?.scans ?? [],
    /** Reads the list again. Keeps the old list if that fails. */
    async refresh(): Promise<void> {
      const again = await api.scans(preflight.projectId, { signal });
      if (again.ok) list = again.value;
    },
  };
}
