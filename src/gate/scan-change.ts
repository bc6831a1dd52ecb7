import { findChangeBeforeLaunch } from '../change/changed-target.ts';
import type { PullRequestRead } from '../change/current-target.ts';
import { type NotScanned, ok } from '../domain/result.ts';
import { disclosureOf, type ScanTarget } from '../domain/target.ts';
import type { CheckRun } from '../github/check-run.ts';
import {
  candidates,
  createMarksOfChange,
  describeUnproven,
  type MarksOfChange,
  unprovenScans,
} from '../scan/candidates.ts';
import { useEarlierScan } from '../scan/earlier-scan.ts';
import { marksInComments, marksUnlisted, openCheckRunOf } from '../scan/marks.ts';
import { claimedScans, scanIdsOf } from '../scan/match-new-scans.ts';
import { createCostLedger } from '../scan/pull-request-cost.ts';
import { isAsLaunched } from '../scan/recover-launch.ts';
import type { ScanResult } from '../scan/result.ts';
import { createFileComparison } from '../scan/same-files.ts';
import { contentKey, type DatedScan, exactKey, isKeyOf } from '../scan/scan-mark.ts';
import {
  type CountingDeps,
  type FollowedLaunch,
  type FollowOptions,
  findStartedCheckRun,
  followLaunched,
  followRequest,
} from './follow-launched.ts';
import { type ChangeDeps, launchChange, recoverUnknown, type Surroundings } from './launch-change.ts';
import { cancelForOlderHeads } from './older-scans.ts';
import { type Change, notScanned, type RunResult, type ScanPlan } from './plan.ts';

/**
 * Uses the scan that an earlier run paid for. If there is none, launches a scan, follows it to its end, and reads its
 * findings. With `reuse-scan: false`, always launches a scan.
 *
 * If several jobs launch at the same time, one job keeps its scan. The other jobs cancel their scans and use this scan,
 * if `reuse-scan` allows it. The run also cancels the running scans of older heads.
 */
export async function scanChange(deps: ChangeDeps, { change, known }: ScanPlan): Promise<RunResult> {
  // Scans of older heads are cancelled first, because the launch may need the credits that they reserve.
  await cancelForOlderHeads(deps, change, change.earlier.marks);
  const { marks, cost } = change.earlier;
  const ledger = createCostLedger(cost, change.target.pullRequest?.number, marks);
  const late = createLateLook({ ...deps, ledger }, change.target, known.pullRequestRead);
  const result = await scanOnce({ ...deps, ledger }, change, late);
  return { ...known, ...result, target: late.target(), cost: ledger.total(result) };
}

/**
 * The most launches of one job. Our choice. The job keeps the scan of the last launch.
 *
 * If two jobs launch a scan of the same change, one of them cancels its scan and follows the other scan. If the
 * followed scan ends early, the job that follows it launches again. If there are three jobs, this can happen twice.
 */
const MOST_LAUNCHES = 3;

/**
 * Uses or launches the scan of the change. Each turn of the loop first tries existing scans. If none has a result, the
 * turn launches a scan. If a different run has a scan to use instead, the next turn tries that scan.
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
  for (let launches = 0; ; ) {
    const earlier = await useEarlierScan(reuseDeps, turn, request);
    if (earlier.kind === 'used') return { ...earlier.scan, checkRun: open && ok(open) };
    const isFirst = launches === 0;
    const refused = isFirst ? refuseLaunch(deps, change, marks, earlier.ended) : undefined;
    if (refused !== undefined) return { ...refused, checkRun: open && ok(open) };
    // True if the run has tried an existing scan, which can take long, or could not read the pull request at the start.
    const isOutdated = marks.tried.size > 0 || late.isUnread;
    const instead = signal.aborted ? undefined : await surroundings.look(isOutdated);
    if (instead?.kind === 'not-scanned')
      return { ...notScanned(instead.failure), checkRun: open && ok(open) };
    if (instead?.kind === 'running') {
      turn = candidates(marks, [instead.scan]);
      continue;
    }
    if (!signal.aborted && !isOutdated && change.earlier.marks.length > 0) await listed.refresh();
    if (isFirst && inputs.reuseScan) {
      const unproven = unprovenScans(listed.scans(), diffBase, marks.names);
      if (unproven.length > 0) log.info(describeUnproven(unproven));
    }
    launches += 1;
    const mayYield = inputs.reuseScan && launches < MOST_LAUNCHES;
    const own = await launchAndFollow(deps, change, marks, surroundings, {
      openCheckRun: Promise.resolve(open),
      onMarks: marks.saw,
      mayYield,
    });
    if (own.kind === 'ended') return own.result;
    open = own.openCheckRun;
    turn = candidates(marks, own.scans);
  }
}

type LaunchedScanEnd =
  | { readonly kind: 'ended'; readonly result: ScanResult }
  /** This run uses one of `scans`, which different runs launched. `openCheckRun` is the check run of this step. */
  | {
      readonly kind: 'instead';
      readonly scans: readonly DatedScan[];
      readonly openCheckRun: CheckRun | undefined;
    };

