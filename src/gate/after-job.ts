import { readEnvironment } from '../github/environment.ts';
import { useProxy } from '../http/proxy.ts';
import { readInputs } from '../runner/inputs.ts';
import { createRunState } from '../runner/state.ts';
import { runStepProcess, type StepProcess } from '../start/step-process.ts';
import { cleanUp, createCleanUpDeps } from './clean-up.ts';

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
async function cleanUpSaved({ clock, fetch, random, log }: StepProcess): Promise<0 | 1> {
  const left = createRunState().saved();
  if (left === undefined) return 0;
  if (left.unreadable) log.warning(UNREADABLE);
  if (left.scan === undefined && left.checkRun === undefined) return 0;
  const { inputs } = readInputs(process.env['GITHUB_WORKSPACE'] || process.cwd());
  const proxyFault = useProxy(process.env, inputs.connection.baseUrl);
  if (proxyFault !== undefined) log.warning(proxyFault.cause);

  const found = readEnvironment(process.env);
  const environment = found.ok ? found.value : undefined;
  return cleanUp(createCleanUpDeps({ clock, fetch, random, log, inputs, environment }), left);
}
