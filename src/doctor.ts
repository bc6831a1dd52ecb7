import { writeDoctorOutputs } from './deliver/outputs.ts';
import { writeJobSummary } from './deliver/place.ts';
import { errorOf } from './doctor/row.ts';
import { deliverTable, runDoctor } from './doctor/run.ts';
import { readEnvironment } from './github/environment.ts';
import { isPublicRepository, readPayload } from './github/event.ts';
import { proxyVariable, useProxy } from './http/proxy.ts';
import { readInputs } from './runner/inputs.ts';
import type { Log } from './runner/log.ts';
import { runStepProcess, type StepProcess } from './start/step-process.ts';

/**
 * Runs the doctor. An unusable proxy is reported as a row of the table. If the payload cannot be read, the repository
 * counts as public.
 */
async function main({ deadlines, ...step }: StepProcess): Promise<0 | 1> {
  const places = { log: step.log, writeSummary: writeJobSummary, writeOutputs: writeDoctorOutputs };
  const reading = readInputs(process.env['GITHUB_WORKSPACE'] || process.cwd());
  const proxy = {
    fault: useProxy(process.env, reading.inputs.connection.baseUrl),
    variable: proxyVariable(process.env),
  };
  const environment = readEnvironment(process.env);
  if (!environment.ok) {
    return deliverTable(places, [errorOf('Inputs', environment.error, 'Workflow maintainer')]);
  }
  const payload = readPayload(environment.value.eventPath);
  return runDoctor({
    ...step,
    ...places,
    signal: deadlines.work,
    environment: environment.value,
    isPublic: !payload.ok || isPublicRepository(payload.value),
    reading,
    proxy,
    isCommandLine: false,
  });
}

function failUnexpectedly(what: string, log: Log): void {
  log.error(`Not ready: unexpected error (${what}). Please open an issue in the Scangate repository.`);
  try {
    writeDoctorOutputs({ ready: false, problems: 1 });
  } catch {
    // If the runner's files cannot be written, the line above is the whole report.
  }
}

// Not awaited: with a top-level await, the build could not merge this module with the modules that it imports.
void runStepProcess(main, failUnexpectedly);
