import { sentencesOf } from '../domain/result.ts';
import type { PendingLaunch } from '../domain/scan.ts';
import { createSeal } from '../domain/seal.ts';
import { completeCheckRun, listCheckRuns } from '../github/check-run.ts';
import { type GitHubEnvironment, readEnvironment } from '../github/environment.ts';
import { explainGitHubError } from '../github/errors.ts';
import type { GitHub } from '../github/octokit.ts';
import { useProxy } from '../http/proxy.ts';
import { createCleanUpDeadlines } from '../runner/deadlines.ts';
import { type Inputs, readInputs } from '../runner/inputs.ts';
import { createWarnings, type Log } from '../runner/log.ts';
import { createRunState, type LeftBehind, type OpenCheckRun } from '../runner/state.ts';
import { type Cancellation, cancelScan, describeCancellation } from '../scan/cancel.ts';
import {
  cancelFound,
  describeCandidates,
  findLost,
  isOfLaunch,
  notOfLaunch,
  recoveryHint,
} from '../scan/lost-launch.ts';
import { readMark } from '../scan/scan-mark.ts';
import { awaitScan } from '../scan/wait.ts';
import { connectGitHub, connectService, type Resources, type ServiceStep } from '../start/step.ts';
import { runStepProcess, type StepProcess } from '../start/step-process.ts';

/** What the `post` step knows. The time limit of the step starts when it is created. */
function openCleanUp(
  resources: Resources,
  { connection, delivery }: Inputs,
  environment: GitHubEnvironment | undefined,
) {
  const { clock, random, log } = resources;
  const { baseUrl, apiToken } = connection;
  // The service's messages stay hidden, because the repository may be public. Only the event shows whether it is
  // public, and `post` does not read the event.
  const showMessages = async () => false;
  const deadlines = createCleanUpDeadlines(clock);
  const { leftMs, all: signal } = deadlines;
  const isReachable = baseUrl !== '' && apiToken !== '';
  const detailsUrl = environment?.runUrl;
  const connect = (): ServiceStep => {
    const api = connectService(resources, connection, { showMessages, leftMs });
    return { clock, random, signal, log, warn: createWarnings(log).warn, api };
  };
  return {
    log,
    deadlines,
    /** Undefined if the inputs for the service are missing or not valid. */
    service: isReachable ? connect() : undefined,
    github: environment && connectGitHub(resources, connection, environment),
    checkRun: { name: delivery.checkName, ...(detailsUrl !== undefined && { detailsUrl }) },
    /** Undefined if the environment cannot be read. */
    runId: environment?.runId,
    /** Proves that a mark in a check run is ours. Empty if the API token is missing. */
    seal: createSeal(apiToken, environment?.repositoryId ?? ''),
  };
}

type CleanUp = ReturnType<typeof openCleanUp>;

/**
 * Cleans up what `main` left behind. Cancels the scan, and completes the check run. If `main` was killed during a
 * launch, first looks for the scan of this launch.
 * @param environment undefined if it cannot be read
 * @returns the exit code: 1 if a scan may still be running and using credits
 */
export async function cleanUp(
  resources: Resources,
  inputs: Inputs,
  environment: GitHubEnvironment | undefined,
  { scan, checkRun, unreadable }: LeftBehind,
): Promise<0 | 1> {
  if (unreadable) resources.log.warning(UNREADABLE);
  const opened = openCleanUp(resources, inputs, environment);
  const [exitCode] = await Promise.all([
    scan && endScan(opened, scan),
    checkRun && endCheckRun(opened, checkRun),
  ]);
  return exitCode ?? 0;
}

async function endScan(opened: CleanUp, run: LeftScan): Promise<0 | 1> {
  const { log, service, deadlines } = opened;
  if (service === undefined) {
    log.error(
      `\`api-token\` or \`base-url\` is unavailable in the post step, so the scan could not be cancelled. ${leftBehind(run)}`,
    );
    return 1;
  }
  if (!('scanId' in run)) {
    log.info("The job ended during a launch. Looking for the scan in the service's scan list.");
    return cancelLost(opened, service, run);
  }
  const { projectId, scanId, launch } = run;
  if (launch === undefined) return report(log, scanId, await cancelScan(service, projectId, scanId));
  const search = { ...service, signal: deadlines.search };
  const read = await awaitScan(search, run, UNKNOWN_MS);
  if (!read.ok && read.error.why === 'not-found') {
    log.info('The service does not know the scan that it named. Looking for it in the scan list.');
    return cancelLost(opened, service, launch, scanId);
  }
  const createdAt = read.ok ? read.value.scan.createdAt : undefined;
  const isOurs = await isOfLaunch(search, launch, { scanId, createdAt });
  if (isOurs.ok && isOurs.value) return report(log, scanId, await cancelScan(service, projectId, scanId));
  log.error(
    isOurs.ok ? sentencesOf(notOfLaunch(scanId, launch)) : `${isOurs.error.cause} ${leftBehind(run)}`,
  );
  return 1;
}

/** Our choice: for this time, a 404 means that the service does not show the scan of the last launch yet. */
const UNKNOWN_MS = 10_000;

/**
 * Looks for the scan of a lost launch, and cancels it.
 * @param named the id that the answer to the launch named; the service did not know it
 */
