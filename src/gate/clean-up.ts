import type { Clock } from '../clock.ts';
import type { PendingLaunch } from '../domain/pending-launch.ts';
import { createSeal, type Seal } from '../domain/seal.ts';
import { type CheckRunIdentity, completeCheckRun } from '../github/check-run.ts';
import { listCheckRuns } from '../github/check-run-list.ts';
import type { GitHubEnvironment } from '../github/environment.ts';
import { explainGitHubError } from '../github/github-error.ts';
import type { GitHubClient } from '../github/octokit.ts';
import { type CleanUpDeadlines, createCleanUpDeadlines } from '../runner/deadlines.ts';
import type { Inputs } from '../runner/inputs.ts';
import type { Log } from '../runner/log.ts';
import type { LeftBehind, OpenCheckRun } from '../runner/state.ts';
import { type Cancellation, cancelScan, describeCancellation } from '../scan/cancel.ts';
import { claimedScans } from '../scan/claimed-scans.ts';
import { describeCandidates, recoveryHint } from '../scan/launch-unknown.ts';
import { chooseLaunchedId } from '../scan/launched-id.ts';
import { recoverLaunch } from '../scan/recover-launch.ts';
import { readMark } from '../scan/scan-mark.ts';
import type { ScanApi } from '../scan-api/scan-api.ts';
import { connectGitHub, connectService } from '../start/clients.ts';

type CleanUpApi = Pick<ScanApi, 'cancel' | 'readScan' | 'scans' | 'scan' | 'guidance'>;

export interface CleanUpDeps {
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  /** Undefined where the inputs that lead to the service are not there any more. */
  readonly api: CleanUpApi | undefined;
  readonly deadlines: CleanUpDeadlines;
  readonly github: GitHubClient | undefined;
  readonly checkRun: Pick<CheckRunIdentity, 'name' | 'detailsUrl'>;
  /** The run that is cleaned up after. */
  readonly runId: number | undefined;
  /** Of the marks of our check runs; empty where the token is not there any more. */
  readonly seal: Seal;
}

/** The clients of the step after the job; its time begins now. @param environment undefined where it cannot be read */
export function createCleanUpDeps({
  clock,
  fetch,
  random,
  log,
  inputs,
  environment,
}: Pick<CleanUpDeps, 'clock' | 'random' | 'log'> & {
  readonly fetch: typeof globalThis.fetch;
  readonly inputs: Pick<Inputs, 'connection' | 'delivery'>;
  readonly environment: GitHubEnvironment | undefined;
}): CleanUpDeps {
  const { connection } = inputs;
  const { baseUrl, apiToken } = connection;
  const step = { clock, fetch, random, log };
  // The event is not read here, so the repository may be public.
  const showMessages = false;
  const deadlines = createCleanUpDeadlines(clock);
  const { leftMs } = deadlines;
  const reachable = baseUrl !== '' && apiToken !== '';
  return {
    clock,
    random,
    log,
    deadlines,
    api: reachable ? connectService(step, connection, { showMessages, leftMs }) : undefined,
    github: environment && connectGitHub(step, connection, environment),
    checkRun: { name: inputs.delivery.checkName, ...(environment && { detailsUrl: environment.runUrl }) },
    runId: environment?.runId,
    seal: createSeal(apiToken, environment?.repositoryId ?? ''),
  };
}

/**
 * Ends what a killed `main` left behind: cancels its scan, or the one new scan of a launch in the middle of which it
 * was killed, and completes its check run.
 * @returns the exit code: 1 where something may still be running for credits
 */
export async function cleanUp(deps: CleanUpDeps, { scan, checkRun }: LeftBehind): Promise<0 | 1> {
  const [exitCode] = await Promise.all([
    scan && endScan(deps, scan),
    checkRun && endCheckRun(deps, checkRun),
  ]);
  return exitCode ?? 0;
}

async function endScan(deps: CleanUpDeps, run: LeftScan): Promise<0 | 1> {
  const { log, api, deadlines } = deps;
  if (api === undefined) {
    log.error(
      `\`api-token\` or \`base-url\` is unavailable in the post step, so the scan could not be cancelled. ${leftBehind(run)}`,
    );
    return 1;
  }
  if (!('scanId' in run)) {
    log.info("The job ended during a launch. Looking for the scan in the service's scan list.");
    return cancelLost({ ...deps, api }, run, []);
  }
  const { projectId, scanId, otherIds = [], launch } = run;
  const ids: [string, ...string[]] = [scanId, ...otherIds];
  const signals = { signal: deadlines.all, cancelSignal: deadlines.all };
  // A single id is not read first: the time is for cancelling.
  const chosen = ids.length === 1 ? run : await chooseLaunchedId(api, projectId, ids, signals);
  const id = chosen?.scanId ?? scanId;
  const cancellation = await cancelScan(api, projectId, id, deadlines.all);
  const isUnknown = cancellation.kind === 'failed' && cancellation.unknown;
  if (!isUnknown || launch === undefined) return report(log, id, cancellation);
  log.info('The service does not know the scan that it named. Looking for it in the scan list.');
  return cancelLost({ ...deps, api }, launch, ids);
}

