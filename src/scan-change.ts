import { abandonScan } from './abandon-scan.ts';
import { ok, type Result } from './domain/result.ts';
import type { Scan } from './domain/scan.ts';
import type { DiffBase } from './domain/target.ts';
import type { ScanOutcome } from './domain/verdict.ts';
import { type CheckRun, type CheckRunIdentity, createCheckRun } from './github/check-run.ts';
import type { GitHubError } from './github/github-error.ts';
import type { GitHubClient } from './github/octokit.ts';
import { type LaunchChangeWorld, launchChange } from './launch-change.ts';
import { type LaunchableChange, planLaunch } from './launch-plan.ts';
import type { Log } from './log.ts';
import { elapsedOf, progressOf } from './progress.ts';
import type { EarlierMark } from './reuse/earlier-marks.ts';
import { useEarlierScan } from './reuse/earlier-scan.ts';
import { cancelScansOfOlderHeads, findMarksOfRunning } from './reuse/older-heads.ts';
import { watchOtherScans } from './reuse/other-scans.ts';
import { subjectOf } from './reuse/parts.ts';
import { readResult } from './scan/result.ts';
import { reuseKey, type ScanParts } from './scan/scan-mark.ts';
import { followScan } from './scan/wait.ts';
import type { ScanApi } from './scan-api/client.ts';

export interface ChangeWorld extends LaunchChangeWorld {
  /** Not stopped with the work: cancelling and the check run come after the stop. */
  readonly lateApi: ScanApi;
  readonly lateGitHub: GitHubClient;
}

export interface Change extends LaunchableChange {
  readonly parts: ScanParts;
  /** As they were when the run began. */
  readonly earlierMarks: Promise<readonly EarlierMark[]>;
  /** Reads them again. */
  readonly readMarks: () => Promise<readonly EarlierMark[]>;
  /** The check run's identity once the scan's id is known. */
  readonly identityOf: (scanId: string) => CheckRunIdentity;
}

/** What scanning led to, besides the outcome. */
export interface Scanned {
  readonly outcome: ScanOutcome;
  readonly scanId?: string;
  /** As it was last seen, or as we made it; undefined where neither is known. */
  readonly scanStatus?: string | undefined;
  /** An earlier run paid for the scan. */
  readonly reused?: boolean;
  readonly creditsReserved?: number | undefined;
  readonly checkRun?: Result<CheckRun, GitHubError>;
  /** A scan may be running that could not be cancelled, or whose launch was lost: `post` tries again. */
  readonly leftRunning?: boolean;
  readonly notices: readonly string[];
}

interface LaunchedRun {
  readonly projectId: string;
  readonly scanId: string;
  readonly headSha: string;
}

/**
 * Follows or reads the scan that an earlier run paid for; else launches one, follows it to its end, and reads its
 * findings. What is abandoned is cancelled, and so is what still runs for an older head of the pull request.
 */
export async function scanChange(world: ChangeWorld, change: Change): Promise<Scanned> {
  const { api, log, github } = world;
  const { parts, preflight, target } = change;
  const marks = await change.earlierMarks;
  const isPush = target.pullRequest?.previousHead !== undefined;
  const forgotten = isPush ? await findMarksOfRunning(world, preflight.scans, marks, parts) : [];
  // First, because what they reserve may be what the launch lacks.
  const stillRunning = await cancelScansOfOlderHeads(
    { api, github, log },
    [...forgotten, ...marks],
    parts,
    preflight.projectId,
  );
  const scanned = await scanOnce(world, change, marks);
  return { ...scanned, notices: [...stillRunning, ...scanned.notices] };
}

