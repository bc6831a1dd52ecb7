import { systemClock } from './clock.ts';
import { cleanUp, createCleanUpDeps } from './gate/clean-up.ts';
import { readEnvironment } from './github/environment.ts';
import { useProxy } from './http/proxy.ts';
import { readInputs } from './runner/inputs.ts';
import { createRunnerLog } from './runner/log.ts';
import { createRunState } from './runner/state.ts';

process.exitCode = 1;

const log = createRunnerLog();
// The log is not worth more than the cleaning up.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
process.on('uncaughtException', (error) => process.exit(failUnexpectedly(error)));

const UNREADABLE =
  "Could not read what the job saved, so a scan may still be running and a check run may stay in progress. Check this repository's scans and cancel the one of this job. Re-run this job to complete the check run.";

/** Makes no call when `main` left nothing behind. */
async function post(): Promise<0 | 1> {
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

function failUnexpectedly(error: unknown): 1 {
  log.error(
    `Cleanup failed: ${error instanceof Error ? error.message : 'unexpected error'}. Check the service for a running scan of this job.`,
  );
  return 1;
}

const exitCode = await post();
process.stdout.write('', () => process.exit(exitCode));
