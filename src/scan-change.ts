import type { Clock } from './clock.ts';
import { ok, type Result } from './domain/result.ts';
import type { Scan } from './domain/scan.ts';
import { type DiffBase, isCommitId, type ScanTarget } from './domain/target.ts';
import type { ScanOutcome } from './domain/verdict.ts';
import { type CheckRun, type CheckRunIdentity, createCheckRun } from './github/check-run.ts';
import { comparisonIsEmpty } from './github/compare.ts';
import { explainGitHubError, type GitHubError } from './github/github-error.ts';
import type { GitHubClient } from './github/octokit.ts';
import type { Inputs } from './inputs.ts';
import type { Log } from './log.ts';
import { elapsedOf, progressOf } from './progress.ts';
import { cancelScan } from './scan/cancel.ts';
import { readFindings } from './scan/findings.ts';
import { launchScan } from './scan/launch.ts';
import type { Preflight } from './scan/preflight.ts';
import { followScan } from './scan/wait.ts';
import type { ScanApi } from './scan-api/client.ts';
import { launchBody, readLaunchBody } from './scan-api/wire-writes.ts';
import { saveRun } from './state.ts';

export interface ChangeWorld {
  readonly api: ScanApi;
  /** Not stopped with the work: cancelling and the check run come after the stop. */
  readonly lateApi: ScanApi;
  readonly github: GitHubClient;
  readonly lateGitHub: GitHubClient;
  readonly inputs: Inputs;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: Log;
}

export interface Change {
  readonly target: ScanTarget;
  readonly diffBase: DiffBase;
  readonly preflight: Preflight;
  /** The check run's identity once the scan's id is known. */
  readonly identityOf: (scanId: string) => CheckRunIdentity;
}

/** What scanning led to, besides the outcome. */
export interface Scanned {
  readonly outcome: ScanOutcome;
  /** The base that was really sent; left out where nothing was launched. */
  readonly diffBase?: DiffBase;
  readonly scanId?: string;
  readonly scan?: Scan | undefined;
  /** An earlier run paid for the scan. */
  readonly reused?: boolean;
  readonly creditsReserved?: number | undefined;
  readonly checkRun?: Result<CheckRun, GitHubError>;
  /** The scan may still be running: `post` tries again to cancel it. */
  readonly leftRunning?: boolean;
  readonly notices: readonly string[];
}

interface LaunchedRun {
  readonly projectId: string;
  readonly scanId: string;
  readonly headSha: string;
}

/** Launches the scan of the change, follows it to its end, and reads its findings. What is abandoned is cancelled. */
export async function scanChange(world: ChangeWorld, change: Change): Promise<Scanned> {
  const { api, clock, signal, log, inputs } = world;
  const { target, preflight } = change;
  const { projectId, repository } = preflight;
  const body = launchBody(
    {
      repositoryId: repository.id,
      presetRef: preflight.preset.ref,
      creditBudget: preflight.creditBudget,
      baseCommit: change.diffBase.baseCommit,
      commit: change.diffBase.headCommit,
    },
    inputs.launchParameters,
  );
  const sent = readLaunchBody(body);
  const diffBase = measuredFrom(sent.baseCommit, change.diffBase);
  const otherCommit = sent.commit !== undefined && isCommitId(sent.commit) && sent.commit !== target.headSha;
  if (otherCommit) return ended(OTHER_COMMIT);

  const launch = await launchScan(
    { api, clock, signal, onWaiting: log.info },
    { projectId, repositoryId: repository.id, body },
  );
  if (launch.kind === 'empty-diff') return ended(await confirmEmptyDiff(world.github, diffBase));
  if (launch.kind === 'not-scanned') return ended(launch);
  const { scanId } = launch;
  const run = { projectId, scanId, headSha: target.headSha };
  saveRun(run);
  log.info(`Scan ${scanId} was launched with the preset ${preflight.preset.ref}.`);

  // A GitHub that is slow keeps neither the scan from being followed nor its credits from being released.
  const checkRun = beginCheckRun(world.lateGitHub, change.identityOf(scanId), run);
  const scanned = await follow(world, run, diffBase, sent.creditBudget);
  return { ...scanned, diffBase, checkRun: await checkRun };
}

