import { systemClock } from '../clock.ts';
import { readEnvironment } from '../github/environment.ts';
import { useProxy } from '../http/proxy.ts';
import { readInputs } from '../runner/inputs.ts';
import { createRunnerLog } from '../runner/log.ts';
import { createRunState } from '../runner/state.ts';
import { cleanUp, createCleanUpDeps } from './clean-up.ts';

const UNREADABLE =
  "Could not read what the job saved, so a scan may still be running and a check run may stay in progress. Check this repository's scans and cancel the one of this job. Re-run this job to complete the check run.";

const log = createRunnerLog();

/** What `post` does when `main` left something behind. Never rejects. */
export async function cleanUpAfterJob(): Promise<0 | 1> {
  try {
    const left = createRunState().saved();
    if (left === undefined) return 0;
    if (left.unreadable) log.warning(UNREADABLE);
    if (left.scan === undefined && left.checkRun === undefined) return 0;
    const { inputs } = readInputs(process.env['GITHUB_WORKSPACE'] || process.cwd());
    const proxyFault = useProxy(process.env, inputs.baseUrl);
    if (proxyFault !== undefined) log.warning(proxyFault.cause);

    const found = readEnvironment(process.env);
    const environment = found.ok ? found.value : undefined;
    return await cleanUp(
      createCleanUpDeps({ clock: systemClock, fetch, random: Math.random, log, inputs, environment }),
      left,
    );
  } catch (error) {
    return failUnexpectedly(error);
  }
}

export function failUnexpectedly(error: unknown): 1 {
  log.error(
    `Cleanup failed: ${error instanceof Error ? error.message : 'unexpected error'}. Check the service for a running scan of this job.`,
  );
  return 1;
}
