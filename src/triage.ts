import { writeTriageOutputs } from './deliver/outputs.ts';
import { writeJobSummary } from './deliver/place.ts';
import { sentencesOf } from './domain/result.ts';
import type { Log } from './runner/log.ts';
import { readTriageInputs } from './runner/triage-inputs.ts';
import { readSurroundings, runStepProcess, type StepProcess } from './start/step-process.ts';
import { runTriage } from './triage/run.ts';

async function main(step: StepProcess): Promise<0 | 1> {
  const reading = readTriageInputs();
  const surroundings = await readSurroundings(reading.inputs.baseUrl);
  if (!surroundings.ok) {
    failWith(`Nothing was re-run. ${sentencesOf(surroundings.error)}`, step.log);
    return 1;
  }
  return runTriage({
    ...step,
    ...surroundings.value,
    reading,
    writeOutputs: writeTriageOutputs,
    writeSummary: writeJobSummary,
  });
}

function failWith(message: string, log: Log): void {
  log.error(message);
  try {
    writeTriageOutputs({ rerun: '0' });
  } catch {
    // If the runner's files cannot be written, only the log shows the error.
  }
}

// The call is not awaited, because the build cannot merge a module that has a top-level await.
void runStepProcess(main, (what, log) =>
  failWith(`Unexpected error (${what}). Please open an issue in the Scangate repository.`, log),
);
