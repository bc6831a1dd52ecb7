import { systemClock } from './clock.ts';
import { writeJobSummary } from './deliver/job-summary.ts';
import { writeDoctorOutputs } from './deliver/outputs.ts';
import { errorOf } from './doctor/row.ts';
import { deliverTable, runDoctor } from './doctor/run.ts';
import { readEnvironment } from './github/environment.ts';
import { isPublicRepository } from './github/event-payload.ts';
import { readPayload } from './github/payload.ts';
import { proxyVariable, useProxy } from './http/proxy.ts';
import { readInputs } from './runner/inputs.ts';
import { createLimits } from './runner/limits.ts';
import { createRunnerLog } from './runner/log.ts';

// Red until proven otherwise: whatever ends the process early, it does not end green.
process.exitCode = 1;

const log = createRunnerLog();
const limits = createLimits(systemClock);
const places = { log, writeSummary: writeJobSummary, writeOutputs: writeDoctorOutputs };
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => limits.stop('signal'));
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => limits.stop('signal'));
process.on('uncaughtException', (error) => process.exit(failUnexpectedly(error)));

/** The one catch: everything expected is a value, so what arrives here is a fault of ours or of the machine. */
async function main(): Promise<0 | 1> {
  try {
    const reading = readInputs(process.env['GITHUB_WORKSPACE'] || process.cwd());
    const proxy = {
      fault: useProxy(process.env, reading.inputs.baseUrl),
      variable: proxyVariable(process.env),
    };
    const environment = readEnvironment(process.env);
    if (!environment.ok) {
      return await deliverTable(places, [errorOf('Inputs', environment.error, 'Workflow maintainer')]);
    }
    const payload = await readPayload(environment.value.eventPath);
    return await runDoctor({
      ...places,
      clock: systemClock,
      fetch,
      random: Math.random,
      signal: limits.work,
      environment: environment.value,
      isPublic: !payload.ok || isPublicRepository(payload.value),
      reading,
      proxy,
    });
  } catch (error) {
    return failUnexpectedly(error);
  }
}

function failUnexpectedly(error: unknown): 1 {
  const what = error instanceof Error ? error.message : 'no error object';
  log.error(`Not ready: unexpected error (${what}). Please open an issue in the Scangate repository.`);
  try {
    writeDoctorOutputs({ ready: false, problems: 1 });
  } catch {
    // The runner's files are what failed; the line above is all that can be reported.
  }
  return 1;
}

const exitCode = await main();
// Explicit, because a socket or a timer that is still open must not keep the job waiting; after the log is out.
process.stdout.write('', () => process.exit(exitCode));
