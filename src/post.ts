import { systemClock } from './clock.ts';
import { completeCheckRun } from './github/check-run.ts';
import { readEnvironment } from './github/environment.ts';
import { explainGitHubError } from './github/github-error.ts';
import { createGitHub } from './github/octokit.ts';
import { type Inputs, readInputs } from './inputs.ts';
import { createRunnerLog } from './log.ts';
import { useProxy } from './proxy.ts';
import { cancelScan } from './scan/cancel.ts';
import { createScanApi } from './scan-api/client.ts';
import { type SavedRun, savedRun } from './state.ts';

/** Ours: a job that ends should not be kept for long; cancelling takes a second. */
const LIMIT_MS = 75_000;

process.exitCode = 1;

const log = createRunnerLog();

/**
 * Ends what `main` could not: a scan that is still running, and a check run that is still in progress. Makes no call
 * when nothing is left.
 */
async function post(): Promise<0 | 1> {
  try {
    const run = savedRun();
    if (run === undefined) return 0;
    const { inputs } = readInputs(process.env['GITHUB_WORKSPACE'] || process.cwd());
    const proxyFault = useProxy(process.env);
    if (proxyFault !== undefined) log.warning(proxyFault.cause);
    const limit = new AbortController();
    void systemClock.sleep(LIMIT_MS).then(() => limit.abort());
    const [cancelled] = await Promise.all([
      cancel(run, inputs, limit.signal),
      complete(run, inputs, limit.signal),
    ]);
    return cancelled;
  } catch (error) {
    log.error(`Scangate could not clean up: ${error instanceof Error ? error.message : 'unexpected fault'}.`);
    return 1;
  }
}

async function cancel(
  { projectId, scanId, scanEnded }: SavedRun,
  inputs: Inputs,
  signal: AbortSignal,
): Promise<0 | 1> {
  if (scanEnded === true) return 0;
  if (inputs.apiToken === '' || inputs.baseUrl === '') {
    log.error(
      `Scan ${scanId} may still be running: \`api-token\` or \`base-url\` is not there any more. Cancel it in the service.`,
    );
    return 1;
  }
  const api = createScanApi({ baseUrl: inputs.baseUrl, token: inputs.apiToken, clock: systemClock, signal });
  const cancellation = await cancelScan(api, projectId, scanId);
  switch (cancellation.kind) {
    case 'cancelled':
      log.info(
        `Scan ${scanId} was cancelled: its reservation is released, work already done is still charged.`,
      );
      return 0;
    case 'already-terminal':
      log.info(`Scan ${scanId} had already ended as ${cancellation.status}.`);
      return 0;
    case 'failed':
      log.error(`Scan ${scanId} could not be cancelled: cancel it in the service. ${cancellation.cause}`);
      return 1;
  }
}

/** Completes the check run with the verdict, where there was one; a check run that stays in progress blocks people. */
async function complete(
  { headSha, scanId, checkRunId, verdict }: SavedRun,
  inputs: Inputs,
  signal: AbortSignal,
): Promise<void> {
  const environment = readEnvironment(process.env);
  if (checkRunId === undefined || !environment.ok) return;
  const github = createGitHub({
    token: inputs.githubToken,
    environment: environment.value,
    clock: systemClock,
    signal,
  });
  const identity = {
    name: inputs.checkName,
    headSha,
    externalId: scanId,
    detailsUrl: environment.value.runUrl,
  };
  const { conclusion, output } = verdict === undefined ? ENDED_EARLY : lateWords(verdict);
  const result = { conclusion, output: { ...output, text: '' }, annotations: [] };
  const completed = await completeCheckRun(github, checkRunId, identity, result);
  if (!completed.ok) log.warning(explainGitHubError(completed.error));
}

const ENDED_EARLY = {
  conclusion: 'cancelled',
  output: {
    title: 'Not scanned: the job ended first',
    summary:
      'The job ended before its result was known, so a scan that was still running was cancelled. Run the job again.',
  },
} as const;

function lateWords({ conclusion, title }: NonNullable<SavedRun['verdict']>) {
  const summary = 'GitHub did not take the whole report when the step ended; it is in the job summary.';
  return { conclusion, output: { title, summary } };
}

const exitCode = await post();
process.stdout.write('', () => process.exit(exitCode));
