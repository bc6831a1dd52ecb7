import { confirmEmptyDiff } from '../change/changed-files.ts';
import type { LastLook } from '../change/pull-request.ts';
import { stopCause } from '../domain/result.ts';
import type { LaunchedScan, PendingLaunch } from '../domain/scan.ts';
import type { Seal } from '../domain/seal.ts';
import type { ScanOutcome } from '../domain/verdict.ts';
import type { GitHubEnvironment } from '../github/environment.ts';
import type { GitHubClient } from '../github/octokit.ts';
import type { Deadlines } from '../runner/deadlines.ts';
import type { ConnectionInputs, DeliveryInputs, Inputs } from '../runner/inputs.ts';
import type { Step } from '../runner/log.ts';
import type { WritableState } from '../runner/state.ts';
import { cancelScan } from '../scan/cancel.ts';
import {
  chooseLaunchedId,
  type DatableScan,
  findLaunchTime,
  type LaunchDeps,
  launchScan,
} from '../scan/launch.ts';
import { describeLost, describeNamed, launchCancelled, launchUnknown } from '../scan/launch-unknown.ts';
import type { Found } from '../scan/match-new-scans.ts';
import { type RecoveryDeps, recoverLaunch } from '../scan/recover-launch.ts';
import type { ScanResult } from '../scan/result.ts';
import type { DatedScan } from '../scan/scan-mark.ts';
import type { ScanApi } from '../scan-api/client.ts';
import type { Change } from './plan.ts';
import type { Stopwatch } from './stopwatch.ts';

/** A launch that may have created a scan. The run does not know which scan. */
export interface LostLaunch {
  readonly pending: PendingLaunch;
  /** One sentence that says why the run does not know the scan. */
  readonly cause: string;
  /** True if a signal interrupted the launch. */
  readonly bySignal?: boolean;
  /** Ids that the launch answer named, but that the service does not know. */
  readonly unknownIds: readonly string[];
}

export interface EndedLaunch {
  readonly kind: 'ended';
  readonly result: ScanResult;
  /** The id of the scan of a lost launch. The run found it, and does not use its result. */
  readonly foundId?: string | undefined;
}

export interface RecoverDeps extends Step {
  readonly api: ScanApi;
  readonly deadlines: Deadlines;
  readonly state: WritableState;
}

/**
 * Looks for the scan of a launch that the service may have accepted. A scan that hides its scope may cover less than
 * the launch requested. Its result would prove nothing, so this function cancels the scan, unless the launch answer
 * named it.
 */
export async function recoverChange(
  deps: RecoverDeps,
  lost: LostLaunch,
  readClaimed: (signal: AbortSignal) => ReturnType<RecoveryDeps['readClaimedScans']>,
): Promise<Omit<Found, 'scopeShown'> | EndedLaunch> {
  const { api, clock, random, log, deadlines, state } = deps;
  const { pending, cause, unknownIds } = lost;
  const { projectId } = pending;
  log.info("Could not confirm the launch of the scan. Looking for it in the service's scan list.");
  const signal = deadlines.startSearch();
  const readClaimedScans = async () => {
    const claimed = await readClaimed(signal);
    // The marks that name these ids may be by this run itself. So they do not show that another run has the scans.
    return claimed && new Set([...claimed].filter((id) => !unknownIds.includes(id)));
  };
  const looked = await recoverLaunch({ api, clock, random, signal, readClaimedScans }, pending);
  const bySignal = lost.bySignal === true || stopCause(signal) === 'signal';
  if (looked.kind === 'found') {
    const { scanId, createdAt } = looked;
    state.saveScan({ projectId, scanId });
    if (looked.scopeShown || unknownIds.includes(scanId)) return { kind: 'found', scanId, createdAt };
    const cancellation = await cancelScan(api, projectId, scanId, deadlines.cancelling);
    const failure = launchCancelled(cause, scanId, cancellation, bySignal);
    return { ...ended({ kind: 'not-scanned', failure }, cancellation.kind === 'failed'), foundId: scanId };
  }
  const [scanId, ...otherIds] = unknownIds;
  // The search found no scan. The service may know the ids by the time `post` runs, so they are saved.
  if (looked.settled && scanId !== undefined) state.saveScan({ projectId, scanId, otherIds });
  const failure = launchUnknown(cause, pending, looked, { bySignal, isNamed: scanId !== undefined });
  return ended({ kind: 'not-scanned', failure }, !looked.settled || scanId !== undefined);
}