/** Uses a scan that is paid for already, as long as there may be one; launches where there is none. */
async function scanOnce(world: ChangeWorld, change: Change, marks: readonly EarlierMark[]): Promise<Scanned> {
  const { api, clock, signal, log, inputs } = world;
  const { diffBase, parts } = change;
  const { projectId, scans } = change.preflight;
  const reuseWorld = { api, clock, signal, policy: inputs.policy, log };
  const request = followRequest(projectId, diffBase, log);
  const use = (...scanIds: string[]) => useEarlierScan(reuseWorld, scanIds, request);

  const key = reuseKey(parts);
  const ofThis = marks.filter((mark) => mark.key === key);
  const marked = await use(...ofThis.map(({ scanId }) => scanId));
  if (marked !== undefined) return marked;

  const subject = inputs.reuseScan ? subjectOf(parts) : undefined;
  const { readMarks } = change;
  const others = watchOtherScans(world, { projectId, scans, subject, marks, readMarks, key });
  // Following a scan in vain takes its time: then what the preflight listed is old.
  let running = await (ofThis.length === 0 ? others.find() : others.findAgain());
  for (;;) {
    while (running !== undefined) {
      const followed = await use(running);
      if (followed !== undefined) return followed;
      running = await others.findAgain();
    }
    const plan = planLaunch(change, inputs);
    const launch = await launchChange(world, change, plan, others);
    if (launch.kind === 'ended')
      return { outcome: launch.outcome, leftRunning: launch.unsettled, notices: [] };
    if (launch.kind === 'launched')
      return followLaunched(world, change, launch.scanId, plan.sent.creditBudget);
    running = launch.scanId;
  }
}

async function followLaunched(
  world: ChangeWorld,
  change: Change,
  scanId: string,
  creditBudget: number | undefined,
): Promise<Scanned> {
  const run = { projectId: change.preflight.projectId, scanId, headSha: change.target.headSha };
  // A GitHub that is slow keeps neither the scan from being followed nor its credits from being released.
  const checkRun = beginCheckRun(world, change.identityOf(scanId), run);
  const scanned = await follow(world, run, change.diffBase, creditBudget);
  return { ...scanned, checkRun: await checkRun };
}

/** Follows our scan to its end and reads its findings; cancels it when it is abandoned. */
async function follow(
  world: ChangeWorld,
  { projectId, scanId }: LaunchedRun,
  diffBase: DiffBase,
  creditBudget: number | undefined,
): Promise<Scanned> {
  const { api, clock, signal, log, inputs } = world;
  const request = { ...followRequest(projectId, diffBase, log), scanId };
  const followed = await followScan({ api, clock, signal }, request);
  const { scan } = followed;
  const facts = {
    scanId,
    scanStatus: scan?.status,
    creditsReserved: scan?.progress.reservedCredits ?? creditBudget,
  };
  switch (followed.kind) {
    case 'completed': {
      const world = { api, policy: inputs.policy, onNote: log.info };
      return { ...facts, ...(await readResult(world, request, followed)) };
    }
    case 'ended':
      return { ...facts, outcome: { kind: 'not-scanned', stop: followed.stop }, notices: [] };
    case 'left-running':
      return {
        ...facts,
        outcome: { kind: 'not-scanned', stop: followed.stop },
        ...(await abandonScan(world.lateApi, projectId, scanId)),
      };
  }
}

/** Whatever the launch fields are called: it has to be the scan of exactly this change. */
function followRequest(projectId: string, { baseCommit, headCommit }: DiffBase, log: Log) {
  return {
    projectId,
    expected: { baseCommit, commit: headCommit },
    onProgress: progressPrinter(log),
  };
}

async function beginCheckRun(
  { lateGitHub, state }: Pick<ChangeWorld, 'lateGitHub' | 'state'>,
  identity: CheckRunIdentity,
  run: LaunchedRun,
): Promise<Result<CheckRun, GitHubError>> {
  const created = await createCheckRun(lateGitHub, identity, {
    title: 'Scanning this change',
    summary: 'The scan is running. The findings appear here when it has ended.',
    text: '',
  });
  if (!created.ok) return created;
  state.save({ ...run, checkRunId: created.value.id });
  return ok(created.value);
}

/** One line whenever something changed, the elapsed time alone not counting. */
function progressPrinter(log: Log): (scan: Scan, elapsedMs: number) => void {
  let last = '';
  return (scan, elapsedMs) => {
    const line = progressOf(scan);
    if (line !== last) log.info(`Scan ${line}, after ${elapsedOf(elapsedMs)}.`);
    last = line;
  };
}
