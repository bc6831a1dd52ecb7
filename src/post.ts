import { cleanUp } from './clean-up.ts';
import { systemClock } from './clock.ts';
import { readEnvironment } from './github/environment.ts';
import { createGitHub } from './github/octokit.ts';
import { readInputs } from './inputs.ts';
import { createCleanUpLimits } from './limits.ts';
import { createRunnerLog } from './log.ts';
import { useProxy } from './proxy.ts';
import { createScanApi } from './scan-api/client.ts';
import { savedRun } from './state.ts';

process.exitCode = 1;

const log = createRunnerLog();

/** Makes no call when `main` left nothing behind. */
async function post(): Promise<0 | 1> {
  try {
    const run = savedRun();
    if (run === undefined) return 0;
    const { inputs } = readInputs(process.env['GITHUB_WORKSPACE'] || process.cwd());
    const proxyFault = useProxy(process.env);
    if (proxyFault !== undefined) log.warning(proxyFault.cause);

    const { all, search } = createCleanUpLimits(systemClock);
    const service = { baseUrl: inputs.baseUrl, token: inputs.apiToken, clock: systemClock };
    const reachable = inputs.baseUrl !== '' && inputs.apiToken !== '';
    const found = readEnvironment(process.env);
    const environment = found.ok ? found.value : undefined;
    return await cleanUp(
      {
        clock: systemClock,
        log,
        service: reachable
          ? {
              api: createScanApi({ ...service, signal: all }),
              search: { api: createScanApi({ ...service, signal: search }), signal: search },
            }
          : undefined,
        github:
          environment &&
          createGitHub({ token: inputs.githubToken, environment, clock: systemClock, signal: all }),
        checkRun: { name: inputs.checkName, ...(environment && { detailsUrl: environment.runUrl }) },
      },
      run,
    );
  } catch (error) {
    log.error(`Scangate could not clean up: ${error instanceof Error ? error.message : 'unexpected fault'}.`);
    return 1;
  }
}

const exitCode = await post();
process.stdout.write('', () => process.exit(exitCode));
