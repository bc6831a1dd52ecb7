import { systemClock } from './clock.ts';
import { writeJobSummary } from './deliver/job-summary.ts';
import { writeRecheckOutputs } from './deliver/outputs.ts';
import type { NotScanned } from './domain/not-scanned.ts';
import { readEnvironment } from './github/environment.ts';
import { readPayload } from './github/payload.ts';
import { useProxy } from './http/proxy.ts';
import { recheck } from './recheck/run.ts';
import { createLimits } from './runner/limits.ts';
import { createRunnerLog } from './runner/log.ts';
import { readRecheckInputs } from './runner/recheck-inputs.ts';

// Red until proven otherwise: whatever ends the process early, it does not end green.
process.exitCode = 1;

const log = createRunnerLog();
const limits = createLimits(systemClock);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => limits.stop('signal'));
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => limits.stop('signal'));
process.on('uncaughtException', (error) => process.exit(failUnexpectedly(error)));

/** The one catch: everything expected is a value. */
async function main(): Promise<0 | 1> {
  try {
    const reading = readRecheckInputs();
    const proxyFault = useProxy(process.env, reading.inputs.baseUrl);
    if (proxyFault !== undefined) return failBeforeStart(proxyFault);
    const environment = readEnvironment(process.env);
    if (!environment.ok) return failBeforeStart(environment.error);
    const payload = await readPayload(environment.value.eventPath);
    if (!payload.ok) return failBeforeStart(payload.error);
    return await recheck({
      clock: systemClock,
      fetch,
      random: Math.random,
      limits,
      log,
      environment: environment.value,
      payload: payload.value,
      reading,
      writeOutputs: writeRecheckOutputs,
      writeSummary: writeJobSummary,
    });
  } catch (error) {
    return failUnexpectedly(error);
  }
}

function failUnexpectedly(error: unknown): 1 {
  const what = error instanceof Error ? error.message : 'no error object';
  return failWith(`Unexpected error (${what}). Please open an issue in the Scangate repository.`);
}

function failBeforeStart({ cause, nextStep }: NotScanned): 1 {
  return failWith(`Nothing was re-run. ${cause} ${nextStep}`);
}

function failWith(message: string): 1 {
  log.error(message);
  try {
    writeRecheckOutputs({ rerun: '0' });
  } catch {
    // The runner's files are what failed; the line above is all that can be reported.
  }
  return 1;
}

const exitCode = await main();
// Explicit, because a socket or a timer that is still open must not keep the job waiting; after the log is out.
process.stdout.write('', () => process.exit(exitCode));
