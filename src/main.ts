import { systemClock } from './clock.ts';
import { writeJobSummary } from './deliver/job-summary.ts';
import { outputsOfFailure, writeOutputs } from './deliver/outputs.ts';
import { attempt } from './deliver/place.ts';
import type { NotScanned } from './domain/not-scanned.ts';
import { run } from './gate/run.ts';
import { readEnvironment } from './github/environment.ts';
import { readPayload } from './github/payload.ts';
import { useProxy } from './http/proxy.ts';
import { renderStop } from './report/summary.ts';
import { readInputs } from './runner/inputs.ts';
import { createLimits } from './runner/limits.ts';
import { createRunnerLog } from './runner/log.ts';
import { preferLittleMemory } from './runner/memory.ts';
import { createRunState } from './runner/state.ts';

// Red until proven otherwise: whatever ends the process early, it does not end green.
process.exitCode = 1;

const log = createRunnerLog();
const limits = createLimits(systemClock);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => limits.stop('signal'));
// stdout is closed: the job is ending. Before the verdict that ends the work; afterwards it changes nothing.
process.stdout.on('error', () => {
  process.stderr.write('stdout was closed. Stopping.\n');
  limits.stop('signal');
});
process.stderr.on('error', () => {});
process.on('uncaughtException', (error) => process.exit(failUnexpectedly(error)));

/** The one catch: everything expected is a value, so what arrives here is a fault of ours or of the machine. */
async function main(): Promise<0 | 1> {
  try {
    const workspace = process.env['GITHUB_WORKSPACE'] || process.cwd();
    const reading = readInputs(workspace);
    const proxyFault = useProxy(process.env, reading.inputs.baseUrl);
    if (proxyFault !== undefined) return await failBeforeStart(proxyFault);
    const environment = readEnvironment(process.env);
    if (!environment.ok) return await failBeforeStart(environment.error);
    const payload = await readPayload(environment.value.eventPath);
    if (!payload.ok) return await failBeforeStart(payload.error);
    return await run({
      clock: systemClock,
      fetch,
      random: Math.random,
      limits,
      log,
      environment: environment.value,
      payload: payload.value,
      reading,
      workspace,
      state: createRunState(),
      writeOutputs,
      writeSummary: writeJobSummary,
      preferLittleMemory,
    });
  } catch (error) {
    return failUnexpectedly(error);
  }
}

/** What is left running is the business of `post`. */
function failUnexpectedly(error: unknown): 1 {
  const what = error instanceof Error ? error.message : 'no error object';
  log.error(`Not scanned: unexpected error (${what}). Please open an issue in the Scangate repository.`);
  try {
    writeOutputs(outputsOfFailure('service-error'));
  } catch {
    // The runner's files are what failed; the line above is all that can be reported.
  }
  return 1;
}

/** Nothing is known of the run but why it cannot begin: that goes to the log, the job summary and the outputs. */
async function failBeforeStart(stop: NotScanned): Promise<1> {
  log.error(`Not scanned: ${stop.cause} ${stop.nextStep}`);
  await attempt('job summary', log.warning, () => writeJobSummary(renderStop(stop)));
  writeOutputs(outputsOfFailure(stop.reason));
  return 1;
}

const exitCode = await main();
// Explicit, because a socket or a timer that is still open must not keep the job waiting; after the log is out.
process.stdout.write('', () => process.exit(exitCode));