/** @param mayStillBeRunning true if the launch may have created a scan that this run has not cancelled */
export function ended(outcome: ScanOutcome, mayStillBeRunning = false): EndedLaunch {
  return { kind: 'ended', result: { outcome, mayStillBeRunning } };
}

export interface ChangeDeps extends RecoverDeps {
  readonly github: GitHubClient;
  readonly environment: GitHubEnvironment;
  readonly inputs: Pick<Inputs, 'policy' | 'reuseScan'> &
    Pick<DeliveryInputs, 'checkName'> &
    Pick<ConnectionInputs, 'projectId'>;
  readonly seal: Seal;
  /** Asks the service what the token may do. All calls return the same answer. */
  readonly token: () => ReturnType<ScanApi['token']>;
  readonly stopwatch: Stopwatch;
  /** The run calls this when the scan has completed, before it reads the findings. */
  readonly onScanCompleted?: (() => void) | undefined;
  /** Receives every new state of the pull request that the run reads. Undefined if the event has no pull request. */
  readonly look?: Pick<LastLook, 'saw' | 'seen'> | undefined;
}

/** What the run knows about other scans when it begins a launch. */
export interface Surroundings {
  readonly knownSince: LaunchDeps['knownSince'];
  /** The ids in the newest scan list. Undefined if the list could not be read. */
  readonly knownScanIds: () => readonly string[] | undefined;
  /** True if the newest scan list or a mark that the run has read shows this scan. It is then older than the launch. */
  readonly isOlder: (scanId: string) => boolean;
  /**
   * Finds out what has changed since the start of the run.
   * @param asks if true, reads the scan list, the pull request and the marks again; if false, uses only what the run
   * has read
   * @returns a new scan of this change that a different run launched, or how the pull request has changed
   */
  readonly look: (asks: boolean) => ReturnType<NonNullable<LaunchDeps['lookAgain']>>;
  readonly readClaimedScans: (signal: AbortSignal) => ReturnType<RecoveryDeps['readClaimedScans']>;
  /** True if the run may follow a scan that the launch answer named, although the scan is older than the launch. */
  readonly mayFollow: (pending: PendingLaunch, scanId: string) => Promise<boolean>;
}

export type LaunchedChange =
  /** This run launched `scan`. If the service does not know that scan, `pending` says what to look for. */
  | { readonly kind: 'launched'; readonly scan: DatedScan; readonly pending: PendingLaunch }
  /**
   * A different run launched `scan`, and this run follows it. `accepted` is true if the service accepted our launch
   * too. Our launch may then have created one more scan.
   */
  | { readonly kind: 'running'; readonly scan: DatedScan; readonly accepted?: boolean }
  | EndedLaunch;

/**
 * Launches at most one scan of the change. Saves the launch before it is sent, and then the id of the scan. If the job
 * is killed, `post` can find the scan. Deletes this state if the service certainly refused the launch.
 */
export async function launchChange(
  deps: ChangeDeps,
  { target, diffBase, preflight, plan }: Change,
  surroundings: Surroundings,
): Promise<LaunchedChange> {
  const { api, clock, random, deadlines, signal, log, state, stopwatch } = deps;
  const { projectId, repository, preset, token } = preflight;
  const { headSha, pullRequest } = target;
  const { body, creditBudget, subject } = plan;
  const pending = (): PendingLaunch => {
    const knownScanIds = surroundings.knownScanIds();
    return { projectId, headSha, pullRequest: pullRequest?.number, knownScanIds, subject };
  };
  const launch = await launchScan(
    {
      api,
      clock,
      random,
      signal,
      launchSignal: deadlines.launch,
      onWaiting: log.info,
      onWaitedForReadiness: stopwatch.waitedForReadiness,
      onSend: () => state.saveScan(pending()),
      onNothingLaunched: state.clearScan,
      knownSince: surroundings.knownSince,
      lookAgain: () => surroundings.look(true),
    },
    { projectId, repositoryId: repository.id, body, creditBudget, token },
  );
  switch (launch.kind) {
    case 'launched':
      return acceptAnswer(deps, pending(), launch.scan, preset.ref, surroundings);
    case 'running':
      return launch;
    case 'empty-diff':
      return ended(await confirmEmptyDiff(deps.github, diffBase, signal));
    case 'not-scanned':
      return ended(launch);
    case 'lost': {
      const { error } = launch;
      const bySignal = error.kind === 'stopped' && error.by === 'signal';
      const lost = { pending: pending(), cause: describeLost(error), bySignal, unknownIds: [] };
      return recover(deps, lost, surroundings);
    }
  }
}

