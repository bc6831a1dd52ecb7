import { cleanUp, createCleanUpWorld } from './clean-up.ts';
import { systemClock } from './clock.ts';
import { readEnvironment } from './github/environment.ts';
import { readInputs } from './inputs.ts';
import { createRunnerLog } from './log.ts';
import { useProxy } from './proxy.ts';
import { createRunState } from './state.ts';

process.exitCode = 1;

const log = createRunnerLog();
// The log is not worth more than the cleaning up.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
process.on('uncaughtException', (error) => process.exit(failUnexpectedly(error)));

const UNREADABLE =
  'What the job left behind cannot be read, so nothing was cancelled. A scan may still be running for credits: look through the scans of this repository in the service and cancel one that nobody waits for. A check run may stay in progress; running the job again ends that.';

/** Makes no call when `main` left nothing behind. */
async function post(): Promise<0 | 1> {
  try {
    const run = createRunState().saved();
    if (run === undefined) return 0;
    if (run === 'unreadable') {
      log.warning(UNREADABLE);
      return 0;
    }
    const { inputs } = readInputs(process.env['GITHUB_WORKSPACE'] || process.cwd());
    const proxyFault = useProxy(process.env);
    if (proxyFault !== undefined) log.warning(proxyFault.cause);

    const found = readEnvironment(process.env);
    const environment = found.ok ? found.value : undefined;
    return await cleanUp(
      createCleanUpWorld({ clock: systemClock, fetch, random: Math.random, log, inputs, environment }),
      run,
    );
  } catch (error) {
    return failUnexpectedly(error);
  }
}

function failUnexpectedly(error: unknown): 1 {
  log.error(`Scangate could not clean up: ${error instanceof Error ? error.message : 'unexpected fault'}.`);
  return 1;
}

const exitCode = await post();
process.stdout.write('', () => process.exit(exitCode));