/** Follows our scan to its end and reads its findings; cancels it when it is abandoned. */
async function follow(
  world: ChangeWorld,
  { projectId, scanId }: LaunchedRun,
  { baseCommit, headCommit }: DiffBase,
  creditBudget: number | undefined,
): Promise<Scanned> {
  const { api, clock, signal, log, inputs } = world;
  const followed = await followScan(
    { api, clock, signal },
    {
      projectId,
      scanId,
      // Whatever the launch fields are called: it has to be the scan of exactly this change.
      expected: { baseCommit, commit: headCommit },
      onProgress: progressPrinter(log),
    },
  );
  const { scan } = followed;
  const facts = { scanId, scan, creditsReserved: scan?.progress.reservedCredits ?? creditBudget };
  switch (followed.kind) {
    case 'completed': {
      const unseen = followed.commitShown ? [] : ['The service does not show which commit it scanned.'];
      const read = await readFindings(api, { projectId, scanId, policy: inputs.policy });
      if (!read.ok) return { ...facts, outcome: { kind: 'not-scanned', stop: read.error }, notices: unseen };
      for (const sentence of unseen) log.info(sentence);
      const { findings, notices } = read.value;
      return { ...facts, outcome: { kind: 'completed', scan: followed.scan, findings }, notices };
    }
    case 'ended':
      return { ...facts, outcome: { kind: 'not-scanned', stop: followed.stop }, notices: [] };
    case 'left-running':
      return {
        ...facts,
        outcome: { kind: 'not-scanned', stop: followed.stop },
        ...(await abandon(world.lateApi, projectId, scanId, scan)),
      };
  }
}

/** Where `launch-parameters` sets the base, that is the one the change is measured from. */
function measuredFrom(sentBase: string | undefined, computed: DiffBase): DiffBase {
  if (sentBase === undefined || sentBase === computed.baseCommit) return computed;
  return { ...computed, baseCommit: sentBase, how: 'input' };
}

function ended(outcome: ScanOutcome): Scanned {
  return { outcome, notices: [] };
}

const OTHER_COMMIT: ScanOutcome = {
  kind: 'not-scanned',
  stop: {
    reason: 'configuration',
    cause: 'Input `launch-parameters` sets `commit` to another commit than the head of this change.',
    nextStep:
      'Remove `commit` from `launch-parameters`, or set it to `null` where the service names the field differently.',
  },
};

/** The service's word that nothing changed counts only where GitHub sees no changed file either. */
async function confirmEmptyDiff(
  github: GitHubClient,
  { baseCommit, headCommit }: DiffBase,
): Promise<ScanOutcome> {
  const empty = await comparisonIsEmpty(github, baseCommit, headCommit);
  if (!empty.ok) {
    return {
      kind: 'not-scanned',
      stop: {
        reason: 'service-error',
        cause: `The service sees no change, and whether GitHub sees one is not known. ${explainGitHubError(empty.error)}`,
        nextStep: 'Run the job again later.',
      },
    };
  }
  if (empty.value) return { kind: 'unchanged', how: 'empty-diff' };
  return {
    kind: 'not-scanned',
    stop: {
      reason: 'configuration',
      cause:
        'The service sees no change, but GitHub lists changed files: the service looked at another commit.',
      nextStep:
        'The service probably does not read the head from the launch field `commit`: set the right field with the input `launch-parameters`.',
    },
  };
}

async function beginCheckRun(
  github: GitHubClient,
  identity: CheckRunIdentity,
  run: LaunchedRun,
): Promise<Result<CheckRun, GitHubError>> {
  const created = await createCheckRun(github, identity, {
    title: 'Scanning this change',
    summary: 'The scan is running. The findings appear here when it has ended.',
    text: '',
  });
  if (!created.ok) return created;
  saveRun({ ...run, checkRunId: created.value.id });
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

async function abandon(
  api: ScanApi,
  projectId: string,
  scanId: string,
  scan: Scan | undefined,
): Promise<Pick<Scanned, 'scan' | 'leftRunning' | 'notices'>> {
  const cancellation = await cancelScan(api, projectId, scanId);
  switch (cancellation.kind) {
    case 'cancelled':
      return {
        scan: scan && { ...scan, status: 'CANCELLED' },
        notices: [
          `Scan ${scanId} was cancelled: its reservation is released, work already done is still charged.`,
        ],
      };
    case 'already-terminal':
      return {
        scan: scan && { ...scan, status: cancellation.status },
        notices: [`Scan ${scanId} had already ended as ${cancellation.status}.`],
      };
    case 'failed':
      return {
        scan,
        leftRunning: true,
        notices: [
          `Scan ${scanId} could not be cancelled and may go on for credits: cancel it in the service. ${cancellation.cause}`,
        ],
      };
  }
}