/**
 * Determines which scan of the answer this launch created. A scan that is older than the launch is not ours. If there
 * is no new scan, the run may still follow an older scan. If it may not, the launch counts as lost.
 */
async function acceptAnswer(
  deps: ChangeDeps,
  pending: PendingLaunch,
  { scanId, otherIds, acceptedAt }: LaunchedScan,
  presetRef: string,
  surroundings: Surroundings,
): Promise<LaunchedChange> {
  const { api, deadlines, signal, log, state } = deps;
  const { projectId } = pending;
  const ids = [scanId, ...otherIds];
  const older = ids.filter(surroundings.isOlder);
  const own = ids.filter((id) => !older.includes(id));
  const [first, ...others] = own;
  if (first !== undefined) {
    // From here on, `post` can find the scan if the job is killed.
    state.saveScan(running(projectId, { scanId: first, otherIds: others }, pending));
    const isOnly = ids.length === 1;
    const signals = { signal, cancelSignal: deadlines.cancelling };
    const chosen = isOnly
      ? { scanId: first, otherIds: [] }
      : await chooseLaunchedId(api, projectId, [first, ...others], signals);
    if (chosen !== undefined) {
      if (!isOnly) state.saveScan(running(projectId, chosen, pending));
      log.info(`Launched scan \`${chosen.scanId}\` with preset \`${presetRef}\`.`);
      return { kind: 'launched', scan: await dated(deps, projectId, { ...chosen, acceptedAt }), pending };
    }
  }
  for (const id of older) {
    if (!(await surroundings.mayFollow(pending, id))) continue;
    state.clearScan();
    log.info(`The service answered the launch with scan \`${id}\`, which another run launched.`);
    return { kind: 'running', scan: await dated(deps, projectId, { scanId: id }), accepted: true };
  }
  return own.length > 0
    ? recoverUnknown(deps, pending, own, surroundings)
    : recover(deps, { pending, cause: describeNamed(older, true), unknownIds: [] }, surroundings);
}

/** Looks for the scan of a launch. The service does not know the scans that its answer named. */
export function recoverUnknown(
  deps: ChangeDeps,
  pending: PendingLaunch,
  unknownIds: readonly string[],
  surroundings: Surroundings,
): Promise<LaunchedChange> {
  return recover(deps, { pending, cause: describeNamed(unknownIds, false), unknownIds }, surroundings);
}

async function recover(
  deps: ChangeDeps,
  lost: LostLaunch,
  { readClaimedScans }: Surroundings,
): Promise<LaunchedChange> {
  const found = await recoverChange(deps, lost, readClaimedScans);
  if (found.kind === 'ended') return { ...found, result: { ...found.result, launchLost: true } };
  deps.log.info(`Recovered the launch of scan \`${found.scanId}\`.`);
  const { pending } = lost;
  return { kind: 'launched', scan: await dated(deps, pending.projectId, found), pending };
}

async function dated(
  { api, clock, signal }: ChangeDeps,
  projectId: string,
  scan: DatableScan,
): Promise<DatedScan> {
  return { scanId: scan.scanId, launchedAt: await findLaunchTime({ api, clock, signal }, projectId, scan) };
}

/**
 * Makes the state for `post`. It contains all ids in the answer until the id of the scan is certain. `post` may have to
 * cancel any of these scans.
 */
function running(projectId: string, { scanId, otherIds }: LaunchedScan, launch: PendingLaunch) {
  return { projectId, scanId, ...(otherIds.length > 0 && { otherIds: [...otherIds] }), launch };
}