async function cancelLost(
  { log, deadlines, github, seal }: CleanUp,
  service: ServiceStep,
  launch: PendingLaunch,
  named?: string,
): Promise<0 | 1> {
  const search = { ...service, github, seal, signal: deadlines.search };
  const lost = await cancelFound(service, launch, await findLost(search, launch, named));
  if (lost.kind === 'found') return report(log, lost.scanId, lost.cancellation);
  if (lost.why === 'none') {
    log.warning(`${describeCandidates(lost)} Most likely no scan was launched.`);
    return 0;
  }
  log.error(`A scan may have been launched. ${describeCandidates(lost)} ${recoveryHint(launch)}`);
  return 1;
}

type LeftScan = NonNullable<LeftBehind['scan']>;

function leftBehind(run: LeftScan): string {
  return 'scanId' in run
    ? `Scan \`${run.scanId}\` may still be running. Cancel it in the service.`
    : `A scan may have been launched. ${recoveryHint(run)}`;
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
 * Completes the check run that `main` left in progress, because it can block the merge. Uses the verdict of `main` if
 * there is one. Does not change a check run that GitHub shows as completed, because it shows more than `post` knows.
 */
async function endCheckRun(opened: CleanUp, left: OpenCheckRun): Promise<void> {
  const { github, log, checkRun } = opened;
  if (github === undefined) return;
  const checkRunId = await findCheckRun(opened, github, left);
  if (checkRunId === undefined) return;
  // A request without an `externalId` does not change the mark in the check run. Later runs need this mark to reuse a
  // completed scan.
  const identity = { ...checkRun, headSha: left.headSha, externalId: undefined };
  const { conclusion, output } =
    left.verdict === undefined ? endedEarly(checkRun) : lateConclusion(left.verdict);
  const result = { conclusion, output: { ...output, text: '' }, annotations: [] };
  // The pull request may be closed by now. On a closed pull request, no step creates a check run.
  const mayCreate = false;
  const { all } = opened.deadlines;
  const completed = await completeCheckRun(github.until(all), checkRunId, identity, result, mayCreate);
  if (!completed.ok) log.warning(explainGitHubError(completed.error));
}

/** Returns the id of the check run to complete. Undefined if there is none. */
async function findCheckRun(
  opened: CleanUp,
  github: GitHub,
  left: OpenCheckRun,
): Promise<number | undefined> {
  const list = () => listCheckRuns(github.until(opened.deadlines.all), left.headSha, opened.checkRun.name);
  const listed = await list();
  const { id } = left;
  if (id !== undefined) {
    const saved = listed.ok ? listed.value.find((run) => run.id === id) : undefined;
    return saved?.status === 'completed' ? undefined : id;
  }
  const found = findMarked(opened, left, listed);
  if (found !== undefined || !listed.ok) return found;
  // The request by which the killed job created the check run may reach GitHub only now.
  await github.until(opened.deadlines.all).pauseAfterLoss();
  return findMarked(opened, left, await list());
}

/**
 * Finds the check run if `main` ended before it learned the id of the check run. Only the mark of the scan identifies
 * the check run.
 */
function findMarked(
  { log, runId, seal }: CleanUp,
  { scanId }: OpenCheckRun,
  listed: Awaited<ReturnType<typeof listCheckRuns>>,
): number | undefined {
  if (!listed.ok) {
    log.warning(`A check run may still be in progress. ${explainGitHubError(listed.error)}`);
    return undefined;
  }
  // The workflow run is compared too. If a different run uses this scan, its check run can have a mark of the scan too.
  return listed.value.find(({ status, externalId }) => {
    const mark = readMark(externalId, seal);
    return status !== 'completed' && mark !== undefined && mark.scanId === scanId && mark.runId === runId;
  })?.id;
}

function endedEarly({ detailsUrl }: CleanUp['checkRun']) {
  // The address needs no escaping. It comes from the environment, which was checked.
  const rerun = detailsUrl === undefined ? 'Re-run this job.' : `[Re-run this job](${detailsUrl}).`;
  const summary = `The job ended before the scan completed. The log of the post step shows whether the scan was cancelled. ${rerun}`;
  const title = 'Not scanned: the job ended early';
  return { conclusion: 'cancelled', output: { title, summary } } as const;
}

function lateConclusion({ conclusion, title }: NonNullable<OpenCheckRun['verdict']>) {
  const summary = 'The whole report could not be written here. See the log and the job summary.';
  return { conclusion, output: { title, summary } };
}

const UNREADABLE =
  "Could not read what the job saved, so a scan may still be running and a check run may stay in progress. Check this repository's scans and cancel the one of this job. Re-run this job to complete the check run.";

/** Runs the `post` step, which cleans up what `main` left behind. Ends the process. */
export function cleanUpAfterJob(): Promise<void> {
  return runStepProcess(cleanUpSaved, (what, log) =>
    log.error(`Cleanup failed: ${what}. Check the service for a running scan of this job.`),
  );
}

/**
 * Cleans up what `main` left behind. A signal or a closed log does not stop the cleanup, because a scan that keeps
 * running uses more credits.
 */
async function cleanUpSaved(step: StepProcess): Promise<0 | 1> {
  const left = createRunState().saved();
  if (left === undefined) return 0;
  const { inputs } = readInputs(process.env['GITHUB_WORKSPACE'] || process.cwd());
  const proxyFault = useProxy(process.env, inputs.connection.baseUrl);
  if (proxyFault !== undefined) step.log.warning(proxyFault.cause);

  const environment = readEnvironment(process.env);
  return cleanUp(step, inputs, environment.ok ? environment.value : undefined, left);
}
