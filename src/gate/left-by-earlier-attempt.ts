import { ok } from '../domain/result.ts';
import { isTerminal } from '../domain/scan.ts';
import type { GitHubEnvironment } from '../github/environment.ts';
import { findProject } from '../preflight/preflight-reads.ts';
import { cancelScan, describeCancellation } from '../scan/cancel.ts';
import { findOpenCheckRun } from '../scan/open-check-run.ts';
import type { ScanResult } from '../scan/result.ts';
import type { ChangeDeps } from './launch-change.ts';
import type { RunResult } from './run-result.ts';

type LeftDeps = Pick<ChangeDeps, 'api' | 'github' | 'inputs' | 'limits' | 'log' | 'state'>;

/**
 * A run that ended before it looked for its scan still completes the check run that an earlier attempt left in progress.
 * If the pull request is closed, the scan of that attempt is cancelled too: no other run has a use for it.
 */
export async function takeWhatIsLeft(
  deps: LeftDeps,
  environment: Pick<GitHubEnvironment, 'runId' | 'runAttempt'>,
  result: RunResult,
): Promise<RunResult> {
  const { github, inputs, limits } = deps;
  const { target, outcome } = result;
  if (target === undefined || result.identity !== undefined) return result;
  const open = await findOpenCheckRun({ github, inputs, signal: limits.wrapUp }, environment, target.headSha);
  if (open === undefined) return result;
  const taken = { ...result, checkRun: ok(open) };
  const isClosed = outcome.kind === 'not-scanned' && outcome.stop.reason === 'unsupported-event';
  if (!isClosed || target.pullRequest?.state !== 'closed' || !open.ownsScan) return taken;
  const { notices, ...left } = await cancelLeftScan(deps, open.scanId);
  return { ...taken, ...left, notices: [...result.notices, ...notices] };
}

async function cancelLeftScan(
  { api, inputs, limits, log, state }: LeftDeps,
  scanId: string,
): Promise<Pick<ScanResult, 'leftRunning' | 'notices'>> {
  const signal = limits.cancelling;
  const project = await findProject(api, inputs.projectId, signal);
  if (!project.ok) return mayRun(project.error.cause);
  const projectId = project.value;
  const read = await api.readScan(projectId, scanId, { signal });
  const isOver = read.ok
    ? isTerminal(read.value.status)
    : read.error.kind === 'refused' && read.error.status === 404;
  if (isOver) return { notices: [] };
  // Saved first: if the job is killed meanwhile, `post` cancels the scan.
  state.saveScan({ projectId, scanId });
  const cancellation = await cancelScan(api, projectId, scanId, signal);
  if (cancellation.kind === 'failed') return { ...mayRun(cancellation.cause), leftRunning: true };
  log.info(describeCancellation(scanId, cancellation));
  return { notices: [] };

  function mayRun(cause: string) {
    const sentence = `Scan \`${scanId}\` of an earlier attempt may still be running and using credits: cancel it in the service. ${cause}`;
    log.warning(sentence);
    return { notices: [sentence] };
  }
}