/** @param named the ids that the answer to the launch names, and that the service did not know */
async function cancelLost(
  { clock, random, log, api, github, deadlines, seal }: CleanUpDeps & { readonly api: CleanUpApi },
  launch: PendingLaunch,
  named: readonly string[],
): Promise<0 | 1> {
  const { projectId } = launch;
  const readClaimedScans = async () => {
    const claimed = github && (await claimedScans({ github, seal, signal: deadlines.search }, launch));
    return claimed && new Set([...claimed].filter((id) => !named.includes(id)));
  };
  const looked = await recoverLaunch(
    { api, clock, random, signal: deadlines.search, readClaimedScans },
    launch,
  );
  if (looked.kind === 'found') return cancel({ api, log, deadlines }, projectId, looked.scanId);
  const [scanId] = named;
  // It was accepted, and the service may know it by now.
  if (scanId !== undefined) return cancel({ api, log, deadlines }, projectId, scanId);
  if (looked.why === 'none') {
    log.warning(`${describeCandidates(looked)} Most likely no scan was launched.`);
    return 0;
  }
  log.error(`A scan may have been launched. ${describeCandidates(looked)} ${recoveryHint(launch)}`);
  return 1;
}

type LeftScan = NonNullable<LeftBehind['scan']>;

function leftBehind(run: LeftScan): string {
  return 'scanId' in run
    ? `Scan \`${run.scanId}\` may still be running. Cancel it in the service.`
    : `A scan may have been launched. ${recoveryHint(run)}`;
}

async function cancel(
  { api, log, deadlines }: Pick<CleanUpDeps, 'log' | 'deadlines'> & { readonly api: CleanUpApi },
  projectId: string,
  scanId: string,
): Promise<0 | 1> {
  return report(log, scanId, await cancelScan(api, projectId, scanId, deadlines.all));
}

function report(log: Log, scanId: string, cancellation: Cancellation): 0 | 1 {
  const sentence = describeCancellation(scanId, cancellation);
  if (cancellation.kind !== 'failed') {
    log.info(sentence);
    return 0;
  }
  log.error(sentence);
  return 1;
}

/**
 * Completes the check run with the verdict, where there was one; a check run that stays in progress blocks people.
 * One that is completed already shows more than is known here, and is left alone.
 */
async function endCheckRun(deps: CleanUpDeps, left: OpenCheckRun): Promise<void> {
  const { github, log, checkRun } = deps;
  if (github === undefined) return;
  const checkRunId = await findCheckRun(deps, github, left);
  if (checkRunId === undefined) return;
  // Its mark stays: that of a completed scan saves later runs a second one.
  const identity = { ...checkRun, headSha: left.headSha, externalId: undefined };
  const { conclusion, output } =
    left.verdict === undefined ? endedEarly(checkRun) : lateConclusion(left.verdict);
  const result = { conclusion, output: { ...output, text: '' }, annotations: [] };
  const completed = await completeCheckRun(github, checkRunId, identity, result, deps.deadlines.all);
  if (!completed.ok) log.warning(explainGitHubError(completed.error));
}

/**
 * The job's check run, if it is in progress. The job may have ended between the creation and the answer: then only the
 * mark identifies it.
 */
async function findCheckRun(
  {
    log,
    deadlines,
    checkRun,
    runId,
    seal,
  }: Pick<CleanUpDeps, 'log' | 'deadlines' | 'checkRun' | 'runId' | 'seal'>,
  github: GitHubClient,
  { headSha, scanId, id }: OpenCheckRun,
): Promise<number | undefined> {
  const listed = await listCheckRuns(github, headSha, checkRun.name, deadlines.all);
  if (id !== undefined) {
    const saved = listed.ok ? listed.value.find((run) => run.id === id) : undefined;
    return saved?.status === 'completed' ? undefined : id;
  }
  if (!listed.ok) {
    log.warning(`A check run may still be in progress. ${explainGitHubError(listed.error)}`);
    return undefined;
  }
  // Another job that follows this scan instead of its own has a mark of it, too.
  return listed.value.find(({ status, externalId }) => {
    const mark = readMark(externalId, seal);
    return status !== 'completed' && mark !== undefined && mark.scanId === scanId && mark.runId === runId;
  })?.id;
}

function endedEarly({ detailsUrl }: CleanUpDeps['checkRun']) {
  // The environment's own address, which is checked where it is read: nothing in it needs to be escaped.
  const rerun = detailsUrl === undefined ? 'Re-run this job.' : `[Re-run this job](${detailsUrl}).`;
  const summary = `The job ended before the scan completed. The log of the post step shows whether the scan was cancelled. ${rerun}`;
  const title = 'Not scanned: the job ended early';
  return { conclusion: 'cancelled', output: { title, summary } } as const;
}

function lateConclusion({ conclusion, title }: NonNullable<OpenCheckRun['verdict']>) {
  const summary =
    'The job ended before the whole report was written to GitHub. See the log and the job summary.';
  return { conclusion, output: { title, summary } };
}
