import { outputsOf, writeOutputs } from './deliver/outputs.ts';
import { attempt, deliverFile, removeEarlierSarif, writeJobSummary } from './deliver/place.ts';
import { type NotScanned, sentencesOf } from './domain/result.ts';
import { run } from './gate/run.ts';
import { renderJsonReport } from './report/json-report.ts';
import { reportOfStop } from './report/report.ts';
import { renderStop } from './report/summary.ts';
import { type InputReading, readInputs } from './runner/inputs.ts';
import type { Log } from './runner/log.ts';
import { createRunState } from './runner/state.ts';
import { readSurroundings, runStepProcess, type StepProcess } from './start/step-process.ts';

/**
 * Makes V8 keep the heap small. By default, V8 enlarges its young generation while the run reads and renders findings,
 * although most of these objects are garbage. With 10,000 findings, this growth is a third of the memory of the
 * process.
 *
 * A small heap costs a quarter to a half more CPU time, so a run uses it only for a long list of findings. A limit for
 * the young generation alone needs a command line option, which an action cannot set.
 */
function preferLittleMemory(): void {
  // An import would load the module in every run, although most runs do not need it.
  process.getBuiltinModule('node:v8').setFlagsFromString('--optimize-for-size');
}

async function main(step: StepProcess): Promise<0 | 1> {
  const startedAt = step.clock.now();
  const workspace = process.env['GITHUB_WORKSPACE'] || process.cwd();
  const reading = readInputs(workspace);
  const surroundings = await readSurroundings(reading.inputs.connection.baseUrl);
  if (!surroundings.ok) return failBeforeStart(surroundings.error, step, reading, workspace, startedAt);
  return run({
    ...step,
    ...surroundings.value,
    reading,
    workspace,
    startedAt,
    state: createRunState(),
    writeOutputs,
    writeSummary: writeJobSummary,
    preferLittleMemory,
  });
}

/** Reports an unexpected error. The `post` step ends the scan and the check run that this run leaves behind. */
function failUnexpectedly(what: string, log: Log): void {
  log.error(`Not scanned: unexpected error (${what}). Please open an issue in the Scangate repository.`);
  try {
    const failure: NotScanned = { reason: 'service-error', cause: what, nextStep: '' };
    writeOutputs(outputsOf(reportOfStop(failure)));
  } catch {
    // If the runner's files cannot be written, only the log shows the error.
  }
}

/** Says why the run cannot begin: in the log, the job summary, the JSON report and the outputs. */
async function failBeforeStart(
  failure: NotScanned,
  { clock, log }: StepProcess,
  { inputs, faults, missing }: InputReading,
  workspace: string,
  startedAt: number,
): Promise<1> {
  const { policy, delivery } = inputs;
  const { checkName, reportFile, sarifFile } = delivery;
  const areValid = faults.length === 0 && missing.length === 0;
  const leftOver = areValid ? await removeEarlierSarif(workspace, sarifFile) : undefined;
  if (leftOver !== undefined) log.warning(sentencesOf(leftOver));
  log.error(`Not scanned: ${sentencesOf(failure)}`);
  await attempt('job summary', log.warning, () => writeJobSummary(renderStop(failure)));
  const timeSpent = { waitedForReadinessMs: 0, scanMs: 0, totalMs: Math.round(clock.now() - startedAt) };
  const report = reportOfStop(failure, { policy, checkName, date: clock.date(), timeSpent });
  const written = await attempt('JSON report', log.warning, () =>
    deliverFile(workspace, reportFile, report, renderJsonReport),
  );
  writeOutputs(outputsOf(report, { reportFile: written }));
  return 1;
}

// Not awaited. With a top-level await, the build could not merge this module with the modules that it imports.
void runStepProcess(main, failUnexpectedly);