/** Launches the scan and follows it to its end. Stops early if the run uses the scan of a different run instead. */
async function launchAndFollow(
  deps: CountingDeps,
  change: Change,
  marks: MarksOfChange,
  surroundings: Surroundings,
  options: FollowOptions,
): Promise<LaunchedScanEnd> {
  let { openCheckRun } = options;
  let launch = await launchChange(deps, change, surroundings);
  while (launch.kind === 'launched') {
    const { scan, pending } = launch;
    marks.tried.add(scan.scanId);
    const followed: FollowedLaunch = await followLaunched(deps, change, scan, {
      ...options,
      openCheckRun,
    });
    if (followed.kind === 'ended') return followed;
    const before = openCheckRun;
    // A slow GitHub must not delay the search for the paid scan, so the run does not wait for the check run here.
    openCheckRun = findStartedCheckRun(deps, change, scan, followed.checkRun).then(
      (found) => found ?? before,
    );
    if (followed.kind === 'yielded') {
      // The order of the check runs decides only which job gives up its scan. An older check run may hold the mark of a
      // newer scan, so the marks decide which scan is used.
      const scans = [...(await marks.readNew()), followed.elder];
      return { kind: 'instead', scans, openCheckRun: await openCheckRun };
    }
    deps.ledger.notLaunched(scan.scanId);
    launch = await recoverUnknown(deps, pending, [scan.scanId], surroundings);
  }
  const open = await openCheckRun;
  if (launch.kind === 'running') {
    if (launch.accepted) deps.ledger.mayHaveLaunched();
    return { kind: 'instead', scans: [launch.scan], openCheckRun: open };
  }
  if (launch.foundId !== undefined) deps.ledger.launched(launch.foundId, change.plan.creditBudget);
  return { kind: 'ended', result: { ...launch.result, checkRun: open && ok(open) } };
}

/** Explains why the run launches no scan. Returns undefined if it may launch one. */
function refuseLaunch(
  { environment }: ChangeDeps,
  { target, earlier, unpaid }: Change,
  { exact }: MarksOfChange,
  ended: ScanResult | undefined,
): ScanResult | undefined {
  // An edit of the title or the body needs no new scan. A user who re-runs the job may want one, so only the first
  // attempt skips the launch.
  const editedOnly = target.pullRequest?.editedOnly === true && environment.runAttempt === 1;
  if (editedOnly && ended !== undefined) return ended;
  const unlisted = exact.length === 0 || unpaid !== undefined ? earlier.unlisted : undefined;
  const failure = unlisted === undefined ? unpaid : marksUnlisted(unlisted);
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
  deps: CountingDeps,
  change: Change,
  marks: MarksOfChange,
  listed: ScanListBefore,
  late: LateLook,
): Surroundings {
  const { github, seal, clock, signal } = deps;
  const { target, plan } = change;
  const onPullRequestRead = deps.look?.saw;
  const places = { headSha: target.headSha, pullRequest: target.pullRequest?.number };
  const claimed = (look: AbortSignal, exceptKey?: string) =>
    claimedScans({ github, seal, signal: look, onPullRequestRead }, places, exceptKey);
  const readClaimedScans = () => claimed(signal, exactKey(plan.keyFields));
  let { knownSince } = change;
  const look: Surroundings['look'] = async (asks) => {
    // The scan list is read before the pull request, because the service can ask for a long wait. If the service has
    // just refused the list, the run does not ask for it again.
    if (asks && (listed.isRead() || marks.tried.size > 0)) await listed.refresh();
    const failure = await late.findChange(asks);
    if (failure !== undefined) return { kind: 'not-scanned', failure };
    if (!asks) return undefined;
    const shown = deps.look?.seen();
    const ofComments = shown ? marksInComments(shown, deps.inputs.checkName, seal) : [];
    // One read is enough: after the launch, the run looks for scans of other jobs again.
    const [newest] = await marks.readNew({ ofComments, mostReads: 1 });
    knownSince = clock.now();
    // The ledger has not seen the launch that only a comment shows.
    if (newest !== undefined && newest.checkRun === undefined) deps.ledger.mayHaveLaunched();
    return newest && { kind: 'running', scan: newest };
  };
  return {
    look,
    knownSince: () => knownSince,
    knownScanIds: listed.ids,
    isOlder: (scanId) => listed.has(scanId) || marks.hasSeen(scanId),
    readClaimedScans: claimed,
    mayFollow: async (pending, scanId) =>
      !marks.names(scanId) && isAsLaunched({ ...deps, readClaimedScans }, pending, scanId),
  };
}

type LateLook = ReturnType<typeof createLateLook>;

/** Looks at the pull request before each launch. */
function createLateLook(deps: CountingDeps, target: ScanTarget, read: PullRequestRead | undefined) {
  let latest = target;
  return {
    /** True if the run could not read its pull request at the start, and used the event instead. */
    isUnread: target.pullRequest !== undefined && read === undefined,
    /** The target. Its pull request is marked as closed if `findChange` found it closed. */
    target: () => latest,
    /** Explains how the pull request has changed. Returns undefined if the run may launch a scan. */
    async findChange(asks: boolean): Promise<NotScanned | undefined> {
      const firstAttempt = deps.environment.runAttempt === 1;
      const changed = await findChangeBeforeLaunch(deps, target, read, { firstAttempt, asks });
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
    isRead: () => list !== undefined,
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
